// Plays everpost for half an hour on 50 accounts, with everything that senders, recipients, operators and failures do, and
// then accounts for every message and checks whether memory, handles, connections and tables stayed flat.
// docs/guarantees.md#the-soak has what it does and an account. Exits with 0 only if everything is flat and accounted.
//
//   npm run soak                         needs PostgreSQL's programs and, for Temporal, what `everpost dev` needs
//   npm run soak -- --minutes 3 --accounts 14       accounts for messages; too short to say what grows
//   npm run soak -- --minutes 15 --leak memory      or connection: the soak must fail
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createApiClient } from '../dist/client/index.js';
import { controlGateway } from '../dist/testing/index.js';
import { accountFor, untilAllEnded } from './soak/account.js';
import { createCampaigns } from './soak/campaigns.js';
import { checkConnections, checkOpenRuns, checkProcesses, checkTables } from './soak/flat.js';
import { writeSeries } from './soak/picture.js';
import { failuresOf, reportLines } from './soak/report.js';
import { createSampler } from './soak/samples.js';
import { instancesOf, mostRows, receiveEvents, setUpAccounts } from './soak/stage.js';
import { startSystem } from './soak/system.js';
import { createTraffic } from './soak/traffic.js';
import { playTroubles } from './soak/trouble.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    accounts: { type: 'string', default: '50' },
    'per-second': { type: 'string', default: '3' },
    recipients: { type: 'string', default: '120' },
    out: { type: 'string' },
    leak: { type: 'string', default: '' },
  },
});
const lastsMs = Number(values.minutes) * 60_000;
const GUESTS = 2;
const SAMPLE_EVERY_MS = 10_000;
const CAMPAIGN_EVERY_MS = 20_000;
const SCHEDULED = Array.from({ length: 10 }, (_, at) => ({ to: `1555930${1_001 + at}`, name: `Neighbour ${at + 1}` }));
/** Each account has one run, which waits without a timer. */
const QUIET_OPEN_RUNS = Number(values.accounts);
/** The edit window of the last message, and its run's end. */
const QUIET_WITHIN_MS = 150_000;
const QUEUES = ['due_messages', 'outbox', 'pending_notifications'];

const begunAtMs = Date.now();
/** @param {string} line */
const say = (line) => console.log(`${((Date.now() - begunAtMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
const dir = values.out ?? (await mkdtemp(join(tmpdir(), 'everpost-soak-')));
await mkdir(dir, { recursive: true });

const system = await startSystem({ dir, leak: values.leak, say });
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort(new Error(signal)));
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await system.close();
}
process.exit();

async function soak() {
  const accounts = Array.from({ length: Number(values.accounts) }, (_, at) => ({
    name: `account-${at + 1}`,
    idInstance: String(1_101_000_001 + at),
  }));
  const [hosts, guests] = [accounts.slice(0, -GUESTS), accounts.slice(-GUESTS)];
  const token = randomUUID();
  const setGuests = (/** @type {boolean} */ areThere, /** @type {number} */ round) =>
    system.writeInstances(instancesOf(areThere ? accounts : hosts, { baseUrl: system.simulatorUrl, token, round }));
  await setGuests(true, 0);
  await mkdir(join(dir, 'sources', accounts[0]?.name ?? ''), { recursive: true });
  const lines = SCHEDULED.map(({ to, name }) => JSON.stringify({ phone: to, name }));
  await writeFile(join(dir, 'sources', accounts[0]?.name ?? '', 'list.ndjson'), lines.join('\n'));
  await system.start('simulator');
  const gateway = controlGateway(system.simulatorUrl);
  await setUpAccounts(gateway, accounts, { apiUrl: system.apiUrl, token });
  for (const name of /** @type {const} */ (['api', 'worker-1', 'worker-2'])) await system.start(name);
  say(`${accounts.length} accounts, two workers, one API; logs and series in ${dir}`);
  return play({ gateway, hosts, guests, setGuests });
}

/**
 * @typedef {import('./soak/traffic.js').Account} Account
 * @param {{ gateway: import('../dist/testing/index.js').GatewayControl, hosts: readonly Account[], guests: readonly Account[],
 *   setGuests: (areThere: boolean, round: number) => Promise<void> }} stage
 */
async function play({ gateway, hosts, guests, setGuests }) {
  const ending = new AbortController();
  const over = interrupted.signal;
  over.addEventListener('abort', () => ending.abort());
  setMaxListeners(0, ending.signal, over);
  const api = createApiClient({ url: system.apiUrl });
  const traffic = createTraffic({ api, gateway, accounts: hosts, stopping: ending.signal, over });
  const campaigns = createCampaigns(traffic, guests);
  await receiveEvents(traffic, hosts);
  const sampling = new AbortController();
  const sampled = sampleUntil(sampling.signal, () => messagesOf(traffic, campaigns));
  traffic.start(Number(values['per-second']));
  await campaigns.start({ everyMs: CAMPAIGN_EVERY_MS, size: Number(values.recipients), file: 'list.ndjson' });
  const troubles = await playTroubles({ system, gateway, traffic, setGuests }, { lastsMs, stopping: over, say });
  await delay(Math.max(0, begunAtMs + lastsMs - Date.now()), undefined, { signal: over });
  sampling.abort();
  ending.abort();
  const samples = await sampled;
  await writeSeries(dir, samples);
  say('the traffic ends');
  await campaigns.stopSchedules();
  await traffic.ended();
  const resolved = await untilAllEnded(traffic, say);
  say('accounting');
  const account = await accountFor(traffic, campaigns, SCHEDULED);
  const end = await sampleWhenQuiet(() => messagesOf(traffic, campaigns));
  await writeSeries(dir, [...samples, end]);
  const verdicts = [
    ...checkProcesses(samples),
    ...checkConnections(samples),
    ...checkTables(samples, end, mostRows(hosts.length + guests.length, system.starts())),
    ...checkOpenRuns(end, QUIET_OPEN_RUNS),
  ];
  const facts = { account, verdicts, troubles, resolved, counts: traffic.counts };
  const surprises = [...system.surprises, ...traffic.surprises];
  const failures = failuresOf({ ...facts, surprises });
  const report = reportLines({
    ...facts,
    failures,
    minutes: Number(values.minutes),
    seconds: (Date.now() - begunAtMs) / 1_000,
  });
  await writeFile(join(dir, 'account.txt'), `${report.join('\n')}\n`);
  console.log(report.join('\n'));
  await api.close();
  return failures.length === 0;
}

/** @param {AbortSignal} stop  @param {() => number} messages */
async function sampleUntil(stop, messages) {
  const sampler = createSampler(system);
  /** @type {import('./soak/samples.js').Sample[]} */
  const samples = [];
  while (!stop.aborted) {
    samples.push(await sampler.sample(messages()));
    await delay(SAMPLE_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  await sampler.close();
  return samples;
}

/** When the last work and the workflows of the last messages have ended, or after a while. @param {() => number} messages */
async function sampleWhenQuiet(messages) {
  const sampler = createSampler(system);
  const endMs = Date.now() + QUIET_WITHIN_MS;
  try {
    for (;;) {
      const sample = await sampler.sample(messages());
      const left = QUEUES.reduce((sum, name) => sum + (sample.tables?.[name]?.rows ?? 1), 0);
      if (Date.now() > endMs || (left === 0 && (sample.openRuns ?? Infinity) <= QUIET_OPEN_RUNS)) return sample;
      say(`${left} rows of work and ${sample.openRuns} workflows are open`);
      await delay(SAMPLE_EVERY_MS);
    }
  } finally {
    await sampler.close();
  }
}

/**
 * How many messages were requested so far.
 * @param {import('./soak/traffic.js').Traffic} traffic
 * @param {ReturnType<typeof createCampaigns>} campaigns
 */
function messagesOf({ singles }, { campaigns }) {
  return singles.length + campaigns.reduce((sum, { recipients }) => sum + recipients.length, 0);
}
