import type { Log } from './log.js';

/** Logs that something fails and that it works again, and not every failure in between. */
export interface OutageLog {
  failed(error: unknown): void;
  worked(): void;
}

export function createOutageLog(log: Log, what: string): OutageLog {
  let failures = 0;
  return {
    failed(error) {
      failures += 1;
      if (failures === 1) log({ level: 'warn', message: `${what} failed; retried automatically`, error });
    },
    worked() {
      if (failures > 0) log({ level: 'info', message: `${what} works again`, failures });
      failures = 0;
    },
  };
}
