/** Where a module logs what an operator should know. No secrets, no phone numbers, no texts. */
export type Log = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}) => void;

/** Logs that something fails and that it works again, and not every failure in between. */
export function createOutageLog(log: Log, what: string) {
  let failures = 0;
  return {
    failed(error: unknown): void {
      failures += 1;
      if (failures === 1) log({ level: 'warn', message: `${what} failed; retried automatically`, error });
    },
    worked(): void {
      if (failures > 0) log({ level: 'info', message: `${what} works again`, failures });
      failures = 0;
    },
  };
}
