import { AppError } from '../contract/index.js';

/**
 * An idempotency key names one row, so a second request with the same key finds the row of the first. Compares the two.
 * @param refusal  which row it is, and what to do
 * @throws AppError IDEMPOTENCY_MISMATCH unless both are the same request
 */
export function assertSameRequest(isSame: boolean, refusal: string): void {
  if (!isSame) throw new AppError('IDEMPOTENCY_MISMATCH', refusal);
}
