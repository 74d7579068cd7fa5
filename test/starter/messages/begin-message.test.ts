import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MessageRequest, MessageWorkflows } from '../../../src/contract/index.js';
import { beginMessage } from '../../../src/starter/messages/begin-message.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { ALICE, aDirectory, anInstance } from '../../api/api-parts.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REQUEST: MessageRequest = { instance: 'main', chatId: ALICE, content: { kind: 'text', text: 'Hello' } };

const ledger = useLedger();

function aBeginner(messageWorkflows?: MessageWorkflows) {
  const clock = { now: NOW, nowMs: () => clock.now };
  const woken: string[] = [];
  const dependencies = {
    ledger,
    clock,
    instances: aDirectory(anInstance(messageWorkflows === undefined ? {} : { messageWorkflows })),
    wake: async (instance: string) => void woken.push(instance),
  };
  const begin = (request: MessageRequest, key: string) =>
    beginMessage(dependencies, request, { key, witness: 'loopback' });
  return { begin, clock, woken };
}

const wanted = async () => (await ledger.messages.runsToStart(1_000, Date.now())).map(({ id }) => id);

/** Proves BEGIN-1 to BEGIN-3. */
describe('a message', () => {
  it('begins with its row, pending for a day, and wakes its instance (WAKE-1)', async () => {
    const { begin, woken } = aBeginner();
    const { id, state, isReplay } = await begin(REQUEST, randomUUID());
    expect({ state, isReplay }).toEqual({ state: 'pending', isReplay: false });
    expect(await ledger.views.message(id, NOW)).toMatchObject({
      state: 'pending',
      createdAt: new Date(NOW).toISOString(),
      expiresAt: new Date(NOW + DAY_MS).toISOString(),
    });
    expect(woken).toEqual(['main']);
  });

  it('is due at its start time, and its expiry counts from then', async () => {
    const { begin } = aBeginner();
    const sendAt = new Date(NOW + 48 * HOUR_MS).toISOString();
    const { id } = await begin({ ...REQUEST, sendAt }, randomUUID());
    expect(await ledger.views.message(id, NOW)).toMatchObject({
      state: 'pending',
      sendAt,
      expiresAt: new Date(NOW + 48 * HOUR_MS + DAY_MS).toISOString(),
      waiting: { code: 'SEND_AT', since: new Date(NOW).toISOString(), until: sendAt },
    });
    const then = await ledger.views.message(id, NOW + 48 * HOUR_MS);
    expect(then?.waiting).toBeUndefined();
  });

  it('is due at once when its start time is in the past', async () => {
    const { begin } = aBeginner();
    const { id } = await begin({ ...REQUEST, sendAt: new Date(NOW - HOUR_MS).toISOString() }, randomUUID());
    const view = await ledger.views.message(id, NOW);
    expect(view?.expiresAt).toBe(new Date(NOW + DAY_MS).toISOString());
    expect(view?.waiting).toBeUndefined();
  });

  it('does not begin after its expiry; a repeated request is answered', async () => {
    const { begin, clock } = aBeginner();
    const key = randomUUID();
    const request = { ...REQUEST, expiresAt: new Date(NOW + HOUR_MS).toISOString() };
    const { id } = await begin(request, key);
    clock.now += 2 * HOUR_MS;
    expect(await begin(request, key)).toMatchObject({ id, isReplay: true });
    await expect(begin(request, randomUUID())).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('wakes no instance when it has ended and is requested again', async () => {
    const { begin, woken } = aBeginner();
    const key = randomUUID();
    const { id } = await begin(REQUEST, key);
    await ledger.messages.cancel(id, 'test', NOW);
    expect(await begin(REQUEST, key)).toEqual({ id, state: 'cancelled', isReplay: true });
    expect(woken).toEqual(['main']);
  });

  it('names a submitted template, or does not begin', async () => {
    const { begin } = aBeginner();
    const content = { kind: 'template', elementName: 'missing' } as const;
    const key = randomUUID();
    await expect(begin({ ...REQUEST, content }, key)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await begin(REQUEST, key)).toMatchObject({ isReplay: false });
  });

  it('gets a workflow, unless its instance starts workflows on demand', async () => {
    const [always, onDemand] = [aBeginner('always'), aBeginner('on_demand')];
    const byDefault = await aBeginner().begin(REQUEST, randomUUID());
    const one = await always.begin(REQUEST, randomUUID());
    const none = await onDemand.begin(REQUEST, randomUUID());
    const ids = await wanted();
    expect(ids).toEqual(expect.arrayContaining([byDefault.id, one.id]));
    expect(ids).not.toContain(none.id);
  });
});
