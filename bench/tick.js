// Measures the ledger's side of the dispatcher: messages a second and CPU per message, with one transaction per tick
// for all instances. A timer simulates the gateway. `node bench/tick.js --instances 500 --per 20 --delay 500`
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { atRest } from '../dist/codec/at-rest.js';
import { openLedger } from '../dist/ledger/index.js';
import { startPostgres } from '../test/support/ledger/postgres.js';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '500' },
    per: { type: 'string', default: '40' },
    /** Milliseconds between two messages of an instance; 0: as fast as the window allows. */
    delay: { type: 'string', default: '500' },
    latency: { type: 'string', default: '5' },
    window: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '20' },
  },
});
const [INSTANCES, PER, DELAY] = [Number(values.instances), Number(values.per), Number(values.delay)];
const [LATENCY, WINDOW, SECONDS] = [Number(values.latency), Number(values.window), Number(values.seconds)];
/** Milliseconds between two ticks of a paced run. */
const PACE_MS = 10;
const ROOM = { urgent: 1_000, high: 1_000, normal: 1_000, low: 1_000 };
const INTAKE_AT_ONCE = 1_000;

const server = await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] });
const ledger = await openLedger({ databaseUrl: server.url }, { atRest: atRest(undefined) });
const observer = new Client(server.url);
await observer.connect();

/** @typedef {{ inFlight: Set<string>, nextAt: number, isDry: boolean }} State */
const shifts = Array.from({ length: INSTANCES }, (_, at) => ({
  instance: `i${String(at).padStart(4, '0')}`,
  try: { run: 'bench', shift: 1, attempt: 1 },
  worker: 'bench',
}));
/** @type {Map<string, State>} */
const states = new Map(shifts.map(({ instance }) => [instance, { inFlight: new Set(), nextAt: 0, isDry: false }]));
/** @type {import('../dist/ledger/index.js').Outcome[]} */
let outcomes = [];
/** @type {() => void} */
let wake = () => {};

try {
  await Promise.all(shifts.map((shift) => ledger.dispatch.beginShift(shift, Date.now())));
  const intake = await measured(takeIn);
  await observer.query('analyze');
  const ticks = await measured(dispatchAll);
  console.table({ intake, dispatch: ticks });
} finally {
  await ledger.close();
  await observer.end();
  await server.close();
}

async function takeIn() {
  const names = shifts.map(({ instance }) => instance);
  for (let first = 0; first < INSTANCES * PER; first += INTAKE_AT_ONCE) {
    const count = Math.min(INTAKE_AT_ONCE, INSTANCES * PER - first);
    await Promise.all(Array.from({ length: count }, (_, at) => takeOne(first + at, names)));
  }
  return { messages: INSTANCES * PER };
}

/** @param {number} count @param {readonly string[]} names */
function takeOne(count, names) {
  const nowMs = Date.now();
  const request = {
    instance: names[count % INSTANCES] ?? '',
    chatId: `1555${String(count).padStart(9, '0')}@c.us`,
    content: { kind: /** @type {const} */ ('text'), text: `Your order ${count} is ready` },
  };
  const id = /** @type {import('../dist/contract/index.js').MessageId} */ (`msg_${String(count).padStart(16, '0')}`);
  return ledger.intake.open({ id, requestHash: id, request, expiresAtMs: nowMs + 86_400_000, nowMs });
}

/** Runs until all messages are posted, or the time is over. */
async function dispatchAll() {
  const startedMs = performance.now();
  let [messages, ticks] = [0, 0];
  while (performance.now() - startedMs < SECONDS * 1_000) {
    const wants = wantsAt(performance.now());
    const written = outcomes;
    outcomes = [];
    if (wants.length === 0 && written.length === 0) {
      if ([...states.values()].every(({ isDry, inFlight }) => isDry && inFlight.size === 0)) break;
      await new Promise((resolve) => {
        wake = () => resolve(undefined);
        setTimeout(resolve, 2);
      });
      continue;
    }
    const nowMs = Date.now();
    const { claimed } = await ledger.dispatch.tick({
      wants,
      outcomes: written,
      nowMs,
    });
    ticks += 1;
    messages += claimed.length;
    const served = new Set(claimed.map(({ instance }) => instance));
    for (const { shift } of wants) if (!served.has(shift.instance)) dry(shift.instance);
    for (const attempt of claimed) post(attempt);
    if (DELAY > 0) await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  return { messages, ticks };
}

/** @param {string} instance */
function dry(instance) {
  const state = states.get(instance);
  if (state !== undefined) state.isDry = true;
}

/** @param {number} now */
function wantsAt(now) {
  return shifts.flatMap((shift) => {
    const state = states.get(shift.instance);
    if (state === undefined || state.isDry || state.nextAt > now || state.inFlight.size >= WINDOW) return [];
    state.nextAt = DELAY === 0 ? 0 : Math.max(state.nextAt + DELAY, now - DELAY);
    const free = DELAY === 0 ? WINDOW - state.inFlight.size : 1;
    const deadlines = { postingDeadlineMs: now + 5_000, reconcileAfterMs: now + 35_000 };
    return [{ shift, free, room: ROOM, busyRecipients: [...state.inFlight], lowerFirst: false, ...deadlines }];
  });
}

/** @param {import('../dist/ledger/index.js').DueAttempt} attempt */
function post({ token, instance, chatId = '' }) {
  states.get(instance)?.inFlight.add(chatId);
  setTimeout(() => {
    states.get(instance)?.inFlight.delete(chatId);
    const idMessage = `3EB0${token.replaceAll('-', '').slice(0, 16)}`;
    outcomes.push({ token, outcome: { kind: 'accepted', idMessage, httpStatus: 200 }, atMs: Date.now() });
    wake();
  }, LATENCY);
}

/** @param {() => Promise<{ messages: number, ticks?: number }>} work */
async function measured(work) {
  const [cpu, postgres, wal, startedMs] = [
    process.cpuUsage(),
    await postgresMs(),
    await walPosition(),
    performance.now(),
  ];
  const { messages, ticks } = await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    messages,
    'messages/s': Math.round(messages / seconds),
    'of pace':
      DELAY === 0 || ticks === undefined ? '' : (messages / seconds / ((INSTANCES * 1_000) / DELAY)).toFixed(3),
    'node ms': ((user + system) / 1_000 / messages).toFixed(3),
    'PostgreSQL ms': (((await postgresMs()) - postgres) / messages).toFixed(3),
    'WAL bytes': Math.round(((await walPosition()) - wal) / messages),
    ...(ticks === undefined ? {} : { ticks, 'a tick': (messages / ticks).toFixed(1) }),
  };
}

/** CPU time of all processes of this server, in milliseconds. */
async function postgresMs() {
  const { rows } = await observer.query('select pid from pg_stat_activity');
  return rows.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
}

/** @param {number} pid */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function walPosition() {
  const { rows } = await observer.query(`select (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as at`);
  return Number(rows[0].at);
}
