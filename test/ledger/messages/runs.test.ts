/** Which workflows are started, and what they wait for: `messages.run`, and the outbox. */
import { describe, expect, it } from 'vitest';
import { MESSAGE_STATES, WAITING_TRY_MS, type EditId, type MessageId } from '../../../src/contract/index.js';
import { aWait, useOwnCast, CHAT, MINUTE, NOW, SECOND } from '../cast.js';

const c = useOwnCast();

async function open(run: 'none' | 'wanted' | 'started', id = c.anId()): Promise<MessageId> {
  const request = c.request();
  await c.ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: NOW + MINUTE, run, nowMs: NOW });
  return id;
}

const wantedOf = async (nowMs = NOW): Promise<MessageId[]> =>
  (await c.ledger.messages.runsToStart(1_000, nowMs))
    .filter(({ instance }) => instance === c.instance)
    .map(({ id }) => id);

/** What the run of the message has to get now. */
async function due(id: MessageId, nowMs = NOW) {
  const claimed = await c.ledger.outbox.claim({ nowMs, forMs: 0, limit: 1_000 });
  const own = claimed.filter(({ messageId }) => messageId === id);
  await c.ledger.outbox.remove(own.map(({ seq }) => seq));
  return own;
}

async function unresolved(id: MessageId): Promise<void> {
  await c.record((await c.claimed(id)).token, { kind: 'unknown', code: 'LOST' });
  const attempt = await c.ledger.reconciling.attempt(id);
  if (attempt === undefined) throw new Error('nothing is open');
  await c.ledger.reconciling.markUnresolved(attempt, 'no_witness', NOW);
}

describe('a workflow', () => {
  it('is started for each message that wants one, in the order of their intake, until it was', async () => {
    const ids = [await open('wanted'), await open('wanted'), await open('wanted')];
    await open('none');
    await open('started');
    expect(await wantedOf()).toEqual(ids);
    await c.ledger.messages.runsStarted([{ id: ids[0]!, runId: `r ${ids[0]}` }], 'default', NOW);
    expect(await wantedOf()).toEqual(ids.slice(1));
  });

  it('is started for a message that ended before, and for none whose edit window closed meanwhile', async () => {
    const [ended, sent] = [await open('wanted'), await open('wanted')];
    await c.ledger.messages.cancel(ended, 'request', NOW);
    await c.accept((await c.claimed(sent)).token, 'G-1');
    await c.receive('G-1', 'sent');
    expect(await wantedOf(NOW + MINUTE)).toEqual([ended, sent]);
    expect(await wantedOf(NOW + 16 * MINUTE)).toEqual([]);
    expect(await wantedOf(NOW)).toEqual([]);
  });

  it('shows its own message once it opens it, and no other', async () => {
    const request = c.request({ chatId: CHAT });
    const asked = { requestHash: 'h', request, expiresAtMs: NOW + MINUTE, nowMs: NOW };
    const [own, others] = [c.anId(), c.anId()];
    for (const id of [own, others]) await c.ledger.intake.open({ ...asked, id, run: 'wanted' });
    await c.ledger.intake.open({ ...asked, id: own, run: 'started', namespace: 'default' });
    await c.ledger.intake.open({ ...asked, id: others, run: 'started', workflowId: 'order-7' });
    expect(await wantedOf()).toEqual([others]);
  });
});

/** Proves AWAIT-1 and AWAIT-2. */
describe('a send activity', () => {
  it('is completed once its message is sent, and not before, with the id of its run', async () => {
    const id = await open('started');
    expect(await c.ledger.outbox.awaitState(aWait(id, `r ${id}`))).toBeUndefined();
    await c.accept((await c.claimed(id)).token, 'G-1');
    expect(await due(id)).toEqual([]);
    await c.receive('G-1', 'sent');
    await c.receive('G-1', 'delivered');
    expect(await due(id)).toMatchObject([
      {
        workflowId: `message:${id}`,
        activity: { runId: `r ${id}`, activityId: 'send' },
        message: { id, state: 'delivered', idMessage: 'G-1', hasEnded: false },
      },
    ]);
    expect(await due(id)).toEqual([]);
  });

  it('is completed when the message ends, is unresolved, or no receipt can come any more', async () => {
    const [ended, doubtful, silent] = [await open('started'), await open('started'), await open('started')];
    for (const id of [ended, doubtful, silent]) await c.ledger.outbox.awaitState(aWait(id));
    await c.ledger.messages.cancel(ended, 'request', NOW);
    await unresolved(doubtful);
    await c.accept((await c.claimed(silent)).token, 'G-1');
    const later = NOW + 25 * 60 * MINUTE;
    expect(await due(silent)).toEqual([]);
    await c.ledger.messages.expire(silent, later);
    expect(await due(ended)).toMatchObject([{ message: { state: 'cancelled', hasEnded: true } }]);
    expect(await due(doubtful)).toMatchObject([{ message: { state: 'unresolved' } }]);
    expect(await due(silent)).toMatchObject([{ message: { hasEnded: true } }]);
  });

  it('ends at once if the message is there already, though it ended before the run began', async () => {
    const [ended, sent] = [await open('wanted'), await open('wanted')];
    await c.ledger.messages.cancel(ended, 'request', NOW);
    await c.accept((await c.claimed(sent)).token, 'G-1');
    await c.receive('G-1', 'sent');
    expect(await c.ledger.outbox.awaitState(aWait(ended))).toMatchObject({ state: 'cancelled', hasEnded: true });
    expect(await c.ledger.outbox.awaitState(aWait(sent))).toMatchObject({ state: 'sent' });
    expect([...(await due(ended)), ...(await due(sent))]).toEqual([]);
  });

  it('waits again after unresolved, until the message is in any other state', async () => {
    const id = await open('started');
    await unresolved(id);
    const until = MESSAGE_STATES.filter((state) => state !== 'unresolved');
    expect(await c.ledger.outbox.awaitState({ ...aWait(id), until })).toBeUndefined();
    expect(await due(id)).toEqual([]);
    await c.ledger.reconciling.resolve(id, { outcome: 'accepted', witness: 'operator' }, NOW + 60 * MINUTE);
    expect(await due(id)).toMatchObject([{ activity: { activityId: 'send' } }]);
  });

  it('is completed though its worker died in it: the start of the run has recorded the wait', async () => {
    const id = await open('wanted');
    await c.ledger.messages.runsStarted([{ id, runId: `r ${id}` }], 'default', NOW);
    await c.accept((await c.claimed(id)).token, 'G-1');
    await c.receive('G-1', 'sent');
    expect(await due(id)).toMatchObject([{ activity: { runId: `r ${id}`, activityId: 'send' } }]);
  });

  it('needs no completion if its message was sent before the run was marked as started', async () => {
    const id = await open('wanted');
    await c.accept((await c.claimed(id)).token, 'G-1');
    await c.receive('G-1', 'sent');
    await c.ledger.messages.runsStarted([{ id, runId: `r ${id}` }], 'default', NOW);
    expect(await due(id, NOW + 2 * WAITING_TRY_MS)).toEqual([]);
  });

  it('of a run that began before it was marked as started waits, too', async () => {
    const id = await open('wanted');
    expect(await c.ledger.outbox.awaitState(aWait(id, `r ${id}`))).toBeUndefined();
    await c.ledger.messages.cancel(id, 'request', NOW);
    await c.ledger.messages.runsStarted([{ id, runId: `r ${id}` }], 'default', NOW);
    expect(await due(id)).toMatchObject([{ message: { state: 'cancelled' } }]);
  });

  it('finds no row that is erased or not in a restored ledger', async () => {
    await expect(c.ledger.outbox.awaitState(aWait(c.anId()))).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' });
  });
});

/** Proves AWAIT-3. */
describe('a wait', () => {
  it('is removed when its try is over, and the next try records it again', async () => {
    const id = await open('started');
    await c.ledger.outbox.awaitState(aWait(id, `r ${id}`));
    const later = NOW + WAITING_TRY_MS;
    expect(await due(id, later - SECOND)).toEqual([]);
    expect(await due(id, later)).toEqual([]);
    await c.ledger.outbox.awaitState({ ...aWait(id, `r ${id}`), nowMs: later });
    await c.ledger.messages.cancel(id, 'request', later);
    expect(await due(id, later)).toMatchObject([{ activity: { runId: `r ${id}` }, message: { state: 'cancelled' } }]);
  });

  it('is recorded once by two tries of one activity', async () => {
    const id = await open('started');
    await c.ledger.outbox.awaitState(aWait(id, `r ${id}`));
    await c.ledger.outbox.awaitState(aWait(id, `r ${id}`));
    await c.ledger.messages.cancel(id, 'request', NOW);
    expect(await due(id)).toHaveLength(1);
  });

  it('that is recorded again while an earlier one is being sent is not removed with that one', async () => {
    const id = await open('started');
    await c.ledger.outbox.awaitState(aWait(id));
    await unresolved(id);
    const [sent] = (await c.ledger.outbox.claim({ nowMs: NOW, forMs: 0, limit: 1_000 })).filter(
      ({ messageId }) => messageId === id,
    );
    // The run has got it, and waits again under the same id before the worker removes what it has sent.
    const until = MESSAGE_STATES.filter((state) => state !== 'unresolved');
    expect(await c.ledger.outbox.awaitState({ ...aWait(id), until })).toBeUndefined();
    await c.ledger.outbox.remove([sent?.seq ?? '']);
    await c.ledger.reconciling.resolve(id, { outcome: 'accepted', witness: 'operator' }, NOW + 60 * MINUTE);
    expect(await due(id)).toMatchObject([{ message: { state: 'sent' } }]);
  });

  it('ends at its deadline, with the state of then', async () => {
    const id = await open('started');
    const wait = { ...aWait(id), until: ['read'], deadlineMs: NOW + SECOND } as const;
    expect(await c.ledger.outbox.awaitState(wait)).toBeUndefined();
    expect(await due(id)).toEqual([]);
    expect(await due(id, NOW + SECOND)).toMatchObject([{ message: { state: 'pending' } }]);
    expect(await c.ledger.outbox.awaitState({ ...wait, nowMs: NOW + SECOND })).toMatchObject({ state: 'pending' });
  });
});

describe('an edit', () => {
  const ten = (id: MessageId, witness?: string) =>
    c.ledger.edits.open({
      editId: `edt_${id}` as EditId,
      messageId: id,
      text: 'ten',
      ...(witness === undefined ? {} : { witness }),
      nowMs: NOW,
    });

  async function sent(): Promise<MessageId> {
    const id = await open('started');
    await c.accept((await c.claimed(id)).token, `G-${id}`);
    return id;
  }

  it('by HTTP is shown by the run once; one that came through the run is not shown again', async () => {
    const [byHttp, byRun] = [await sent(), await sent()];
    await ten(byHttp, 'loopback');
    await ten(byHttp, 'loopback');
    await ten(byRun);
    const [shown, ...others] = await due(byHttp);
    expect(shown).toMatchObject({ workflowId: `message:${byHttp}`, edit: { id: `edt_${byHttp}`, state: 'pending' } });
    expect(shown).not.toHaveProperty('activity');
    expect([...others, ...(await due(byRun))]).toEqual([]);
  });

  it('is shown once the run that is still to be started has begun', async () => {
    const id = await open('wanted');
    await c.accept((await c.claimed(id)).token, `G-${id}`);
    await ten(id, 'loopback');
    expect(await due(id)).toEqual([]);
    await c.ledger.messages.runsStarted([{ id, runId: `r ${id}` }], 'default', NOW);
    expect(await due(id)).toMatchObject([{ edit: { id: `edt_${id}` } }]);
  });

  it('completes its activity when it ends', async () => {
    const id = await sent();
    await ten(id);
    const activity = { workflowId: `message:${id}`, runId: `r ${id}`, activityId: `edit:edt_${id}` };
    const wait = { messageId: id, editId: `edt_${id}` as EditId, activity, nowMs: NOW };
    expect(await c.ledger.outbox.awaitEdit(wait)).toBeUndefined();
    await c.receive(`G-${id}`, 'failed');
    expect(await due(id)).toMatchObject([{ activity: { runId: `r ${id}` }, edit: { state: 'not_possible' } }]);
    expect(await c.ledger.outbox.awaitEdit(wait)).toMatchObject({ edit: { state: 'not_possible' } });
    expect(await c.ledger.outbox.awaitEdit({ ...wait, editId: 'edt_other' as EditId })).toBe('unknown');
  });
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
