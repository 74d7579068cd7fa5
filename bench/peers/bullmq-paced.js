// A queue for each instance, with a limit of one job in each release interval of its gateway.
import { Queue, Worker } from 'bullmq';
import { concurrently, gateway, numbersBelow, serve } from './role.js';

const OPEN = /** @type {const} */ (['waiting', 'active', 'delayed', 'prioritized', 'failed']);

await serve({
  client: async ({ messages, instances = 1, redisPort: port }) => {
    const connection = { host: '127.0.0.1', port };
    const queues = numbersBelow(instances).map((at) => new Queue(nameOf(at), { connection }));
    await Promise.all(queues.map((queue) => queue.waitUntilReady()));
    const each = Math.ceil(messages / instances);
    return {
      handOver: () =>
        concurrently([...queues.entries()], async ([at, queue]) => {
          const numbers = numbersBelow(each).map((number) => at * each + number);
          await queue.addBulk(numbers.map((number) => ({ name: 'send', data: { number } })));
        }),
      open: async () => {
        const counts = await Promise.all(queues.map((queue) => queue.getJobCounts(...OPEN)));
        return counts.flatMap((count) => Object.values(count)).reduce((sum, count) => sum + count, 0);
      },
      waiting: async () => {
        const jobs = await Promise.all(queues.map((queue) => queue.getJobs([...OPEN])));
        return jobs.flat().map(({ data }) => data.number);
      },
    };
  },
  worker: async ({ gatewayUrl, instances = 1, delayMs = 500, redisPort: port }) => {
    const { post } = gateway(gatewayUrl);
    const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
    const limiter = { max: 1, duration: delayMs };
    const workers = numbersBelow(instances).map(
      (at) => new Worker(nameOf(at), ({ data }) => post(data.number, at + 1), { connection, limiter }),
    );
    for (const worker of workers) worker.on('error', (error) => console.error(error));
    await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  },
});

/** @param {number} at */
function nameOf(at) {
  return `instance-${at + 1}`;
}
