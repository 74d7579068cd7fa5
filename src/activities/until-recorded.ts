import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../contract/index.js';

/** Pauses between tries of one ledger write within an activity; after them Temporal takes over. */
const LEDGER_RETRY_MS = [100, 300, 1_000];

/** Repeats a ledger write, each written to be repeatable, over a short interruption. */
export async function untilRecorded<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of LEDGER_RETRY_MS) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LEDGER_UNAVAILABLE') throw error;
      await delay(pauseMs);
    }
  }
  return write();
}
