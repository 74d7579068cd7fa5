// A gateway that accepts every message immediately, in a separate process. Its log is the reference of every
// measurement: `GET /log` returns the number of received messages, which, and when. With a number of milliseconds as
// its argument, each instance has a queue that releases one message in that time: `GET
// /released?fromMs=&toMs=&instance=` counts them. `GET /firsts?afterMs=` returns when each instance received its first
// message after a time.
//
// By IPC, it sends { port } once it listens, and { reached } once it has received as many messages as the last
// { notifyAt } requests.
import { createServer } from 'node:http';

const FIRST_PHONE = 15_550_000_000;
/** The longest journal of the gateway, which covers a whole run in which a worker is killed. */
const JOURNAL_LIMIT = 5_000;
const MINUTE_MS = 60_000;

/** Milliseconds between two messages that leave the queue of an instance. 0: no queue. */
const DELAY_MS = Number(process.argv[2] ?? 0);

/**
 * How long each response to a send takes, by idInstance: a time, and a longer time for every n-th response.
 * @typedef {{ responseMs: number, hangMs?: number, hangEvery?: number }} Slow
 * @type {Readonly<Record<string, Slow>>}
 */
const SLOW = JSON.parse(process.argv[3] ?? '{}');
/** @type {Map<string, number>} sends by instance */
const sends = new Map();

/** @typedef {{ instance: string, idMessage: string, chatId: string, text: string, atMs: number, leavesAtMs: number }} Accepted */

/** @type {Accepted[]} */
const accepted = [];
/** @type {Map<string, Accepted[]>} by instance, in order; the first ones may have left the queue */
const queues = new Map();
let notifyAt = 0;
/** When the gateway received the last request. All times are from the clock of this process. */
const nowMs = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const body = [];
  request.on('data', (chunk) => body.push(chunk));
  request.once('end', () => {
    const url = new URL(request.url ?? '', 'http://gateway');
    response.setHeader('Content-Type', 'application/json');
    const answer = JSON.stringify(responseTo(url, Buffer.concat(body).toString()));
    const ms = responseMs(url.pathname);
    if (ms === 0) response.end(answer);
    else setTimeout(() => response.end(answer), ms);
  });
});

/** @param {string} pathname */
function responseMs(pathname) {
  const [, instance = '', method = ''] = pathname.split('/');
  const slow = SLOW[instance.replace(/^\D+/, '')];
  if (slow === undefined || method !== 'sendMessage') return 0;
  const count = (sends.get(instance) ?? 0) + 1;
  sends.set(instance, count);
  const { hangMs = 0, hangEvery = 0 } = slow;
  // In the middle of each group of `hangEvery` responses.
  return hangEvery > 0 && count % hangEvery === Math.floor(hangEvery / 2) ? hangMs : slow.responseMs;
}

/**
 * @param {URL} url
 * @param {string} body
 */
function responseTo({ pathname, searchParams }, body) {
  if (pathname === '/log') return log(Number(searchParams.get('afterMs')));
  if (pathname === '/released') return released(searchParams);
  if (pathname === '/firsts') return firsts(Number(searchParams.get('afterMs')));
  const [, instance = '', method = ''] = pathname.split('/');
  switch (method) {
    case 'sendMessage':
      return accept(instance, JSON.parse(body));
    case 'showMessagesQueue':
      return waitingIn(instance).map(({ idMessage, chatId, text }) => ({
        messageID: idMessage,
        type: 'sendMessage',
        body: { chatId, message: text },
      }));
    case 'getSettings':
      return { delaySendMessagesMilliseconds: DELAY_MS };
    case 'getStateInstance':
      return { stateInstance: 'authorized' };
    case 'lastOutgoingMessages':
      return journal(Number(searchParams.get('minutes') ?? 1_440));
    default:
      return {};
  }
}

/**
 * @param {string} instance
 * @param {{ chatId: string, message: string }} message
 */
function accept(instance, { chatId, message: text }) {
  const idMessage = `3EB0${String(accepted.length + 1).padStart(16, '0')}`;
  const atMs = nowMs();
  const queue = queues.get(instance) ?? [];
  const message = {
    instance,
    idMessage,
    chatId,
    text,
    atMs,
    leavesAtMs: Math.max(atMs, (queue.at(-1)?.leavesAtMs ?? 0) + DELAY_MS),
  };
  accepted.push(message);
  if (DELAY_MS > 0) queues.set(instance, [...waitingIn(instance), message]);
  if (accepted.length === notifyAt) process.send?.({ reached: notifyAt });
  return { idMessage };
}

/**
 * Keeps the newest message: the next one leaves after it.
 * @param {string} instance
 */
function waitingIn(instance) {
  const now = nowMs();
  return (queues.get(instance) ?? []).filter(({ leavesAtMs }) => leavesAtMs > now);
}

/** @param {URLSearchParams} searchParams  of one instance, or of all */
function released(searchParams) {
  const [fromMs, toMs] = [Number(searchParams.get('fromMs')), Number(searchParams.get('toMs'))];
  const one = searchParams.get('instance');
  const from = one === null ? accepted : accepted.filter(({ instance }) => instance.endsWith(one));
  const count = from.filter(({ leavesAtMs }) => leavesAtMs >= fromMs && leavesAtMs < toMs).length;
  return { count, nowMs: nowMs() };
}

/** @param {number} afterMs */
function firsts(afterMs) {
  const later = accepted.filter(({ atMs }) => atMs > afterMs);
  return [...new Map(later.toReversed().map(({ instance, atMs }) => [instance, atMs])).values()];
}

/** @param {number} minutes */
function journal(minutes) {
  const sinceMs = nowMs() - minutes * MINUTE_MS;
  const shown = accepted.slice(-JOURNAL_LIMIT).filter(({ atMs }) => atMs >= sinceMs);
  return shown.toReversed().map(({ idMessage, chatId, text, atMs }) => ({
    type: 'outgoing',
    idMessage,
    timestamp: Math.floor(atMs / 1_000),
    typeMessage: 'textMessage',
    chatId,
    textMessage: text,
    statusMessage: 'sent',
    sendByApi: true,
  }));
}

/** @param {number} afterMs */
function log(afterMs) {
  const numbers = accepted.map(({ chatId }) => parseInt(chatId, 10) - FIRST_PHONE);
  const distinct = new Set(numbers);
  return {
    posts: accepted.length,
    distinct: distinct.size,
    firstMs: accepted[0]?.atMs,
    lastMs: accepted.at(-1)?.atMs,
    firstAfterMs: accepted.find(({ atMs }) => atMs > afterMs)?.atMs,
    numbers: afterMs > 0 ? [...distinct] : [],
  };
}

process.on('message', (/** @type {{ notifyAt: number }} */ command) => {
  notifyAt = command.notifyAt;
  if (accepted.length >= notifyAt) process.send?.({ reached: notifyAt });
});
// The benchmark has ended, so this process ends too.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
