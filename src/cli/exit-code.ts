import { CommanderError } from 'commander';
import { AppError, type ErrorCode } from '../contract/index.js';

/** Exit codes of all commands. */
export const ExitCode = {
  done: 0,
  failed: 1,
  /** The command line or its configuration is wrong; nothing was started. */
  wrongUse: 2,
  /** The request is neither done nor failed yet. */
  notReached: 3,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const WRONG_USE: readonly ErrorCode[] = ['CONFIG_INVALID', 'INPUT_INVALID', 'INPUT_TOO_LARGE'];

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.wrongUse;
  if (error instanceof AppError && WRONG_USE.includes(error.code)) return ExitCode.wrongUse;
  return ExitCode.failed;
}
