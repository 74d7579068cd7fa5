import { listedItem } from '../../domain/index.js';
import type { OperationResponse } from '../../gateway/index.js';
import type { Ledger } from '../../ledger/index.js';

/** One response of showMessagesQueue. Times are the clock's, around the request. */
export interface Listing {
  readonly items: OperationResponse<'showMessagesQueue'>;
  readonly begunAtMs: number;
  readonly readAtMs: number;
}

/** Every reading of a queue is recorded before it is used: it is evidence for messages with an unknown outcome. */
export async function recordReading(
  ledger: Pick<Ledger, 'reconciling'>,
  instance: string,
  { items, begunAtMs, readAtMs }: Listing,
): Promise<void> {
  await ledger.reconciling.recordReading(instance, { begunAtMs, endedAtMs: readAtMs, items: items.map(listedItem) });
}
