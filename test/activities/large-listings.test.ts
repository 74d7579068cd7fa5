/** SHARED-1, SHARED-2: a gateway whose queue and journal list ten thousand messages of other tools. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { reconcileActivity, reconcileRound } from '../../src/activities/index.js';
import { LONGEST_UNKNOWN_MS, type MessageId } from '../../src/contract/index.js';
import { fixedInstances, simulatorInstance } from '../../src/config/index.js';
import { createGateway, type GatewayOptions } from '../../src/gateway/index.js';
import { Cast, MINUTE, NOW } from '../ledger/cast.js';
import { aDatabase } from '../support/ledger/ledger.js';
import { OPEN_GATE } from '../support/stack.js';

const ITEMS = 10_000;
const MESSAGES = 20;
/** A reading a second while the outcome of an earlier message was unknown. */
const STORED = 60;
const TIMES = { postingDeadlineMs: 1_000, gatewayTimeoutMs: 30_000, settleTimeMs: 1_000, editConfirmTimeoutMs: 1_000 };

const queued = Array.from({ length: ITEMS }, (_, at) => ({
  type: 'sendMessage',
  messageID: `3EB0FOREIGN${at}`,
  body: { chatId: `1555${String(at).padStart(7, '0')}@c.us`, message: `Order ${at} is on its way. `.repeat(10) },
}));
const sent = queued.map(({ messageID: idMessage, body: { chatId, message } }, at) => ({
  type: 'outgoing',
  idMessage: `${idMessage}J`,
  timestamp: Math.floor(NOW / 1_000) - at,
  typeMessage: 'textMessage',
  chatId,
  textMessage: message,
  sendByApi: true,
}));

async function aLargeGateway(instance: string, limits: Pick<GatewayOptions, 'maxResponseBytes'>) {
  const requests: string[] = [];
  const bodies = { showMessagesQueue: JSON.stringify(queued), lastOutgoingMessages: JSON.stringify(sent) };
  const server = createServer((request, response) => {
    const operation = (request.url ?? '').split('/')[2] ?? '';
    requests.push(operation);
    response.setHeader('content-type', 'application/json');
    response.end(operation in bodies ? bodies[operation as keyof typeof bodies] : '{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const instances = fixedInstances([{ ...simulatorInstance(baseUrl), name: instance }]);
  const clock = { nowMs: () => NOW + 5 * MINUTE };
  const gateway = createGateway({ instances, clock, gate: OPEN_GATE, gatewayTimeoutMs: 30_000, ...limits });
  onTestFinished(async () => {
    await gateway.close();
    server.closeAllConnections();
    server.close();
  });
  const counts = () =>
    ['showMessagesQueue', 'lastOutgoingMessages'].map((name) => requests.filter((one) => one === name).length);
  return { gateway, clock, counts };
}

async function aWorldInDoubt(limits: Pick<GatewayOptions, 'maxResponseBytes'> = {}) {
  const { db, ledger, close } = await aDatabase();
  onTestFinished(close);
  const c = new Cast(ledger);
  const ids: MessageId[] = [];
  for (let at = 0; at < MESSAGES; at += 1) {
    const { id, token } = await c.posting();
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    ids.push(id);
  }
  const { gateway, clock, counts } = await aLargeGateway(c.instance, limits);
  const deps = { ledger, gateway, clock, times: TIMES, timesOf: () => TIMES };
  await reconcileActivity(deps)({ messageId: ids[0]! }).catch(() => undefined);
  await sql`insert into queue_readings (instance, begun_at, ended_at, length, items, unchanged_since, stands_still)
    select instance, begun_at, ended_at, length, items, unchanged_since, stands_still from queue_readings, generate_series(2, ${STORED})`.execute(
    db,
  );
  return { ids, deps, counts, ledger };
}

/** The longest time in which the process did nothing else, and how much memory it needed on top. */
async function measured(work: () => Promise<unknown>) {
  const before = process.memoryUsage().heapUsed;
  let most = before;
  const delays = monitorEventLoopDelay({ resolution: 5 });
  const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().heapUsed)), 10);
  delays.enable();
  await work();
  delays.disable();
  clearInterval(watching);
  return { blockedMs: delays.max / 1e6, megabytes: (most - before) / 2 ** 20 };
}

/** A machine that runs other tests beside this one needs several times as long. Per message it took 3 s and 2.5 GB. */
const MOST_BLOCKED_MS = 1_500;
const MOST_MEGABYTES = 600;

it('SHARED-1 are read and compared once for the unknown messages that are polled together', async () => {
  const { ids, deps, counts } = await aWorldInDoubt();
  const [queues = 0, journals = 0] = counts();
  const reconcile = reconcileActivity(deps);
  const undecided: unknown[] = [];
  const { blockedMs, megabytes } = await measured(() =>
    Promise.all(ids.map((messageId) => reconcile({ messageId }).catch((error: unknown) => undecided.push(error)))),
  );
  expect(undecided).toHaveLength(MESSAGES);
  const [queuesNow = 0, journalsNow = 0] = counts();
  expect(queuesNow - queues).toBeLessThanOrEqual(2);
  // Each asks when it has compared the queue, some of them while the journal is being read.
  expect(journalsNow - journals).toBeLessThanOrEqual(MESSAGES / 4);
  expect(blockedMs).toBeLessThan(MOST_BLOCKED_MS);
  expect(megabytes).toBeLessThan(MOST_MEGABYTES);
});

it('SHARED-2 are read once for the unresolved messages of a round', async () => {
  const { ids, deps, counts, ledger } = await aWorldInDoubt();
  for (const id of ids) {
    const attempt = await ledger.reconciling.attempt(id);
    if (attempt !== undefined) await ledger.reconciling.markUnresolved(attempt, 'no_reading', NOW);
  }
  const [queues = 0, journals = 0] = counts();
  const reconcile = reconcileRound(deps);
  const { blockedMs, megabytes } = await measured(async () => {
    for (const messageId of ids) await reconcile({ messageId });
  });
  expect(counts()).toEqual([queues + 1, journals + 1]);
  expect(blockedMs).toBeLessThan(MOST_BLOCKED_MS);
  expect(megabytes).toBeLessThan(MOST_MEGABYTES);
});

it('a listing above the limit is no evidence, and the message says so', async () => {
  const { ids, deps, ledger } = await aWorldInDoubt({ maxResponseBytes: 1_000_000 });
  const [messageId] = ids;
  const late = { nowMs: () => NOW + LONGEST_UNKNOWN_MS + 5 * MINUTE };
  await reconcileActivity({ ...deps, clock: late })({ messageId: messageId! });
  const view = await ledger.views.message(messageId!, NOW);
  expect(view).toMatchObject({ state: 'unresolved', reason: 'no_reading' });
  expect(view?.evidence.at(-1)?.detail).toMatchObject({
    unavailable: ['showMessagesQueue', 'lastOutgoingMessages'].map((witness) => ({
      witness,
      code: 'GATEWAY_RESPONSE_TOO_LARGE',
    })),
  });
});
