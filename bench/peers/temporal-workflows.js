// Plain Temporal workflows. An activity whose worker died is retried after its start-to-close timeout.
import { continueAsNew, proxyActivities } from '@temporalio/workflow';

const { post } = proxyActivities({ startToCloseTimeout: '10s' });
const { postAll } = proxyActivities({ startToCloseTimeout: '30s' });
const BATCH = 100;
/** Keeps a history below Temporal's limit. */
const BATCHES_A_RUN = 20;

/**
 * One workflow for each message.
 * @param {number} number
 */
export async function message(number) {
  await post(number);
}

/**
 * One activity for each message, 100 at a time.
 * @param {number} from
 * @param {number} messages
 */
export async function activities(from, messages) {
  await inBatches(from, messages, (numbers) => Promise.all(numbers.map((number) => post(number))));
}

/**
 * One activity for each batch of 100 messages.
 * @param {number} from
 * @param {number} messages
 */
export async function batches(from, messages) {
  await inBatches(from, messages, postAll);
}

/**
 * @param {number} from
 * @param {number} messages
 * @param {(numbers: number[]) => Promise<unknown>} send
 */
async function inBatches(from, messages, send) {
  let next = from;
  for (let batch = 0; batch < BATCHES_A_RUN && next < messages; batch += 1) {
    const first = next;
    const size = Math.min(BATCH, messages - first);
    await send(Array.from({ length: size }, (_, at) => first + at));
    next += size;
  }
  if (next < messages) await continueAsNew(next, messages);
}
