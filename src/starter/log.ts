/** A module logs here what an operator has to know. Entries contain no secrets, phone numbers or texts. */
export type Log = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}) => void;

/** Logs the first failure and the recovery, and no failure in between. */
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
