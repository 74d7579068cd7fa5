import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';

/** A busy second adds hundreds of counts, which metrics add up each time they are asked for. */
const EVERY_MS = 10_000;

/** Keeps the counts of messages few. */
export function foldMessageCounts({ metrics }: { readonly metrics: Pick<Ledger['metrics'], 'fold'> }): BackgroundJob {
  return {
    name: 'fold message counts',
    everyMs: EVERY_MS,
    async round() {
      await metrics.fold();
    },
  };
}
