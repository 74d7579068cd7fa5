// A job per message. Variants:
//
//   default  the defaults, except the number of concurrent jobs
//   tuned    as the documentation advises for many small jobs: a local queue, and completions in batches
//
// A job whose worker died stays locked for four hours.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { chunks, CONCURRENCY, gateway, serve } from './role.js';

const TUNED = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };

/**
 * @param {string} databaseUrl
 * @param {string} variant
 */
const presetFor = (databaseUrl, variant) => ({
  worker: {
    connectionString: databaseUrl,
    concurrentJobs: CONCURRENCY,
    maxPoolSize: CONCURRENCY + 2,
    ...(variant === 'tuned' ? TUNED : {}),
  },
});
/** Levels of the log that have no line for each job. */
const LOUD = ['error', 'warning'];
const logger = new Logger(() => (level, message) => {
  if (LOUD.includes(level)) console.error(message);
});

await serve({
  client: async ({ messages, databaseUrl = '' }) => {
    const utils = await makeWorkerUtils({ connectionString: databaseUrl });
    await utils.migrate();
    const database = new pg.Client(databaseUrl);
    await database.connect();
    return {
      handOver: async () => {
        for (const numbers of chunks(messages, 1_000)) {
          await utils.addJobs(numbers.map((number) => ({ identifier: 'send', payload: { number } })));
        }
      },
      open: async () =>
        (await database.query('select count(*)::int as open from graphile_worker._private_jobs')).rows[0].open,
      waiting: async () =>
        (
          await database.query("select (payload->>'number')::int as number from graphile_worker._private_jobs")
        ).rows.map(({ number }) => number),
    };
  },
  worker: async ({ gatewayUrl, databaseUrl = '', variant }) => {
    const { post } = gateway(gatewayUrl);
    await run({
      preset: presetFor(databaseUrl, variant),
      taskList: { send: async (payload) => post(payload.number) },
      noHandleSignals: true,
      logger,
    });
  },
});
