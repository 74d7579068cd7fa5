import { AppError } from '../contract/index.js';
import type { Store, Tx } from './store.js';

/** The store chose this transaction to give way: nothing of it was done. */
const GAVE_WAY: ReadonlySet<unknown> = new Set(['40P01', '40001']);
const TRIES = 5;

/** A transaction that is made again when the store chose it to give way to another. */
export async function retryingTransaction<Result>(store: Store, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.transaction(work);
    } catch (error) {
      if (tries === TRIES || !gaveWay(error)) throw error;
    }
  }
}

function gaveWay(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && GAVE_WAY.has(cause.code);
}
