// Measures what a change of a running campaign costs: npm run bench -- change [recipients]
//
//   how long each change is answered while nearly all recipients are pending
//   what was posted in twenty seconds before the change of the text, and in the twenty seconds that begin ten seconds after
//   how many phones got the former text although its message was posted after the response
//
// The gateway releases up to 200 messages a second, which no account may: at the usual two a second nothing would show.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { ask, delivered, startCampaign, startStand } from './campaign-stand.js';

const RECIPIENTS = 1_000_000;
const DELAY_MS = 100;
const SPEED = 20;
const HIGH_WATER = 20;
const WINDOW_MS = 20_000;
const AFTER_MS = 10_000;
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
    const { nowMs } = await ask(`${stand.simulatorUrl}/_sim/clock`);
    await delay(AFTER_MS);
    const after = await releasedIn(stand, WINDOW_MS);
    const former = (await delivered(stand)).filter(({ at, text: shown = '' }) => {
      // What was in the gateway's queue already had a place among the next twenty.
      return Date.parse(at) > nowMs + HIGH_WATER * DELAY_MS && !shown.endsWith('Saturday.');
    });
    const window = await change(stand, {
      sendingWindows: { timezone: 'UTC', windows: [{ from: '00:00', until: '00:00' }] },
    });
    const limits = await change(stand, { limits: { perDay: 1_000_000 } });
    const deadline = await change(stand, { deadline: new Date(Date.now() + 3 * 86_400_000).toISOString() });
    const { counts } = await ask(`${stand.apiUrl}${CAMPAIGN}`);
    return [
      row('recipients pending at the end', String(counts.pending)),
      row('change of the text, ms', text),
      row('change of the sending windows, ms', window),
      row('change of the limits, ms', limits),
      row('change of the deadline, ms', deadline),
      row('released in 20 s before', String(before)),
      row('released in 20 s, from 10 s after', String(after)),
      row('after ÷ before', (after / before).toFixed(3)),
      row('former text after the change', String(former.length)),
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
 * @returns {Promise<string>} milliseconds until the response
 */
async function change({ apiUrl }, asked) {
  const begunMs = performance.now();
  await ask(`${apiUrl}${CAMPAIGN}`, 'PATCH', asked);
  return (performance.now() - begunMs).toFixed(0);
}

/** @param {string} what @param {string} value */
function row(what, value) {
  return { '': what, value };
}
