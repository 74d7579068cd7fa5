// Measures how the cost of a campaign grows with its size: npm run bench -- size [recipients …]
//
//   campaigns of 1,000, 10,000 and 100,000 recipients at high water mark 20, against a simulator without request limits and
//   with a clock that runs twenty times as fast; each campaign has its own processes
//
// Checks for each campaign that every recipient of the report is on the simulator's phones exactly once. Prints the
// duration, the peak memory of everpost's process (worker and API), and the cost in Temporal. The ledger is PostgreSQL
// if its programs are installed, so that the memory excludes the database; else the embedded one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { ask, delivered, report, startCampaign, startStand, untilEnded } from './campaign-stand.js';
import { temporalCost } from './temporal-cost.js';

const SIZES = [1_000, 10_000, 100_000];
/** Less than in any account, so that the clock need not run so fast that the gateway gives up notifications. */
const DELAY_MS = 100;
const SPEED = 20;
const HIGH_WATER = 20;

/** @param {readonly number[]} sizes */
export async function measureSizes(sizes = SIZES) {
  const rows = [];
  for (const recipients of sizes) rows.push(await measureSize(recipients));
  return rows;
}

/** @param {number} recipients */
async function measureSize(recipients) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  const postgres = await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] }).catch(() => undefined);
  const stand = await startStand({ dir, delayMs: DELAY_MS, lifted: true, databaseUrl: postgres?.url ?? '' });
  try {
    await ask(`${stand.simulatorUrl}/_sim/clock`, 'POST', { speed: SPEED });
    const startedMs = performance.now();
    await startCampaign(stand, { id: 'size', recipients, highWater: HIGH_WATER });
    const importedMs = performance.now();
    const campaign = await untilEnded(stand, 'size', showing(recipients));
    const seconds = (performance.now() - importedMs) / 1_000;
    const { peakMb, cpuSeconds } = await stand.usage();
    const cost = await temporalCost(stand.temporalAddress, `WorkflowId = 'campaign:size'`);
    await eachRecipientOnce(stand, recipients);
    return {
      recipients: recipients.toLocaleString('en-US'),
      state: campaign.state,
      'import s': ((importedMs - startedMs) / 1_000).toFixed(1),
      'campaign s': seconds.toFixed(0),
      'messages/s': (recipients / seconds).toFixed(0),
      'CPU ms a message': ((1_000 * cpuSeconds) / recipients).toFixed(1),
      'peak MB': peakMb.toFixed(0),
      runs: String(cost.runs),
      'actions a message': (cost.actions / recipients).toFixed(4),
      'history bytes a message': (cost.bytes / recipients).toFixed(1),
      'longest run': `${cost.mostEvents} events`,
    };
  } finally {
    await stand.close();
    await postgres?.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** @param {number} recipients */
function showing(recipients) {
  /** @param {import('./campaign-stand.js').Campaign} campaign */
  return ({ state, counts, waiting }) => {
    const { pending = 0, accepted = 0, sent = 0, delivered: received = 0 } = counts;
    console.error(
      `${new Date().toISOString().slice(11, 19)} ${recipients}: ${state}, ${pending} pending, ${accepted} accepted, ${sent} sent, ${received} delivered ${waiting?.code ?? ''}`,
    );
  };
}

/**
 * @param {import('./campaign-stand.js').Stand} stand
 * @param {number} recipients
 */
async function eachRecipientOnce(stand, recipients) {
  /** @type {Map<string, string>} */
  const onPhones = new Map();
  for (const { chatId, idMessage } of await delivered(stand)) {
    if (onPhones.has(chatId)) throw new Error(`${chatId} received the message twice.`);
    onPhones.set(chatId, idMessage);
  }
  let reported = 0;
  for await (const { chatId, state, idMessage } of report(stand, 'size')) {
    reported += 1;
    if (state !== 'delivered' || onPhones.get(chatId) !== idMessage) throw new Error(`Line of ${chatId}: ${state}.`);
  }
  if (reported !== recipients || onPhones.size !== recipients) {
    throw new Error(`${recipients} recipients, ${reported} in the report, ${onPhones.size} phones.`);
  }
}
