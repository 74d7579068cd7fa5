// A job per message. With BullMQ's defaults, a job whose worker died is found stalled after 30 to 60 s and runs again.
import { Queue, Worker } from 'bullmq';
import { chunks, CONCURRENCY, gateway, serve } from './role.js';

const QUEUE = 'messages';
const OPEN = /** @type {const} */ (['waiting', 'active', 'delayed', 'prioritized', 'failed']);

await serve({
  client: async ({ messages, redisPort: port }) => {
    const queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port } });
    await queue.waitUntilReady();
    return {
      handOver: async () => {
        for (const numbers of chunks(messages, 1_000)) {
          await queue.addBulk(numbers.map((number) => ({ name: 'send', data: { number } })));
        }
      },
      open: async () => Object.values(await queue.getJobCounts(...OPEN)).reduce((sum, count) => sum + count, 0),
      waiting: async () => (await queue.getJobs([...OPEN])).map(({ data }) => data.number),
    };
  },
  worker: async ({ gatewayUrl, redisPort: port }) => {
    const { post } = gateway(gatewayUrl);
    const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
    const worker = new Worker(QUEUE, ({ data }) => post(data.number), { connection, concurrency: CONCURRENCY });
    worker.on('error', (error) => console.error(error));
    await worker.waitUntilReady();
  },
});
