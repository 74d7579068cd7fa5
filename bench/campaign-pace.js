// How a campaign shares the gateway's queue, in real time: npm run build && node bench/campaign-pace.js
//
//   pace    how near a campaign comes to the pace that the gateway allows: people × delay ÷ time from the start to the last release
//   urgent  how long single messages wait meanwhile, from their request to their release; and how long where all people of the
//           campaign are put into the queue at once, as a plain script does
//
// Not kept quiet: how deep the queue ever was beside the high water mark.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, delivered, queueDepth, postStraight, startCampaign, startStand, untilEnded } from './campaign-stand.js';
import { quantile, table } from './table.js';

const PEOPLE = 500;
const DELAY_MS = 500;
const WATER_MARKS = { highWater: 12, lowWater: 5 };
const URGENT_EVERY_MS = 4_000;
const FIRST_URGENT = 15_559_000_000;
const FIRST_PERSON = 15_550_000_000;
const LOOK_EVERY_MS = 100;
/** The plain script's run needs no real time: everything in it happens inside the simulator. */
const PLAIN_SPEED = 20;

/** @param {number} people */
export async function measurePace(people = PEOPLE) {
  return onStand(async (stand) => {
    await startCampaign(stand, { id: 'pace', people, waterMarks: WATER_MARKS });
    const watched = watchDepth(stand);
    const { startedAt, state } = await untilEnded(stand, 'pace');
    const deepest = await watched.end();
    const releases = (await delivered(stand)).map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b);
    const tookMs = (releases.at(-1) ?? Number.NaN) - Date.parse(startedAt);
    return {
      people: String(people),
      state,
      delivered: String(releases.length),
      'took s': (tookMs / 1_000).toFixed(1),
      'people × delay ÷ time': ((people * DELAY_MS) / tookMs).toFixed(3),
      'deepest queue': `${deepest} of ${WATER_MARKS.highWater}`,
    };
  });
}

/** @param {number} people */
export async function measureUrgent(people = PEOPLE) {
  const count = Math.floor((people * DELAY_MS) / URGENT_EVERY_MS);
  const withEverpost = await onStand(async (stand) => {
    await startCampaign(stand, { id: 'urgent', people, waterMarks: WATER_MARKS });
    const watched = watchDepth(stand);
    const asked = await everySoOften(stand, count, URGENT_EVERY_MS, (number) => {
      const content = { kind: 'text', text: `Your code is ${number}.` };
      const message = { instance: 'main', to: String(FIRST_URGENT + number), content, priority: 'urgent' };
      return ask(`${stand.apiUrl}/v1/messages`, 'POST', message, { 'idempotency-key': `urgent-${number}` });
    });
    await untilEnded(stand, 'urgent');
    const deepest = await watched.end();
    return { name: 'everpost', waits: await waitsOf(stand, asked), deepest };
  });
  const plain = await onStand(
    async (stand) => {
      for (let number = 0; number < people; number += 1)
        await postStraight(stand, FIRST_PERSON + number, 'The garden opens on Friday.');
      const deepest = await queueDepth(stand);
      await ask(`${stand.simulatorUrl}/_sim/clock`, 'POST', { speed: PLAIN_SPEED });
      const asked = await everySoOften(stand, count, URGENT_EVERY_MS / PLAIN_SPEED, (number) =>
        postStraight(stand, FIRST_URGENT + number, `Your code is ${number}.`),
      );
      while ((await queueDepth(stand)) > 0) await delay(LOOK_EVERY_MS);
      return { name: 'all queued at once', waits: await waitsOf(stand, asked), deepest };
    },
    { lifted: true },
  );
  return [withEverpost, plain].map(({ name, waits, deepest }) => ({
    '': name,
    'urgent messages': String(waits.length),
    'waited s, median': seconds(quantile(waits, 0.5)),
    '99th percentile': seconds(quantile(waits, 0.99)),
    bound: name === 'everpost' ? seconds((WATER_MARKS.highWater + 1) * DELAY_MS) : '',
    'deepest queue': String(deepest),
  }));
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
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {number} count
 * @param {number} everyMs
 * @param {(number: number) => Promise<unknown>} request
 * @returns {Promise<Map<string, number>>} when each phone's message was asked for, by the simulator's clock
 */
async function everySoOften(stand, count, everyMs, request) {
  /** @type {Map<string, number>} */
  const asked = new Map();
  const startedMs = performance.now();
  for (let number = 0; number < count; number += 1) {
    await delay(Math.max(0, startedMs + number * everyMs - performance.now()));
    const { nowMs } = await ask(`${stand.simulatorUrl}/_sim/clock`);
    asked.set(`${FIRST_URGENT + number}@c.us`, nowMs);
    await request(number);
  }
  return asked;
}

/**
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {ReadonlyMap<string, number>} asked
 */
async function waitsOf(stand, asked) {
  /** @type {number[]} */
  const waits = [];
  for (const { chatId, at } of await delivered(stand)) {
    const askedMs = asked.get(chatId);
    if (askedMs !== undefined) waits.push(Date.parse(at) - askedMs);
  }
  if (waits.length !== asked.size) throw new Error(`${asked.size} urgent messages, ${waits.length} delivered.`);
  return waits;
}

/** @param {import('./campaign-stand.js').Stand} stand */
function watchDepth(stand) {
  let deepest = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      deepest = Math.max(deepest, await queueDepth(stand));
      await delay(LOOK_EVERY_MS);
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

if (process.argv[1] === import.meta.filename) {
  const [what, people = String(PEOPLE)] = process.argv.slice(2);
  if (what !== 'urgent') console.log(table([await measurePace(Number(people))]));
  if (what !== 'pace') console.log(table(await measureUrgent(Number(people))));
}
