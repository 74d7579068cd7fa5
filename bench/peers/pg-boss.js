// A job per message, fetched 100 at a time. Variants:
//
//   work   work() of pg-boss, which polls every 0.5 s, the shortest interval that it allows
//   fetch  fetch() and complete() in a loop, without a pause while there are jobs
//
// A job whose worker died is active until it expires: 15 minutes by default.
import PgBoss from 'pg-boss';
import pg from 'pg';
import { chunks, concurrently, gateway, serve } from './role.js';

const QUEUE = 'messages';
const BATCH = 100;
const IDLE_MS = 500;
const OPEN = "from pgboss.job where name = 'messages' and state <> 'completed'";

/** @param {string | undefined} databaseUrl */
async function start(databaseUrl = '') {
  const boss = new PgBoss(databaseUrl);
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);
  return boss;
}

await serve({
  client: async ({ messages, databaseUrl }) => {
    const boss = await start(databaseUrl);
    const database = new pg.Client(databaseUrl);
    await database.connect();
    return {
      handOver: async () => {
        for (const numbers of chunks(messages, 1_000)) {
          await boss.insert(numbers.map((number) => ({ name: QUEUE, data: { number } })));
        }
      },
      open: async () => (await database.query(`select count(*)::int as open ${OPEN}`)).rows[0].open,
      waiting: async () =>
        (await database.query(`select (data->>'number')::int as number ${OPEN}`)).rows.map(({ number }) => number),
    };
  },
  worker: async ({ gatewayUrl, databaseUrl, variant }) => {
    const { post } = gateway(gatewayUrl);
    const boss = await start(databaseUrl);
    if (variant === 'work') {
      await boss.work(QUEUE, { batchSize: BATCH, pollingIntervalSeconds: 0.5 }, (jobs) =>
        concurrently(jobs, ({ data }) => post(data.number)),
      );
      return;
    }
    const fetchInTurn = async () => {
      for (;;) {
        const jobs = await boss.fetch(QUEUE, { batchSize: BATCH });
        if (jobs.length === 0) {
          await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
          continue;
        }
        await concurrently(jobs, ({ data }) => post(data.number));
        await boss.complete(
          QUEUE,
          jobs.map(({ id }) => id),
        );
      }
    };
    void fetchInTurn();
  },
});
