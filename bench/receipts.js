// Measures how many receipts a second the receiver accepts, each answered after its commit, and how soon they are
// applied: from 100 instances at once, as a gateway pushes them (one after the other for each instance), and from one
// instance. Uses PostgreSQL with fsync and a separate `everpost api`, which needs no Temporal for it.
import { connect } from 'node:net';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { atRest } from '../dist/codec/at-rest.js';
import { openLedger } from '../dist/ledger/index.js';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { seedAccepted } from './accepted-messages.js';
import { startProgram } from './dev.js';
import { quantile } from './table.js';

const INSTANCES = 100;
const STATUSES = ['sent', 'delivered', 'read'];
/** The first receipts include compilation and new connections, and are not counted. */
const WARM_UP = 5;
const SERIAL_MESSAGES = 500;
const DONE_WITHIN_MS = 120_000;
const TOKEN = 'receipts-bench-token';
/** An address without a listener. */
const NOWHERE = '127.0.0.1:9';
/** Ticks of the kernel in a second, on every Linux. */
const TICKS = 100;

/** @typedef {{ number: number, messages: readonly string[] }} Source  an instance with the gateway's ids of its messages */

/**
 * @param {string} scratchDir
 * @param {number} [messages]  of each instance
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureReceipts(scratchDir, messages = 100) {
  const instancesFile = join(scratchDir, 'instances.json');
  await writeFile(instancesFile, JSON.stringify(instances()));
  const postgres = await startPostgres({ settings: ['fsync=on', 'full_page_writes=on', 'shared_buffers=256MB'] });
  try {
    const databaseUrl = postgres.url;
    const sources = await seed(databaseUrl, messages + WARM_UP, SERIAL_MESSAGES);
    const api = await startProgram(['api', '--http-port', '0'], {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: NOWHERE,
      EVERPOST_INSTANCES_FILE: instancesFile,
    });
    try {
      const { port } = new URL(api.facts['apiUrl'] ?? '');
      const stand = { port: Number(port), databaseUrl, pid: api.pid };
      const rows = [];
      for (const [senders, pushed] of partsOf(sources, messages)) {
        if (senders === 'warm-up') await push(stand, pushed);
        else rows.push({ senders, ...(await measure(stand, pushed)) });
      }
      return rows;
    } finally {
      await api.end('SIGTERM');
    }
  } finally {
    await postgres.close();
  }
}

/**
 * @param {readonly Source[]} sources
 * @param {number} messages
 * @returns {[string, Source[]][]}  the parts that are pushed one after the other; each message is in one part
 */
function partsOf(sources, messages) {
  /** @param {number} from @param {number} [to] */
  const part = (from, to) => sources.map((source) => ({ ...source, messages: source.messages.slice(from, to) }));
  return [
    ['warm-up', part(0, WARM_UP)],
    ['one', part(WARM_UP + messages).slice(0, 1)],
    [`${INSTANCES} instances`, part(WARM_UP, WARM_UP + messages)],
  ];
}

/** @typedef {{ port: number, databaseUrl: string, pid: number }} Stand */

/**
 * @param {Stand} stand
 * @param {readonly Source[]} sources
 */
async function measure(stand, sources) {
  const client = new Client(stand.databaseUrl);
  await client.connect();
  try {
    const before = await cpuSeconds(client, stand.pid);
    const startedMs = performance.now();
    const waits = await push(stand, sources);
    const pushedMs = performance.now() - startedMs;
    await untilApplied(client);
    const appliedMs = performance.now() - startedMs;
    const after = await cpuSeconds(client, stand.pid);
    const count = waits.length;
    /** @param {number} seconds */
    const each = (seconds) => `${((seconds * 1_000) / count).toFixed(2)} ms`;
    return {
      receipts: String(count),
      'answered a second': ((count * 1_000) / pushedMs).toFixed(0),
      'applied a second': ((count * 1_000) / appliedMs).toFixed(0),
      median: `${quantile(waits, 0.5).toFixed(1)} ms`,
      p99: `${quantile(waits, 0.99).toFixed(1)} ms`,
      'CPU everpost': each(after.everpost - before.everpost),
      'CPU PostgreSQL': each(after.postgres - before.postgres),
    };
  } finally {
    await client.end();
  }
}

/**
 * Pushes all sources at once, and the messages of each source one after the other on one connection.
 * @param {Stand} stand
 * @param {readonly Source[]} sources
 * @returns {Promise<number[]>}  how long each waited for its response, in milliseconds
 */
async function push({ port }, sources) {
  const waits = await Promise.all(
    sources.map(async ({ number, messages }) => {
      const pusher = await openPusher(port, `/webhooks/i${number}`);
      /** @type {number[]} */
      const own = [];
      for (const idMessage of messages) {
        for (const status of STATUSES) own.push(await pusher.post(receipt(number, idMessage, status)));
      }
      pusher.close();
      return own;
    }),
  );
  return waits.flat();
}

/**
 * A minimal HTTP client, since it shares the processor with the measured process.
 * @param {number} port
 * @param {string} path
 */
async function openPusher(port, path) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  /** @type {(error?: Error) => void} */
  let answered = () => {};
  let text = '';
  socket.on('error', (error) => answered(error));
  socket.on('close', () => answered(new Error('The connection was closed.')));
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (!text.includes('\r\n\r\n')) return;
    const [line = ''] = text.split('\r\n', 1);
    text = '';
    answered(line.startsWith('HTTP/1.1 200') ? undefined : new Error(`A notification was answered ${line}.`));
  });
  const head =
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${TOKEN}\r\n` +
    'content-type: application/json; charset=utf-8\r\n';
  return {
    /** @param {string} body */
    async post(body) {
      const startedMs = performance.now();
      await new Promise((resolve, reject) => {
        answered = (error) => (error === undefined ? resolve(undefined) : reject(error));
        socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      });
      return performance.now() - startedMs;
    },
    close() {
      answered = () => {};
      socket.destroy();
    },
  };
}

/**
 * Creates messages that the gateway has accepted.
 * @param {string} databaseUrl
 * @param {number} count  of each instance
 * @param {number} more  additional messages of the first instance
 * @returns {Promise<Source[]>}
 */
async function seed(databaseUrl, count, more) {
  const sources = Array.from({ length: INSTANCES }, (_, number) => ({
    number,
    messages: Array.from({ length: count + (number === 0 ? more : 0) }, (_each, at) => idOfMessage(number, at)),
  }));
  const ledger = await openLedger({ databaseUrl }, { atRest: atRest(undefined) });
  try {
    const accepted = sources.flatMap(({ number, messages }) =>
      messages.map((idMessage, at) => ({
        id: /** @type {import('../dist/contract/index.js').MessageId} */ (`msg_${idMessage}`),
        instance: `i${number}`,
        chatId: chatOf(at),
        text: `Message ${at}`,
        idMessage,
      })),
    );
    await seedAccepted(ledger, accepted);
    return sources;
  } finally {
    await ledger.close();
  }
}

/**
 * @param {number} number
 * @param {number} at
 */
function idOfMessage(number, at) {
  return `3EB0${String(number).padStart(3, '0')}${at.toString(16).toUpperCase().padStart(13, '0')}`;
}

/** @param {number} at */
function chatOf(at) {
  return `${15_550_001_000 + at}@c.us`;
}

/**
 * @param {number} number
 * @param {string} idMessage
 * @param {string} status
 */
function receipt(number, idMessage, status) {
  return JSON.stringify({
    typeWebhook: 'outgoingMessageStatus',
    instanceData: { idInstance: idOf(number), wid: '15550000009@c.us', typeInstance: 'whatsapp' },
    timestamp: Math.floor(Date.now() / 1_000),
    chatId: chatOf(number),
    idMessage,
    status,
    sendByApi: true,
  });
}

/** @param {number} number */
function idOf(number) {
  return 1_101_000_001 + number;
}

function instances() {
  return Object.fromEntries(
    Array.from({ length: INSTANCES }, (_, number) => [
      `i${number}`,
      {
        baseUrl: `http://${NOWHERE}`,
        idInstance: String(idOf(number)),
        apiTokenInstance: 'bench',
        webhookToken: TOKEN,
      },
    ]),
  );
}

/** @param {Client} client */
async function untilApplied(client) {
  const startedMs = performance.now();
  for (;;) {
    const { rows } = await client.query('select from pending_notifications limit 1');
    if (rows.length === 0) return;
    if (performance.now() - startedMs > DONE_WITHIN_MS)
      throw new Error(`Receipts are not applied after ${DONE_WITHIN_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * The processor time of the API's process, and of the server with all its connections, from /proc, which only Linux
 * has.
 * @param {Client} client
 * @param {number} pid
 */
async function cpuSeconds(client, pid) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const processes = await processTimes();
  const server = processes.get(rows[0].pid)?.parent;
  const postgres = [...processes].filter(([own, { parent }]) => own === server || parent === server);
  return {
    everpost: processes.get(pid)?.seconds ?? Number.NaN,
    postgres: postgres.reduce((sum, [, { seconds }]) => sum + seconds, 0),
  };
}

async function processTimes() {
  /** @type {Map<number, { parent: number, seconds: number }>} */
  const times = new Map();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) continue;
    // The program's name, in parentheses, may have spaces. After it: state, parent, and nine others before the times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]].map(Number);
    times.set(Number(name), { parent, seconds: (user + system) / TICKS });
  }
  return times;
}
