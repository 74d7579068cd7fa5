/** Which workflows are started and signalled: `messages.run`, and the signals that a trigger records. */
import { expect, it } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import { useOwnCast, CHAT, MINUTE, NOW } from '../cast.js';

const c = useOwnCast();

async function signalled(): Promise<string[]> {
  const due = await c.ledger.signals.claim({ nowMs: NOW, forMs: 0, limit: 1_000 });
  await c.ledger.signals.sent(due.map(({ snapshot }) => snapshot));
  return due.map(({ snapshot }) => snapshot.state);
}

async function open(run: 'none' | 'wanted' | 'started', id = c.anId()): Promise<MessageId> {
  const request = c.request();
  await c.ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: NOW + MINUTE, run, nowMs: NOW });
  return id;
}

const wantedOf = async (): Promise<MessageId[]> =>
  (await c.ledger.messages.runsToStart(1_000)).filter(({ instance }) => instance === c.instance).map(({ id }) => id);

it('the ledger names messages whose workflow is to be started, in the order of their intake, until it was', async () => {
  const ids = [await open('wanted'), await open('wanted'), await open('wanted')];
  await open('none');
  await open('started');
  expect(await wantedOf()).toEqual(ids);
  await c.ledger.messages.runStarted(ids.slice(0, 1));
  expect(await wantedOf()).toEqual(ids.slice(1));
});

it('the ledger names no ended message for a start', async () => {
  const [first, second] = [await open('wanted'), await open('wanted')];
  await c.ledger.messages.cancel(first, 'request', NOW);
  expect(await wantedOf()).toEqual([second]);
  expect(await c.ledger.messages.runsToStart(1)).not.toContainEqual(expect.objectContaining({ id: first }));
});

it('a workflow is signalled when its message is accepted and first sent, and not before', async () => {
  const id = await open('started');
  const { token } = await c.claimed(id);
  expect(await signalled()).toEqual([]);
  await c.accept(token, 'G-1');
  expect(await signalled()).toEqual(['accepted']);
  await c.receive('G-1', 'sent');
  expect(await signalled()).toEqual(['sent']);
  await c.receive('G-1', 'delivered');
  expect(await signalled()).toEqual([]);
});

it('a workflow is signalled of the delivery if it waits for it', async () => {
  const id = await open('started');
  await c.ledger.messages.awaitReceipts(id);
  await c.accept((await c.claimed(id)).token, 'G-2');
  await c.receive('G-2', 'sent');
  await signalled();
  await c.receive('G-2', 'delivered');
  expect(await signalled()).toEqual(['delivered']);
  await c.receive('G-2', 'read');
  expect(await signalled()).toEqual(['read']);
});

it('a workflow is signalled when an edit of its message changes, and when the message ends', async () => {
  const id = await open('started');
  await c.edit(id, 'another text');
  expect(await signalled()).toEqual(['pending']);
  await c.ledger.messages.cancel(id, 'request', NOW);
  expect(await signalled()).toEqual(['cancelled']);
});

it('a workflow is signalled once of receipts, in whatever order they come', async () => {
  const id = await open('started');
  await c.accept((await c.claimed(id)).token, 'G-6');
  expect(await signalled()).toEqual(['accepted']);
  await c.receive('G-6', 'delivered');
  expect(await signalled()).toEqual(['delivered']);
  await c.receive('G-6', 'sent');
  await c.receive('G-6', 'read');
  expect(await signalled()).toEqual([]);
});

it('a workflow is signalled of an edit that takes effect because the attempt under way was not accepted', async () => {
  const id = await open('started');
  const { token } = await c.claimed(id);
  await c.edit(id, 'another text');
  expect(await signalled()).toEqual([]);
  await c.record(token, { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE' });
  expect(await signalled()).toEqual(['pending']);
});

it('no workflow is signalled while the outcome is unknown, nor when it becomes unresolved', async () => {
  const id = await open('started');
  const { token } = await c.claimed(id);
  await c.record(token, { kind: 'unknown', code: 'LOST' });
  expect(await signalled()).toEqual([]);
  const attempt = await c.ledger.reconciling.attempt(id);
  if (attempt === undefined) throw new Error('nothing is open');
  await c.ledger.reconciling.markUnresolved(attempt, 'no_witness', NOW);
  expect(await signalled()).toEqual(['unresolved']);
  expect(await c.ledger.reconciling.unresolved(c.instance, NOW, 1_000)).toContain(id);
  expect(await c.ledger.reconciling.unresolved(c.instance, NOW, 1_000, id)).not.toContain(id);
});

it('no workflow is signalled for a message without one, until one takes it over', async () => {
  const id = await open('none');
  await c.accept((await c.claimed(id)).token, 'G-3');
  expect(await signalled()).toEqual([]);
  await c.ledger.messages.takeOver(id, 'default');
  await c.receive('G-3', 'sent');
  expect(await signalled()).toEqual(['sent']);
});

it('a message is awaited by its own workflow once that one opens it, and by no other', async () => {
  const request = c.request({ chatId: CHAT });
  const asked = { requestHash: 'h', request, expiresAtMs: NOW + MINUTE, nowMs: NOW };
  const [own, others] = [c.anId(), c.anId()];
  for (const id of [own, others]) await c.ledger.intake.open({ ...asked, id, run: 'wanted' });
  await c.ledger.intake.open({ ...asked, id: own, run: 'started', namespace: 'default' });
  await c.ledger.intake.open({ ...asked, id: others, run: 'started', workflowId: 'order-7' });
  expect(await wantedOf()).toEqual([others]);
});

it('the ledger names accepted messages without a receipt for as long as receipts may come', async () => {
  const heard = await c.accepted('G-4');
  const unheard = await c.accepted('G-5');
  await c.receive('G-4', 'sent');
  const later = NOW + 25 * 60 * MINUTE;
  expect(await c.ledger.messages.withoutReceipt(c.instance, 1_000, NOW + MINUTE)).not.toContain(unheard);
  const found = await c.ledger.messages.withoutReceipt(c.instance, 1_000, later);
  expect(found).toContain(unheard);
  expect(found).not.toContain(heard);
  await c.ledger.messages.expire(unheard, later);
  expect(await c.ledger.messages.withoutReceipt(c.instance, 1_000, later)).not.toContain(unheard);
});
