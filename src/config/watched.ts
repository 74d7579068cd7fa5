import { statSync } from 'node:fs';
import { AppError } from '../contract/index.js';

/** Shortest time between two polls of the files. */
const CHECK_EVERY_MS = 1000;

export type ConfigLog = (entry: {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly problems?: unknown;
}) => void;

export interface WatchedOptions<Value> {
  /** @throws AppError when it is not valid */
  readonly read: () => {
    readonly value: Value;
    /** Every file that was read: a change of one of them makes the value stale. */
    readonly files: readonly string[];
  };
  /** The log message for a new value. */
  readonly described: (value: Value) => string;
  /** Called for each change that was applied, and for each file that could not be read. */
  readonly log: ConfigLog;
  /** Monotonic time, which decides when to poll again. @default performance.now */
  readonly monotonicMs?: (() => number) | undefined;
}

/**
 * A value from files, which are read again when one of them changes. Polls on use, at most once a second. If a file
 * becomes invalid, the last valid value stays, and the log shows why.
 * @throws AppError when the first reading fails
 */
export function watched<Value>(options: WatchedOptions<Value>): () => Value {
  const { read, described, log, monotonicMs = () => performance.now() } = options;
  let current = read();
  let seen = fingerprint(current.files);
  let polledAtMs = monotonicMs();

  return () => {
    const nowMs = monotonicMs();
    if (nowMs - polledAtMs < CHECK_EVERY_MS) return current.value;
    polledAtMs = nowMs;
    const now = fingerprint(current.files);
    if (now === seen) return current.value;
    seen = now;
    try {
      current = read();
      seen = fingerprint(current.files);
      log({ level: 'info', message: described(current.value) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log({
        level: 'error',
        message: `${error.message} The last valid version stays in use.`,
        problems: error.problems,
      });
    }
    return current.value;
  };
}

/** Changes whenever one of the files changes, appears or disappears. */
function fingerprint(files: readonly string[]): string {
  return files
    .map((file) => {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats === undefined ? 'missing' : `${stats.mtimeMs}/${stats.size}/${stats.ino}`;
    })
    .join(' ');
}
