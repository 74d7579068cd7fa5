/** Notifications about the account itself. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyAccountChange } from '../../src/webhooks/apply-notifications.js';
import type { ReceiverOptions } from '../../src/webhooks/index.js';
import { parseNotification } from '../../src/webhooks/read-notification.js';
import { useLedger } from '../support/ledger/ledger.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const ledger = useLedger();

/** Applies the body of a notification as the receiver does. */
async function applyBody(
  options: Pick<ReceiverOptions, 'ledger' | 'onAuthorized'>,
  instance: string,
  body: unknown,
  cameAtMs: number,
) {
  const parsed = parseNotification(body);
  if (parsed !== undefined) await applyAccountChange(options, instance, parsed, cameAtMs);
}

/** An account and its notifications: dated by the gateway's clock, received by ours. */
function anAccount() {
  const instance = `i-${randomUUID().slice(0, 8)}`;
  const authorized: number[] = [];
  const hears = (body: object, atMs = NOW, cameAtMs = atMs) =>
    applyBody(
      { ledger, onAuthorized: () => Promise.resolve(void authorized.push(cameAtMs)) },
      instance,
      { ...body, timestamp: Math.floor(atMs / 1_000) },
      cameAtMs,
    );
  return {
    instance,
    authorized,
    hears,
    hearsState: (stateInstance: string, atMs?: number, cameAtMs?: number) =>
      hears({ typeWebhook: 'stateInstanceChanged', stateInstance }, atMs, cameAtMs),
    state: async () => (await ledger.instanceStates.current(instance))?.state,
    pauses: () => ledger.instances.pauses(instance),
    connection: async () => (await ledger.views.instance(instance, NOW)).connection,
  };
}

describe('a notification about the account', () => {
  it('records its state, and wakes callers that wait for an authorized one', async () => {
    const account = anAccount();
    await account.hearsState('notAuthorized');
    expect(await account.state()).toBe('notAuthorized');
    expect(account.authorized).toEqual([]);
    await account.hearsState('authorized', NOW + MINUTE);
    expect(await account.state()).toBe('authorized');
    expect(account.authorized).toEqual([NOW + MINUTE]);
  });

  it('changes nothing when the state is a page long', async () => {
    const account = anAccount();
    await account.hearsState('x'.repeat(100_000));
    expect(await account.state()).toBeUndefined();
  });

  it('pauses the instance, also an hour late, from the date of the notification', async () => {
    const account = anAccount();
    await account.hearsState('authorized', NOW + HOUR);
    await account.hearsState('yellowCard', NOW, NOW + HOUR);
    expect(await account.state()).toBe('authorized');
    expect(await account.pauses()).toEqual([
      { reason: 'yellowCard', since: '2026-03-01T10:00:00.999Z', witness: 'stateInstanceChanged' },
    ]);
  });

  it('is dated by our own clock, using the known offset of the gateway’s', async () => {
    const account = anAccount();
    await ledger.gatewayClocks.narrow(account.instance, { lowestMs: 10 * MINUTE, highestMs: 11 * MINUTE }, NOW + HOUR);
    await account.hearsState('blocked', NOW, NOW + HOUR);
    expect((await account.pauses())[0]?.since).toBe('2026-03-01T09:50:00.999Z');
  });

  it('does not pause again when it is applied again after an operator has resumed it', async () => {
    const account = anAccount();
    await account.hearsState('yellowCard');
    await account.hearsState('authorized', NOW + MINUTE);
    await ledger.instances.resume(account.instance, 'operator', NOW + 2 * MINUTE);
    await account.hearsState('yellowCard', NOW, NOW + HOUR);
    expect(await account.pauses()).toEqual([]);
  });

  it('pauses the instance when the gateway dropped a message for a yellow card', async () => {
    const account = anAccount();
    await account.hears({ typeWebhook: 'outgoingMessageStatus', idMessage: 'X', status: 'yellowCard' });
    expect(await account.pauses()).toMatchObject([{ reason: 'yellowCard', witness: 'outgoingMessageStatus' }]);
    expect(await account.state()).toBeUndefined();
  });

  it('shows whether the account is connected, which pauses nothing', async () => {
    const account = anAccount();
    await account.hears({ typeWebhook: 'statusInstanceChanged', statusInstance: 'offline' });
    expect(await account.connection()).toEqual({ status: 'offline', since: '2026-03-01T10:00:00.000Z' });
    expect(await account.pauses()).toEqual([]);
  });

  it.each([
    { typeWebhook: 'stateInstanceChanged' },
    { typeWebhook: 'stateInstanceChanged', stateInstance: 7 },
    { typeWebhook: 'outgoingMessageStatus', status: 'sent' },
    { typeWebhook: 'deviceInfo', stateInstance: 'blocked' },
    {},
  ])('shows no connection state: %j', async (body) => {
    const account = anAccount();
    await account.hears(body);
    expect(await account.state()).toBeUndefined();
    expect(await account.pauses()).toEqual([]);
  });

  it('without a date has the time of its arrival', async () => {
    const { instance } = anAccount();
    const body = { typeWebhook: 'stateInstanceChanged', stateInstance: 'blocked' };
    await applyBody({ ledger }, instance, body, NOW);
    expect((await ledger.instances.pauses(instance))[0]?.since).toBe('2026-03-01T10:00:00.000Z');
  });
});
