/**
 * Every line of the table of failures over a real socket: the client's error, whether the gateway accepted the request,
 * and the message's state in a real ledger.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/dispatch/post/poster.js';
import {
  AppError,
  Secret,
  type AttemptOutcome,
  type InstanceConfig,
  type MessageId,
  type MessageSnapshot,
  type MessageState,
} from '../../src/contract/index.js';
import { FAILURE_RULES, type FailureRule } from '../../src/gateway/classify.js';
import type { Gateway } from '../../src/gateway/index.js';
import type { MessageView } from '../../src/ledger/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { sendOnce, type SendOnceDependencies } from '../support/send-once.js';
import { aGateway, anInstance, errorOf, realClock } from './cast.js';
import { lineOf, LINES, SHORT_MS, WAYS, type Places, type Way } from './failure-table-cases.js';
import { httpResponse, startRawServer, type RawServer } from './raw-server.js';

const ledger = useLedger();
let simulator: Simulator;
let rawServers: RawServer[];
let places: Places;

beforeAll(async () => {
  // Its clock stands still, so nothing leaves its queue before a test asks what was accepted.
  simulator = await startSimulator({ clock: { nowMs: () => Date.UTC(2026, 0, 1) }, rateLimits: false });
  const silent = await startRawServer(() => undefined);
  const resetting = await startRawServer(
    () => undefined,
    (socket) => socket.resetAndDestroy(),
  );
  const absurd = await startRawServer(({ socket }) => socket.write(httpResponse(777, '{}')));
  const closed = await startRawServer(() => undefined);
  await closed.close();
  rawServers = [silent, resetting, absurd];
  places = {
    simulator: new URL(simulator.url),
    silent: new URL(silent.url),
    resetting: new URL(resetting.url),
    absurd: new URL(absurd.url),
    closed: new URL(closed.url),
  };
});

beforeEach(() => simulator.reset());

afterAll(async () => {
  await Promise.all([simulator.close(), ...rawServers.map((server) => server.close())]);
});

/** The state that the ledger derives from an outcome. */
const STATE: Readonly<Record<AttemptOutcome['kind'], MessageState>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  not_accepted: 'pending',
  unknown: 'unknown',
};

function stateAfter({ code }: Pick<FailureRule, 'code'>): MessageState {
  return STATE[outcomeOf(new AppError(code, 'for its kind only')).kind];
}

it('the table of failures has a test for each line, and no test has a removed line', () => {
  expect(Object.keys(WAYS).toSorted()).toEqual(LINES.toSorted());
  expect(LINES.filter((line) => WAYS[line]?.length === 0)).toEqual([]);
  expect(new Set(LINES).size).toBe(LINES.length);
});

for (const rule of FAILURE_RULES) {
  const line = lineOf(rule);
  describe(line, () => {
    for (const way of WAYS[line] ?? []) {
      if (way.asksForGroup) itAsks(rule, way);
      else itSends(rule, way);
    }
  });
}

function itSends(rule: FailureRule, way: Way): void {
  const code = way.code ?? rule.code;
  const state = stateAfter({ code });
  it(`is ${code}, and the message is ${state}, after: ${way.what}`, async () => {
    const message = await aMessage(way);
    const sent = await send(message, way);

    // The client's error, and its line.
    expect(sent.error).toMatchObject({ code, next: new AppError(code, '').next });
    if (way.code === undefined) expect(linesBehind(sent.error)).toEqual([lineOf(rule)]);
    expect(await acceptedOf(message)).toBe(way.accepted === true ? 1 : 0);
    // A message that the gateway accepted is never reported as not accepted.
    if (way.accepted) expect(state).toBe('unknown');

    // The ledger's state, and the evidence for it.
    const view = await viewOf(message.id);
    expect(view).toMatchObject({ state, attempts: [{ outcome: outcomeOf(sent.error).kind, code }] });
    expect(view.evidence.map(({ what }) => what)).toEqual(['claimed', outcomeOf(sent.error).kind]);

    // After the failure: a message that was not accepted leaves once, and nothing else is posted.
    await send(message, {}, realClock.nowMs() + AFTER_EVERY_PAUSE_MS);
    expect((await viewOf(message.id)).state).toBe(state === 'pending' ? 'accepted' : state);
    expect(await acceptedOf(message)).toBe(state === 'pending' || way.accepted ? 1 : 0);
  });
}

function itAsks(rule: FailureRule, way: Way): void {
  it(`is ${rule.code} after: ${way.what}`, async () => {
    await play(way);
    const gateway = aGateway(anInstanceFor(way));
    const error = await errorOf(gateway.call('main', 'getGroupData', { groupId: '15551234567-1479621234@g.us' }));
    await gateway.close();
    expect(error.code).toBe(rule.code);
    expect(linesBehind(error)).toEqual([lineOf(rule)]);
  });
}

/** Longer than any pause between two tries, shorter than the life of a message. */
const AFTER_EVERY_PAUSE_MS = 3_600_000;

interface SentMessage {
  readonly id: MessageId;
  readonly chatId: string | undefined;
  readonly instance: string;
}

let chats = 0;

/** With an instance of its own: pending messages of other tests do not delay it. */
async function aMessage({ content = { kind: 'text', text: 'hello there' } }: Way): Promise<SentMessage> {
  chats += 1;
  const id = `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
  const instance = `main-${chats}`;
  const chatId = content.kind === 'status' ? undefined : `1555${String(chats).padStart(7, '0')}@c.us`;
  const request = { instance, content, ...(chatId === undefined ? {} : { chatId }) };
  const nowMs = realClock.nowMs();
  await ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: nowMs + 86_400_000, nowMs });
  return { id, chatId, instance };
}

/** Sends once as the dispatcher does; returns the error of its POST, or an AppError when there was none. */
async function send({ id }: SentMessage, way: Partial<Way>, atMs = realClock.nowMs()): Promise<{ error: AppError }> {
  const closesAtItsTurn = { acquire: () => gateway.close(), block: () => undefined, close: () => undefined };
  const gateway: Gateway = aGateway(anInstanceFor(way), {
    ...way.gateway,
    ...(way.before === 'the client is closed' ? { gate: closesAtItsTurn } : {}),
  });
  try {
    if (way.before === 'a request on the same connection') await gateway.call('main', 'getStateInstance', {});
    await play(way);
    const { error } = await sendOnce({ ...senderOver(gateway, way), clock: { nowMs: () => atMs } }, id);
    return { error: error ?? new AppError('INTERNAL', 'Nothing was posted, or the gateway took the message.') };
  } finally {
    await gateway.close();
  }
}

/** All parts are real, except the waiting times. */
function senderOver(
  gateway: Gateway,
  { postingDeadlineMs = 5_000, settleTimeMs = 0 }: { postingDeadlineMs?: number; settleTimeMs?: number },
): SendOnceDependencies {
  return {
    ledger,
    gateway,
    clock: realClock,
    times: { postingDeadlineMs, gatewayTimeoutMs: 15_000, settleTimeMs },
  };
}

function anInstanceFor(way: Partial<Way>): InstanceConfig {
  const base = anInstance(simulator.url, { apiTokenInstance: new Secret('simulator-token') });
  return { ...base, ...way.instance?.(places) };
}

async function play({ fault }: Partial<Way>): Promise<void> {
  if (fault === undefined) return;
  const body = JSON.stringify({ method: 'sendMessage', ...fault });
  const response = await fetch(`${simulator.url}/_sim/faults`, { method: 'POST', body });
  expect(response.ok, await response.text()).toBe(true);
}

/** How many messages to this chat the gateway accepted: all of them reach the phone in time. */
async function acceptedOf({ chatId }: SentMessage): Promise<number> {
  await simulator.advance(60_000);
  return simulator.delivered().filter((one) => chatId === undefined || one.chatId === chatId).length;
}

async function viewOf(id: MessageId): Promise<MessageView> {
  const view = await ledger.views.message(id, Date.now());
  if (view === undefined) throw new Error(`${id} is not in the ledger`);
  return view;
}

/** The lines that may produce an error, by its status and the reason in its text. */
function linesBehind({ code, message, httpStatus = 0 }: AppError): string[] {
  const isStatus = / failed: /.test(message) && (httpStatus < 200 || httpStatus > 299);
  return FAILURE_RULES.filter(
    (rule) =>
      rule.code === code &&
      message.includes(`: ${rule.because} (`) &&
      (rule.failure === 'status') === isStatus &&
      (!isStatus || (httpStatus >= (rule.from ?? 0) && httpStatus <= (rule.to ?? 0))),
  ).map(lineOf);
}

describe('a response after the timeout', () => {
  it.each([
    ['accepted', { accepted: true }],
    ['rejected', { accepted: false, status: 400, body: 'Validation failed' }],
    ['pending', { accepted: false, status: 429, body: 'Too Many Requests' }],
  ] as const)('makes an unknown message %s', async (state, response) => {
    const way: Way = { what: 'late', fault: { kind: 'late-answer', ms: 3 * SHORT_MS, ...response } };
    const message = await aMessage(way);
    await play(way);
    const gateway = aGateway(anInstanceFor(way), { gatewayTimeoutMs: SHORT_MS });
    try {
      const heard = new Promise<MessageSnapshot>((late) => {
        void sendOnce(senderOver(gateway, { settleTimeMs: 20_000 }), message.id, late);
      });
      expect((await heard).state).toBe(state);
    } finally {
      await gateway.close();
    }
    expect(await acceptedOf(message)).toBe(state === 'accepted' ? 1 : 0);
  });
});

it('docs/failures.md has each line of the table, with its reason', async () => {
  const document = await readFile(new URL('../../docs/failures.md', import.meta.url), 'utf8');
  const rows = document.split('\n').filter((row) => row.startsWith('| ') && row.includes('`GATEWAY_'));
  const cells = rows.map((row) => row.split(/ *\| */).slice(1, -1));
  expect(cells.map((row) => row.slice(0, 6))).toEqual(FAILURE_RULES.map(documented));
  expect(cells.filter((row) => row.length !== 7 || !row[6]?.endsWith('.'))).toEqual([]);
});

function documented(rule: FailureRule): string[] {
  const condition = rule.failure === 'status' ? (lineOf(rule).split(':')[0] ?? '') : rule.failure;
  // Accepted requests and lines that an instance redefines are described below the table.
  const ways = (WAYS[lineOf(rule)] ?? []).filter(({ accepted, code }) => accepted === undefined && code === undefined);
  const metAs = ways.map(({ what }) => what).join('; ');
  const { next } = new AppError(rule.code, 'for its kind only');
  return [condition, metAs, rule.because, `\`${rule.code}\``, next, stateAfter(rule)];
}
