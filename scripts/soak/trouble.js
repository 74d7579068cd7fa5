// What goes wrong during a soak. worker-1 and the API are killed only at its beginning and at its end: between, they live
// through every outage, so that what an outage leaves behind adds up. worker-2 is killed and restarted meanwhile.
import { setTimeout as delay } from 'node:timers/promises';

const AWAY_MS = 4_000;
const PHONE_AWAY_MS = 15_000;
const WRONG_RESPONSES = 20;

/**
 * @typedef {{ system: import('./system.js').System, gateway: import('../../dist/testing/index.js').GatewayControl,
 *   traffic: import('./traffic.js').Traffic, setGuests: (areThere: boolean, round: number) => Promise<void> }} Stage
 * @typedef {readonly [name: string, play: (stage: Stage, round: number) => Promise<unknown>]} Trouble
 */

/** @type {readonly Trouble[]} */
const OPENING = [
  ['API killed', ({ system }) => system.kill('api')],
  ['worker-1 killed', ({ system }) => system.kill('worker-1')],
];

/** @type {readonly Trouble[]} */
const MIDDLE = [
  ['worker-2 killed', ({ system }) => system.kill('worker-2')],
  [
    'responses lost',
    ({ gateway, traffic }) => traffic.gatewayTakes(() => gateway.addFault(fault({ kind: 'lose-answer' }))),
  ],
  ["Temporal's server killed", ({ system }) => system.killTemporal(AWAY_MS)],
  ['accounts taken away', ({ setGuests }, round) => setGuests(false, round)],
  [
    'gateway away',
    ({ gateway, traffic }) => traffic.gatewayTakes(() => gateway.ask('POST', 'outage', { ms: AWAY_MS })),
  ],
  ['PostgreSQL crashed', ({ system }) => system.crashPostgres(AWAY_MS)],
  ['worker-2 restarted with other settings', ({ system }) => system.restart('worker-2')],
  ['accounts added, settings changed', ({ setGuests }, round) => setGuests(true, round)],
  [
    'gateway responds 503',
    ({ gateway, traffic }) =>
      traffic.gatewayTakes(() => gateway.addFault(fault({ kind: 'status', status: 503, accepted: false }))),
  ],
  ['simulator killed', ({ system }) => system.kill('simulator')],
  ['phones away', phonesAway],
];

/** @type {readonly Trouble[]} */
const CLOSING = [
  ['worker-1 restarted with other settings', ({ system }) => system.restart('worker-1')],
  ['API restarted with other settings', ({ system }) => system.restart('api')],
  ['worker-1 killed', ({ system }) => system.kill('worker-1')],
  ['API killed', ({ system }) => system.kill('api')],
];

/** The share of the time before worker-1 and the API live on, and the share after which they end. */
const LIVE_FROM = 0.06;
const LIVE_UNTIL = 0.92;
/** The least time from one to the next. */
const APART_MS = 5_000;
const USUALLY_APART_MS = 60_000;

/**
 * @param {Stage} stage
 * @param {{ lastsMs: number, stopping: AbortSignal, say: (line: string) => void }} options
 * @returns {Promise<Record<string, number>>} how often each happened
 */
export async function playTroubles(stage, { lastsMs, stopping, say }) {
  const beganMs = Date.now();
  /** @type {Record<string, number>} */
  const counts = {};
  /** @param {Trouble} trouble  @param {number} round */
  async function play([name, happen], round) {
    say(name);
    await happen(stage, round);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const until = (/** @type {number} */ atMs) =>
    delay(Math.max(0, beganMs + atMs - Date.now()), undefined, { signal: stopping });

  await until((lastsMs * LIVE_FROM) / 2);
  for (const trouble of OPENING) await play(trouble, 0);
  await until(lastsMs * LIVE_FROM);
  const middleMs = lastsMs * (LIVE_UNTIL - LIVE_FROM);
  const apartMs = Math.max(APART_MS, Math.min(USUALLY_APART_MS, middleMs / (MIDDLE.length + 1)));
  for (let at = 0; Date.now() - beganMs < lastsMs * LIVE_UNTIL - apartMs; at += 1) {
    const trouble = MIDDLE[at % MIDDLE.length];
    if (trouble !== undefined) await Promise.all([play(trouble, Math.floor(at / MIDDLE.length)), delay(apartMs)]);
  }
  await until(lastsMs * LIVE_UNTIL);
  for (const trouble of CLOSING) await play(trouble, 0);
  await stage.setGuests(true, 0);
  return counts;
}

/** @param {Stage} stage  @param {number} round */
async function phonesAway({ gateway, traffic }, round) {
  const phones = [1, 2, 3].map((at) => traffic.accountAt(3 * round + at));
  const set = async (/** @type {string} */ state) => {
    for (const { idInstance } of phones)
      await traffic.gatewayTakes(() => gateway.ask('PATCH', `instances/${idInstance}`, { state }));
  };
  await set('notAuthorized');
  await delay(PHONE_AWAY_MS);
  await set('authorized');
}

/** @param {import('../../dist/testing/index.js').FaultRequest} what */
const fault = (what) => ({ method: 'sendMessage', times: WRONG_RESPONSES, ...what });
