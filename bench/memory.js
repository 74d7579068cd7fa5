// How much memory campaigns of different sizes need: the heap of worker and API after a full garbage collection, when every
// recipient was posted to. Each size has new servers and PostgreSQL.
import { everpost } from './everpost-system.js';
import { onStand } from './measure-system.js';
import { peakMb } from './processes.js';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];

/**
 * @param {readonly number[]} [sizes]  recipients
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureMemory(sizes = SIZES) {
  /** @type {Record<string, string>[]} */
  const rows = [];
  for (const recipients of sizes) {
    const start = everpost('campaign');
    const row = await onStand({ needs: ['temporal', 'postgres'], start }, recipients, async (stand) => {
      const { running, gateway } = stand;
      const worker = await stand.startWorker();
      const [api] = running.others;
      await running.handOver();
      await gateway.reaches(recipients);
      const { firstMs = Number.NaN, lastMs = Number.NaN } = await gateway.log();
      const peaks = await Promise.all([peakMb(worker.pid), peakMb(api?.pid ?? 0)]);
      return {
        recipients: recipients.toLocaleString('en-US'),
        'sending/s': ((1_000 * recipients) / (lastMs - firstMs)).toFixed(0),
        'heap of worker, MB': (await worker.heapMb()).toFixed(0),
        'heap of API, MB': ((await api?.heapMb()) ?? Number.NaN).toFixed(0),
        'peak of worker, MB': peaks[0].toFixed(0),
        'peak of API, MB': peaks[1].toFixed(0),
      };
    });
    rows.push(row);
    console.error(row);
  }
  return rows;
}
