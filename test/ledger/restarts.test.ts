/** What may have restarted an instance since a claim, after which neither the queue nor a presumption proves anything. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import { MINUTE, NOW, SECOND, useCast, type Cast } from './cast.js';

const cast = useCast();
const DAY = 24 * 60 * MINUTE;

/** Claims a message at {@link NOW} whose response is lost. */
async function lostResponse(c: Cast): Promise<MessageId> {
  // It lives for more than a day, so that it is claimed whatever the instance is.
  const id = await c.pending({ expiresAtMs: NOW + 2 * DAY });
  const { token } = await c.claimed(id);
  await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
  return id;
}

async function restartedAfterClaim(c: Cast): Promise<boolean> {
  return restarted(c, await lostResponse(c));
}

async function restarted(c: Cast, id: MessageId): Promise<boolean> {
  const question = await c.ledger.reconciling.question(id);
  if (question === undefined) throw new Error(`${id} is not open`);
  return (await c.ledger.reconciling.instanceSince(question)).restarted;
}

interface Run {
  readonly method?: string;
  readonly askedAtMs?: number;
  readonly instance?: string;
}

async function asked(c: Cast, { method = 'setSettings', askedAtMs = NOW - DAY, instance = c.instance }: Run = {}) {
  const id = `op_${randomUUID()}`;
  const request = { incomingWebhook: 'yes' };
  await c.ledger.operations.open({ id, method, instance, requestHash: 'h', request, nowMs: askedAtMs });
  return id;
}

async function left(c: Cast, run: Run = {}) {
  const id = await asked(c, run);
  expect(await c.ledger.operations.beginOnce(id)).toBe(true);
  return id;
}

async function responded(c: Cast, atMs: number, run: Run = {}) {
  await c.ledger.operations.finish(await left(c, run), { state: 'done', result: { saveSettings: true } }, atMs);
}

describe('an operation that restarts the instance', () => {
  it.each(['setSettings', 'reboot', 'logout'])('%s counts when it ran after the claim', async (method) => {
    const c = cast();
    await responded(c, NOW + SECOND, { method });
    expect(await restartedAfterClaim(c)).toBe(true);
  });

  it('counts from when its request left, not from when it was asked for', async () => {
    const c = cast();
    const operation = await asked(c, { askedAtMs: NOW - DAY });
    const id = await lostResponse(c);
    expect(await restarted(c, id)).toBe(false);

    await c.ledger.operations.beginOnce(operation);
    expect(await restarted(c, id)).toBe(true);
    await c.ledger.operations.giveBack(operation);
    expect(await restarted(c, id)).toBe(false);
  });

  it.each([
    ['counts until five minutes after its response', -5 * MINUTE, true],
    ['does not count later', -5 * MINUTE - 1, false],
  ])('%s', async (_, atMs, expected) => {
    const c = cast();
    await responded(c, NOW + atMs);
    expect(await restartedAfterClaim(c)).toBe(expected);
  });

  it.each([
    ['counts when its outcome is not known, a minute longer for a request that arrives late', -6 * MINUTE, true],
    ['does not count for ever when its outcome is not known', -6 * MINUTE - 1, false],
  ])('%s', async (_, atMs, expected) => {
    const c = cast();
    const end = { state: 'may_have_happened', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
    await c.ledger.operations.finish(await left(c), end, NOW + atMs);
    expect(await restartedAfterClaim(c)).toBe(expected);
  });

  it('does not count when the gateway refused it', async () => {
    const c = cast();
    await c.ledger.operations.finish(await left(c), { state: 'failed', code: 'GATEWAY_REJECTED' }, NOW + SECOND);
    expect(await restartedAfterClaim(c)).toBe(false);
  });

  it('does not count for another instance, and no other operation counts', async () => {
    const c = cast();
    await responded(c, NOW + SECOND, { instance: `${c.instance}-b` });
    await responded(c, NOW + SECOND, { method: 'readChat' });
    expect(await restartedAfterClaim(c)).toBe(false);
  });
});

describe('what an instance was seen to be', () => {
  const seen = (c: Cast, state: string, atMs: number) =>
    c.ledger.instanceStates.record({ instance: c.instance, state, atMs });

  it.each([
    ['starting', true],
    ['notAuthorized', true],
    ['sleepMode', false],
    ['authorized', false],
  ])('%s after the claim', async (state, expected) => {
    const c = cast();
    await seen(c, 'authorized', NOW - MINUTE);
    const id = await lostResponse(c);
    await seen(c, state, NOW + SECOND);
    expect(await restarted(c, id)).toBe(expected);
  });

  it.each([
    ['starting', true],
    ['notAuthorized', false],
    ['authorized', false],
  ])('%s at the time of the claim', async (state, expected) => {
    const c = cast();
    await seen(c, state, NOW - MINUTE);
    expect(await restartedAfterClaim(c)).toBe(expected);
  });
});
