// Measures how a campaign shares the gateway's queue, in real time: npm run bench -- pace|urgent [recipients] [queued]
//
//   pace    the share of the gateway's pace that a campaign reaches: recipients × delay ÷ time from the start to the
//           last release
//   urgent  how long urgent messages wait from their request to their release: during a campaign, beside thousands of
//           queued messages, and if a plain script puts all recipients of the campaign into the queue at once
//
// Both also print the greatest depth of the queue and the high water mark.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, delivered, queueDepth, postStraight, startCampaign, startStand, untilEnded } from './campaign-stand.js';
import { quantile } from './table.js';

const RECIPIENTS = 500;
const DELAY_MS = 500;
const HIGH_WATER = 12;
const QUEUED = 10_000;
const CALLERS = 16;
const URGENT_EVERY_MS = 4_000;
const FIRST_URGENT = 15_559_000_000;
const FIRST_QUEUED = 15_560_000_000;
const FIRST_RECIPIENT = 15_550_000_000;
const POLL_EVERY_MS = 100;
/** The run of the plain script needs no real time, because only the simulator takes part. */
const PLAIN_SPEED = 20;

/** @param {number} recipients */
export async function measurePace(recipients = RECIPIENTS) {
  return onStand(async (stand) => {
    await startCampaign(stand, { id: 'pace', recipients, highWater: HIGH_WATER });
    const watched = watchDepth(stand);
    const { startedAt, state } = await untilEnded(stand, 'pace');
    const deepest = await watched.end();
    const releases = (await delivered(stand)).map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b);
    const tookMs = (releases.at(-1) ?? Number.NaN) - Date.parse(startedAt);
    return {
      recipients: String(recipients),
      state,
      delivered: String(releases.length),
      'took s': (tookMs / 1_000).toFixed(1),
      'recipients × delay ÷ time': ((recipients * DELAY_MS) / tookMs).toFixed(3),
      'deepest queue': `${deepest} of ${HIGH_WATER}`,
    };
  });
}

/**
 * @param {number} [recipients]
 * @param {number} [queued]  single messages of the same account that wait before the campaign begins
 */
export async function measureUrgent(recipients = RECIPIENTS, queued = QUEUED) {
  const count = Math.floor((recipients * DELAY_MS) / URGENT_EVERY_MS);
  const withEverpost = await onStand(async (stand) => {
    await queueSingles(stand, queued);
    await startCampaign(stand, { id: 'urgent', recipients, highWater: HIGH_WATER });
    const watched = watchDepth(stand);
    const asked = await everySoOften(stand, count, URGENT_EVERY_MS, (number) => {
      const content = { kind: 'text', text: `Your code is ${number}.` };
      const message = { instance: 'main', to: String(FIRST_URGENT + number), content, priority: 'urgent' };
      return ask(`${stand.apiUrl}/v1/messages`, 'POST', message, { 'idempotency-key': `urgent-${number}` });
    });
    await untilEnded(stand, 'urgent');
    const deepest = await watched.end();
    const { dispatcher } = await ask(`${stand.apiUrl}/v1/instances/main`);
    const inQueue = await waitsOf(stand, await acceptedOf(stand, asked));
    const bound = seconds((HIGH_WATER + dispatcher.window + 2) * DELAY_MS);
    const name = `everpost, beside ${queued} queued`;
    return { name, waits: await waitsOf(stand, asked), inQueue, deepest, bound };
  });
  const plain = await onStand(
    async (stand) => {
      for (let number = 0; number < recipients; number += 1)
        await postStraight(stand, FIRST_RECIPIENT + number, 'The garden opens on Friday.');
      const deepest = await queueDepth(stand);
      await ask(`${stand.simulatorUrl}/_sim/clock`, 'POST', { speed: PLAIN_SPEED });
      const asked = await everySoOften(stand, count, URGENT_EVERY_MS / PLAIN_SPEED, (number) =>
        postStraight(stand, FIRST_URGENT + number, `Your code is ${number}.`),
      );
      while ((await queueDepth(stand)) > 0) await delay(POLL_EVERY_MS);
      const waits = await waitsOf(stand, asked);
      return { name: 'all queued at once', waits, inQueue: waits, deepest, bound: '' };
    },
    { lifted: true },
  );
  return [withEverpost, plain].map(({ name, waits, inQueue, deepest, bound }) => ({
    '': name,
    'urgent messages': String(waits.length),
    'waited s, median': seconds(quantile(waits, 0.5)),
    '99th percentile': seconds(quantile(waits, 0.99)),
    "longest in the gateway's queue": seconds(Math.max(...inQueue)),
    '(high water mark + window + 2) × delay': bound,
    'deepest queue': String(deepest),
  }));
}

/**
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {number} count
 */
async function queueSingles({ apiUrl }, count) {
  let next = 0;
  const caller = async () => {
    while (next < count) {
      const number = next++;
      const content = { kind: 'text', text: `Your order ${number} is ready.` };
      const message = { instance: 'main', to: String(FIRST_QUEUED + number), content };
      await ask(`${apiUrl}/v1/messages`, 'POST', message, { 'idempotency-key': `queued-${number}` });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

/**
 * @template Result
 * @param {(stand: import('./campaign-stand.js').Stand) => Promise<Result>} measure
 * @param {{ lifted?: boolean }} [options]
 */
async function onStand(measure, { lifted = false } = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  const stand = await startStand({ dir, delayMs: DELAY_MS, lifted });
  try {
    return await measure(stand);
  } finally {
    await stand.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * @typedef {{ atMs: number, id: string | undefined }} Asked  the time of the request, by the simulator's clock, and
 *   everpost's id
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {number} count
 * @param {number} everyMs
 * @param {(number: number) => Promise<{ id: string } | void>} request
 * @returns {Promise<Map<string, Asked>>} by phone
 */
async function everySoOften(stand, count, everyMs, request) {
  /** @type {Map<string, Asked>} */
  const asked = new Map();
  const startedMs = performance.now();
  for (let number = 0; number < count; number += 1) {
    await delay(Math.max(0, startedMs + number * everyMs - performance.now()));
    const { nowMs } = await ask(`${stand.simulatorUrl}/_sim/clock`);
    const begun = await request(number);
    asked.set(`${FIRST_URGENT + number}@c.us`, { atMs: nowMs, id: begun?.id });
  }
  return asked;
}

/**
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {ReadonlyMap<string, Pick<Asked, 'atMs'>>} asked
 */
async function waitsOf(stand, asked) {
  /** @type {number[]} */
  const waits = [];
  for (const { chatId, at } of await delivered(stand)) {
    const since = asked.get(chatId);
    if (since !== undefined) waits.push(Date.parse(at) - since.atMs);
  }
  if (waits.length !== asked.size) throw new Error(`${asked.size} urgent messages, ${waits.length} delivered.`);
  return waits;
}

/**
 * The times of acceptance by everpost's clock, which equals the simulator's at normal speed.
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {ReadonlyMap<string, Asked>} asked
 */
async function acceptedOf({ apiUrl }, asked) {
  /** @type {Map<string, { atMs: number }>} */
  const accepted = new Map();
  for (const [chatId, { id }] of asked) {
    const { acceptedAt } = await ask(`${apiUrl}/v1/messages/${id}`);
    accepted.set(chatId, { atMs: Date.parse(acceptedAt) });
  }
  return accepted;
}

/** @param {import('./campaign-stand.js').Stand} stand */
function watchDepth(stand) {
  let deepest = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      deepest = Math.max(deepest, await queueDepth(stand));
      await delay(POLL_EVERY_MS);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await watching;
      return deepest;
    },
  };
}

/** @param {number} ms */
function seconds(ms) {
  return (ms / 1_000).toFixed(1);
}
