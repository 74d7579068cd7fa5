// Measures what a change of a running campaign costs: npm run bench -- change [recipients]
//
//   how long each change is answered while nearly all recipients are pending
//   what was posted in twenty seconds before the change of the text, and in the twenty seconds that begin ten seconds after
//   how many messages arrived at the gateway with the former text after the response, and how many POSTs were under way
//   then: nothing takes back a POST that has left
//
// The gateway releases up to 200 messages a second, which no account may: at the usual two a second nothing would show.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { ask, delivered, ID_INSTANCE, startCampaign, startStand } from './campaign-stand.js';

const RECIPIENTS = 1_000_000;
const DELAY_MS = 100;
const SPEED = 20;
const HIGH_WATER = 20;
const WINDOW_MS = 20_000;
const AFTER_MS = 10_000;
/** Of each change, after the measured one. */
const TIMES = 5;
const TEXT = 'Hello {{name}}, the garden opens on Saturday.';
const CAMPAIGN = '/v1/campaigns/change';

/**
 * @param {number} [recipients]
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureChange(recipients = RECIPIENTS) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  const postgres = await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] });
  const stand = await startStand({ dir, delayMs: DELAY_MS, lifted: true, databaseUrl: postgres.url });
  try {
    await ask(`${stand.simulatorUrl}/_sim/clock`, 'POST', { speed: SPEED });
    await startCampaign(stand, { id: 'change', recipients, highWater: HIGH_WATER });
    await delay(WINDOW_MS);
    const before = await releasedIn(stand, WINDOW_MS);
    const text = await change(stand, { content: { kind: 'text', text: TEXT } });
    const arrived = await arrivedAt(stand);
    await delay(AFTER_MS);
    const after = await releasedIn(stand, WINDOW_MS);
    const former = (await delivered(stand)).filter(
      ({ idMessage, text: shown = '' }) => !arrived.has(idMessage) && !shown.endsWith('Saturday.'),
    );
    /** @type {Record<string, (time: number) => unknown>} */
    const again = {
      text: (time) => ({ content: { kind: 'text', text: `${TEXT} ${time}` } }),
      'sending windows': (time) => ({
        sendingWindows: {
          timezone: 'UTC',
          windows: [{ from: '00:00', until: '00:00' }],
          holidays: [`20${time + 30}-01-01`],
        },
      }),
      limits: (time) => ({ limits: { perDay: 1_000_000 - time } }),
      deadline: (time) => ({ deadline: new Date(Date.now() + (2 + time) * 86_400_000).toISOString() }),
    };
    /** @type {Record<string, string>[]} */
    const rows = [];
    for (const speed of [SPEED, 1]) {
      await ask(`${stand.simulatorUrl}/_sim/clock`, 'POST', { speed });
      await delay(AFTER_MS);
      for (const [what, asked] of Object.entries(again)) {
        /** @type {number[]} */
        const times = [];
        for (let time = 1; time <= TIMES; time += 1) times.push((await change(stand, asked(speed + time))).ms);
        const [median, slowest] = [times.toSorted((a, b) => a - b)[(TIMES - 1) / 2], Math.max(...times)];
        const pace = `${(speed * 1_000) / DELAY_MS} messages/s`;
        rows.push(row(`${TIMES} changes of the ${what} at ${pace}, ms: median, slowest`, `${median}, ${slowest}`));
      }
    }
    const { counts } = await ask(`${stand.apiUrl}${CAMPAIGN}`);
    return [
      row('recipients pending at the end', String(counts.pending)),
      row('first change of the text, ms', String(text.ms)),
      ...rows,
      row('released in 20 s before', String(before)),
      row('released in 20 s, from 10 s after', String(after)),
      row('after ÷ before', (after / before).toFixed(3)),
      row('former text after the change', String(former.length)),
      row('under way at the change', String(text.sending)),
    ];
  } finally {
    await stand.close();
    await postgres.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {number} ms
 */
async function releasedIn(stand, ms) {
  const before = (await delivered(stand)).length;
  await delay(ms);
  return (await delivered(stand)).length - before;
}

/**
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {unknown} asked
 * @returns {Promise<{ ms: number, sending: number }>} milliseconds until the response, and the POSTs under way
 */
async function change({ apiUrl }, asked) {
  const begunMs = performance.now();
  const { counts } = await ask(`${apiUrl}${CAMPAIGN}`, 'PATCH', asked);
  return { ms: Math.round(performance.now() - begunMs), sending: counts.sending };
}

/**
 * @param {import('./campaign-stand.js').Stand} stand
 * @returns {Promise<ReadonlySet<string>>} the ids of the messages that are in the gateway's queue or have left it
 */
async function arrivedAt(stand) {
  /** @type {{ queue: { ids: string[] }[] }} */
  const { queue } = await ask(`${stand.simulatorUrl}/_sim/instances/${ID_INSTANCE}`);
  const left = (await delivered(stand)).map(({ idMessage }) => idMessage);
  return new Set([...queue.flatMap(({ ids }) => ids), ...left]);
}

/** @param {string} what @param {string} value */
function row(what, value) {
  return { '': what, value };
}
