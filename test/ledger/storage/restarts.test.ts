/**
 * What may have restarted an instance since a claim; after a restart neither the queue nor a presumption proves
 * anything.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import { MINUTE, NOW, SECOND, useOwnCast } from '../cast.js';

const c = useOwnCast();
const DAY = 24 * 60 * MINUTE;

/** Claims a message at {@link NOW} whose response is lost. */
async function lostResponse(): Promise<MessageId> {
  // It lives for more than a day, so it is claimed whatever the instance's state is.
  const { id, token } = await c.posting({ expiresAtMs: NOW + 2 * DAY });
  await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
  return id;
}

async function restartedAfterClaim(): Promise<boolean> {
  return restarted(await lostResponse());
}

async function restarted(id: MessageId): Promise<boolean> {
  const attempt = await c.ledger.reconciling.attempt(id);
  if (attempt === undefined) throw new Error(`${id} is not open`);
  return (await c.ledger.observations.instanceSince(attempt)).restarted;
}

interface Run {
  readonly method?: string;
  readonly askedAtMs?: number;
  readonly instance?: string;
}

async function asked({ method = 'setSettings', askedAtMs = NOW - DAY, instance = c.instance }: Run = {}) {
  const id = `op_${randomUUID()}`;
  const request = { incomingWebhook: 'yes' };
  await c.ledger.operations.open({ id, method, instance, requestHash: 'h', request, nowMs: askedAtMs });
  return id;
}

async function left(run: Run = {}) {
  const id = await asked(run);
  expect(await c.ledger.operations.beginOnce(id)).toBe(true);
  return id;
}

async function responded(atMs: number, run: Run = {}) {
  await c.ledger.operations.finish(await left(run), { state: 'done', result: { saveSettings: true } }, atMs);
}

describe('an operation that restarts the instance', () => {
  it.each(['setSettings', 'reboot', 'logout'])('counts as a restart after the claim: %s', async (method) => {
    await responded(NOW + SECOND, { method });
    expect(await restartedAfterClaim()).toBe(true);
  });

  it('counts from the time its request left, not from the time it was requested', async () => {
    const operation = await asked({ askedAtMs: NOW - DAY });
    const id = await lostResponse();
    expect(await restarted(id)).toBe(false);

    await c.ledger.operations.beginOnce(operation);
    expect(await restarted(id)).toBe(true);
    await c.ledger.operations.giveBack(operation);
    expect(await restarted(id)).toBe(false);
  });

  it.each([
    ['counts until five minutes after its response', -5 * MINUTE, true],
    ['does not count when its response is older than that', -5 * MINUTE - 1, false],
  ])('%s', async (_, atMs, expected) => {
    await responded(NOW + atMs);
    expect(await restartedAfterClaim()).toBe(expected);
  });

  it.each([
    ['counts for a minute longer when its outcome is unknown, since the request may arrive late', -6 * MINUTE, true],
    ['does not count after that minute when its outcome is unknown', -6 * MINUTE - 1, false],
  ])('%s', async (_, atMs, expected) => {
    const end = { state: 'may_have_happened', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
    await c.ledger.operations.finish(await left(), end, NOW + atMs);
    expect(await restartedAfterClaim()).toBe(expected);
  });

  it('does not count when the gateway rejected it', async () => {
    await c.ledger.operations.finish(await left(), { state: 'failed', code: 'GATEWAY_REJECTED' }, NOW + SECOND);
    expect(await restartedAfterClaim()).toBe(false);
  });

  it('does not count for another instance; other operations do not count', async () => {
    await responded(NOW + SECOND, { instance: `${c.instance}-b` });
    await responded(NOW + SECOND, { method: 'readChat' });
    expect(await restartedAfterClaim()).toBe(false);
  });
});

describe('an observed state of the instance', () => {
  const seen = (state: string, atMs: number) => c.ledger.instanceStates.record({ instance: c.instance, state, atMs });

  it.each([
    ['starting', true],
    ['notAuthorized', true],
    ['sleepMode', false],
    ['authorized', false],
  ])('shows a restart or not after the claim: %s', async (state, expected) => {
    await seen('authorized', NOW - MINUTE);
    const id = await lostResponse();
    await seen(state, NOW + SECOND);
    expect(await restarted(id)).toBe(expected);
  });

  it.each([
    ['starting', true],
    ['notAuthorized', false],
    ['authorized', false],
  ])('shows a restart or not at the time of the claim: %s', async (state, expected) => {
    await seen(state, NOW - MINUTE);
    expect(await restartedAfterClaim()).toBe(expected);
  });
});
