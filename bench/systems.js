// The systems that the benchmark compares, in the order of its rows.
import { everpost } from './everpost-system.js';
import { peer, startLoop } from './peer-system.js';

/**
 * @typedef {import('./processes.js').NodeProcess} NodeProcess
 *
 * @typedef {'redis' | 'redis-always' | 'postgres' | 'postgres-counted' | 'temporal'} Need  redis-always: fsync at every
 *   write; postgres-counted: with pg_stat_statements
 *
 * @typedef {object} Servers
 * @property {{ pid: number, port: number, close: () => Promise<void> }} [redis]
 * @property {{ pid: number, url: string, close: () => Promise<void> }} [postgres]
 * @property {{ pid: number, address: string, close: () => Promise<void> }} [temporal]
 *
 * @typedef {object} Running
 * @property {() => Promise<NodeProcess>} startWorker  starts the process that posts; called again after a kill
 * @property {NodeProcess[]} others            the further processes of the system
 * @property {() => Promise<void>} handOver    returns when the system has every message
 * @property {() => Promise<number>} open      the number of messages that the system has not finished
 * @property {() => Promise<{ waiting: number[], unresolved: number[] }>} owned  the numbers of messages that the system
 *   will still send, and of those that it leaves to an operator
 * @property {(numbers: readonly number[]) => Promise<number[]>} [known]  the messages among those that are in no list
 *   that the system still knows as unfinished: a message may be in Temporal before it is in the ledger
 *
 * @typedef {object} System
 * @property {string} name     for --only
 * @property {string} title
 * @property {readonly Need[]} needs
 * @property {(place: { dir: string, gatewayUrl: string, messages: number, servers: Servers }) => Promise<Running>} start
 * @property {string} durable  the data on disk before a POST
 * @property {string} afterKill  the documented effect on a message whose POST was under way
 */

const EVERYSEC = 'the job; a crash of the server or the machine loses up to a second of jobs and of completions';
const EVERPOST_DURABLE = 'message and attempt';
const EVERPOST_AFTER_KILL =
  'not posted again without proof that the gateway has not accepted it; else `unresolved`, for an operator';

/** @type {readonly System[]} */
export const SYSTEMS = [
  {
    name: 'loop',
    title: 'bare undici loop',
    needs: [],
    start: startLoop,
    durable: 'nothing',
    afterKill: 'the restarted loop begins at the first message: all sent messages are sent twice',
  },
  {
    name: 'bullmq-everysec',
    title: 'BullMQ, appendfsync everysec',
    needs: ['redis'],
    start: peer('bullmq'),
    durable: EVERYSEC,
    afterKill: 'posted again, when the job is found stalled (30 to 60 s)',
  },
  {
    name: 'bullmq-always',
    title: 'BullMQ, appendfsync always',
    needs: ['redis-always'],
    start: peer('bullmq'),
    durable: 'the job, and that it is active',
    afterKill: 'posted again, when the job is found stalled (30 to 60 s)',
  },
  {
    name: 'pg-boss',
    title: 'pg-boss, work()',
    needs: ['postgres'],
    start: peer('pg-boss', 'work'),
    durable: 'the job, and that its batch of 100 is active',
    afterKill: 'the batch is posted again, when it expires (15 min)',
  },
  {
    name: 'pg-boss-fetch',
    title: 'pg-boss, fetch() in a loop',
    needs: ['postgres'],
    start: peer('pg-boss', 'fetch'),
    durable: 'the job, and that its batch of 100 is active',
    afterKill: 'the batch is posted again, when it expires (15 min)',
  },
  {
    name: 'graphile-worker',
    title: 'graphile-worker, default',
    needs: ['postgres'],
    start: peer('graphile-worker', 'default'),
    durable: 'the job, and that it is locked',
    afterKill: 'posted again, when its lock expires (4 h)',
  },
  {
    name: 'graphile-worker-tuned',
    title: 'graphile-worker, tuned',
    needs: ['postgres'],
    start: peer('graphile-worker', 'tuned'),
    durable: 'the job, and that it is locked in a local queue of 500',
    afterKill: 'the local queue is posted again, when its locks expire (4 h)',
  },
  {
    name: 'temporal-workflows',
    title: 'Temporal, workflow per message',
    needs: ['temporal'],
    start: peer('temporal', 'message'),
    durable: 'the workflow, and that the activity is scheduled',
    afterKill: 'posted again, when the activity times out (10 s here)',
  },
  {
    name: 'temporal-activities',
    title: 'Temporal, activity per message',
    needs: ['temporal'],
    start: peer('temporal', 'activities'),
    durable: 'that the activity is scheduled',
    afterKill: 'posted again, when the activity times out (10 s here)',
  },
  {
    name: 'temporal-batches',
    title: 'Temporal, activity per 100 messages',
    needs: ['temporal'],
    start: peer('temporal', 'batches'),
    durable: 'that the batch is scheduled',
    afterKill: 'the batch is posted again, when the activity times out (30 s here)',
  },
  .../** @type {const} */ (['pglite', 'postgres']).flatMap((ledger) =>
    /** @type {const} */ (['campaign', 'singles']).map((way) => ({
      name: `everpost-${way}-${ledger}`,
      title: `everpost, ${way === 'singles' ? 'singles by HTTP' : way}, ${ledger === 'pglite' ? 'PGlite' : 'PostgreSQL'}`,
      needs:
        ledger === 'pglite' ? /** @type {const} */ (['temporal']) : /** @type {const} */ (['temporal', 'postgres']),
      start: everpost(way),
      durable: EVERPOST_DURABLE,
      afterKill: EVERPOST_AFTER_KILL,
    })),
  ),
];
