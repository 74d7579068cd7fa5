/**
 * Every line of the table of failures, met over a real socket: what the client calls it, whether the gateway took the
 * request, and what becomes of the message in a real ledger.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/dispatch/post-attempt.js';
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
import { useLedger } from '../support/ledger.js';
import { sendOnce, type SendOnceDependencies } from '../support/send-once.js';
import { aGateway, anInstance, errorOf, realClock } from './cast.js';
import { lineOf, LINES, SHORT_MS, WAYS, type Places, type Way } from './failure-table-cases.js';
import { httpResponse, startRawServer, type RawServer } from './raw-server.js';

const ledger = useLedger();
let simulator: Simulator;
let rawServers: RawServer[];
let places: Places;

beforeAll(async () => {
  // Its clock stands, so that nothing leaves its queue before a test asks what was accepted.
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

/** What the ledger makes of an outcome. */
const STATE: Readonly<Record<AttemptOutcome['kind'], MessageState>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  not_accepted: 'pending',
  unknown: 'unknown',
};

function stateAfter({ code }: Pick<FailureRule, 'code'>): MessageState {
  return STATE[outcomeOf(new AppError(code, 'for its kind only')).kind];
}

it('has a driven test for each line, and none for a line that is gone', () => {
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
  it(`is ${code}, and the message is ${state}, when it meets: ${way.what}`, async () => {
    const message = await aMessage(way);
    const sent = await send(message, way);

    // What the client says, and by which line.
    expect(sent.error).toMatchObject({ code, next: new AppError(code, '').next });
    if (way.code === undefined) expect(linesBehind(sent.error)).toEqual([lineOf(rule)]);
    expect(await acceptedOf(message)).toBe(way.accepted === true ? 1 : 0);
    // The one thing that must never be said of a message that the gateway took.
    if (way.accepted) expect(state).toBe('unknown');

    // What the ledger says, and the evidence for it.
    const view = await viewOf(message.id);
    expect(view).toMatchObject({ state, attempts: [{ outcome: outcomeOf(sent.error).kind, code }] });
    expect(view.evidence.map(({ what }) => what)).toEqual(['claimed', outcomeOf(sent.error).kind]);

    // And when all is well again: what was surely not accepted goes out once, and nothing else is posted at all.
    await send(message, {}, realClock.nowMs() + AFTER_EVERY_PAUSE_MS);
    expect((await viewOf(message.id)).state).toBe(state === 'pending' ? 'accepted' : state);
    expect(await acceptedOf(message)).toBe(state === 'pending' || way.accepted ? 1 : 0);
  });
}

function itAsks(rule: FailureRule, way: Way): void {
  it(`is ${rule.code} when it meets: ${way.what}`, async () => {
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

/** Of an instance of its own: what other tests left pending does not stand before it. */
async function aMessage({ content = { kind: 'text', text: 'hello there' } }: Way): Promise<SentMessage> {
  chats += 1;
  const id = `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
  const instance = `main-${chats}`;
  const chatId = content.kind === 'status' ? undefined : `1555${String(chats).padStart(7, '0')}@c.us`;
  const request = { instance, content, ...(chatId === undefined ? {} : { chatId }) };
  const nowMs = realClock.nowMs();
  await ledger.messages.open({ id, requestHash: 'h', request, expiresAtMs: nowMs + 86_400_000, nowMs });
  return { id, chatId, instance };
}

/** Sends as the dispatcher does, once; gives the error of its POST, or one of our own when there was none. */
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

/** Everything real but the waiting times. */
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

/** How many of this message's chat the gateway took: all of them reach the phone in time. */
async function acceptedOf({ chatId }: SentMessage): Promise<number> {
  await simulator.advance(60_000);
  return simulator.delivered().filter((one) => chatId === undefined || one.chatId === chatId).length;
}

async function viewOf(id: MessageId): Promise<MessageView> {
  const view = await ledger.messages.view(id, Date.now());
  if (view === undefined) throw new Error(`${id} is not in the ledger`);
  return view;
}

/** The lines that an error can come from, by its status and the reason in its words. */
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

it('is documented line by line, with a reason for each, in docs/failures.md', async () => {
  const document = await readFile(new URL('../../docs/failures.md', import.meta.url), 'utf8');
  const rows = document.split('\n').filter((row) => row.startsWith('| ') && row.includes('`GATEWAY_'));
  const cells = rows.map((row) => row.split(/ *\| */).slice(1, -1));
  expect(cells.map((row) => row.slice(0, 6))).toEqual(FAILURE_RULES.map(documented));
  expect(cells.filter((row) => row.length !== 7 || !row[6]?.endsWith('.'))).toEqual([]);
});

function documented(rule: FailureRule): string[] {
  const condition = rule.failure === 'status' ? (lineOf(rule).split(':')[0] ?? '') : rule.failure;
  // What was accepted all the same, and what an instance redefines, is told below the table.
  const ways = (WAYS[lineOf(rule)] ?? []).filter(({ accepted, code }) => accepted === undefined && code === undefined);
  const metAs = ways.map(({ what }) => what).join('; ');
  const { next } = new AppError(rule.code, 'for its kind only');
  return [condition, metAs, rule.because, `\`${rule.code}\``, next, stateAfter(rule)];
}
