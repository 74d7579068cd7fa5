import { describe, expect, it } from 'vitest';
import type { EditOutcome, EditState, MessageId } from '../../../src/contract/index.js';
import { CHAT, MINUTE, NOW, SECOND, useOwnCast, WINDOW } from '../cast.js';

const c = useOwnCast();

describe('EDITROW-1 an edit before and after the claim', () => {
  it('EDITROW-1 replaces the text at once while the message is pending', async () => {
    const id = await c.pending({ text: 'old' });
    const editId = c.anEditId();

    const { edit, message } = await c.ledger.edits.open({ editId, messageId: id, text: 'new', nowMs: NOW });

    expect(edit).toEqual({ id: editId, state: 'edited', via: 'before_send' });
    expect(message).toMatchObject({ state: 'pending', version: 2, edits: [edit] });
    expect(await c.view(id)).toMatchObject({ content: { kind: 'text', text: 'new' } });
  });

  it('EDITROW-1 finds identical messages by the text after an edit', async () => {
    const first = await c.pending({ text: 'same' });
    const second = await c.pending({ text: 'other' });
    await c.edit(second, 'same');
    await c.claimed(first);

    expect(await c.claim(second)).toBeUndefined();
    expect((await c.view(second)).waiting).toMatchObject({ identical: first });
  });

  it('EDITROW-1 waits after the claim, and the posted text is unchanged', async () => {
    const id = await c.pending({ text: 'old' });
    await c.claimed(id);
    const edit = await c.edit(id, 'new');

    expect(await c.claimEdit(edit, NOW)).toEqual({ kind: 'wait' });
    expect(await c.view(id)).toMatchObject({
      content: { text: 'new' },
      postedText: 'old',
      edits: [{ id: edit, state: 'pending' }],
    });
  });

  it('EDITROW-1 waits while the message is accepted but not sent', async () => {
    const edit = await c.edit(await c.accepted('A1'), 'new');

    expect(await c.claimEdit(edit, NOW)).toEqual({ kind: 'wait' });
  });

  it('returns the same edit for the same key, and refuses another text under that key', async () => {
    const id = await c.sent('A1');
    const edit = await c.edit(id, 'new');
    const before = await c.view(id);

    await c.edit(id, 'new', edit, NOW + MINUTE);
    expect(await c.view(id)).toEqual(before);
    await expect(c.edit(id, 'another', edit)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it.each<[string, string, () => Promise<MessageId> | MessageId]>([
    ['without a text', 'EDIT_NOT_TEXT', () => c.pending({ content: { kind: 'status', text: 'open' } })],
    ['that does not exist', 'MESSAGE_NOT_FOUND', () => c.anId()],
    [
      'that was cancelled',
      'EDIT_NOT_POSSIBLE',
      async () => (await c.ledger.messages.cancel(await c.pending(), 'request', NOW)).id,
    ],
    [
      'that failed',
      'EDIT_NOT_POSSIBLE',
      async () => {
        await c.accepted('A1');
        return (await c.receive('A1', 'failed'))!.id;
      },
    ],
  ])('is refused for a message %s', async (_, code, message) => {
    await expect(c.edit(await message(), 'new')).rejects.toMatchObject({ code });
  });

  it('is not claimed if it does not exist', async () => {
    await expect(c.claimEdit(c.anEditId(), NOW)).rejects.toMatchObject({ code: 'EDIT_NOT_FOUND' });
  });
});

describe('EDITROW-2 a message with several edits', () => {
  it('EDITROW-2 gives the id, the chat and the text of the newest edit', async () => {
    const id = await c.sent('A1');
    const edit = await c.edit(id, 'new');

    expect(await c.claimEdit(edit, NOW + SECOND)).toEqual({
      kind: 'claimed',
      instance: c.instance,
      chatId: CHAT,
      idMessage: 'A1',
      text: 'new',
      editableUntilMs: NOW + WINDOW,
    });
    expect(await c.ledger.edits.view(edit)).toMatchObject({ messageId: id, state: 'sending', idMessageGiven: 'A1' });
  });

  it('EDITROW-2 ends a waiting edit when a newer one comes', async () => {
    const id = await c.sent('A1');
    const older = await c.edit(id, 'new');
    await c.edit(id, 'newer');

    expect(await c.claimEdit(older, NOW)).toEqual({
      kind: 'nothing_to_post',
      edit: { id: older, state: 'superseded' },
    });
  });

  it('EDITROW-2 keeps a newer edit waiting while an older one is under way', async () => {
    const id = await c.sent('A1');
    const older = await c.edit(id, 'new');
    await c.claimEdit(older, NOW);
    const newer = await c.edit(id, 'newer');
    expect(await c.claimEdit(newer, NOW)).toEqual({ kind: 'wait' });

    await c.ledger.edits.recordPosted(older, 'E1', NOW);
    expect(await c.claimEdit(newer, NOW)).toEqual({ kind: 'wait' });

    await c.ledger.edits.recordOutcome(older, 'edited', { witness: 'getMessage' }, NOW);
    expect(await c.claimEdit(newer, NOW)).toMatchObject({ kind: 'claimed', text: 'newer' });
  });

  it('EDITROW-2 does not post an older edit again when a newer one exists', async () => {
    const id = await c.sent('A1');
    const older = await c.edit(id, 'new');
    await c.claimEdit(older, NOW);
    const newer = await c.edit(id, 'newer');

    expect(await c.claimEdit(older, NOW)).toMatchObject({ kind: 'nothing_to_post', edit: { state: 'superseded' } });
    expect(await c.claimEdit(newer, NOW)).toMatchObject({ kind: 'claimed' });
  });

  it('EDITROW-2 may be claimed again while its outcome is unknown: the same text twice is harmless', async () => {
    const edit = await c.edit(await c.sent('A1'), 'new');
    const first = await c.claimEdit(edit, NOW);

    expect(await c.claimEdit(edit, NOW + SECOND)).toEqual(first);
  });

  it('EDITROW-2 has nothing to post after the response of editMessage', async () => {
    const { edit } = await c.postedEdit();

    expect(await c.claimEdit(edit, NOW)).toMatchObject({ kind: 'nothing_to_post', edit: { state: 'posted' } });
  });
});

describe('EDITROW-3 the edit window', () => {
  it('EDITROW-3 ends an edit as too late from the end of the window on', async () => {
    const id = await c.sent('A1');
    const edit = await c.edit(id, 'new');

    expect(await c.claimEdit(edit, NOW + WINDOW)).toMatchObject({
      kind: 'nothing_to_post',
      edit: { state: 'too_late' },
    });
    expect(await c.evidence(id, 'edit_too_late')).toHaveLength(1);
  });

  it('EDITROW-3 never ends an edit as too late whose request had no response: it waits for a confirmation', async () => {
    const { id, edit } = await c.claimedEdit();
    const before = await c.view(id);

    const after = await c.claimEdit(edit, NOW + WINDOW);
    const given = await c.ledger.edits.recordOutcome(edit, 'too_late', { witness: 'request' }, NOW + WINDOW);

    expect(after).toEqual({ kind: 'unanswered', edit: { id: edit, state: 'sending' } });
    expect(given.state).toBe('sending');
    expect(await c.view(id)).toEqual(before);
  });

  it('EDITROW-3 ends an edit as too late that was given back after the window', async () => {
    const edit = await c.edit(await c.sent('A1'), 'new');
    await c.claimEdit(edit, NOW, 'first');
    await c.ledger.edits.giveBack(edit, 'first', NOW + SECOND);
    expect(await c.editState(edit)).toBe('pending');

    expect(await c.claimEdit(edit, NOW + WINDOW)).toMatchObject({ edit: { state: 'too_late' } });
  });
});

describe('EDITROW-6 the outcome of one try', () => {
  it('EDITROW-6 does not give back an edit that was refused', async () => {
    const edit = await c.edit(await c.sent('A1'), 'new');
    await c.claimEdit(edit, NOW, 'first');
    await c.ledger.edits.refuse(edit, 'first', { code: 'GATEWAY_REJECTED' }, NOW + SECOND);

    await c.ledger.edits.giveBack(edit, 'first', NOW + 2 * SECOND);
    expect(await c.editState(edit)).toBe('refused');
  });

  it('EDITROW-6 returns the same claim for the same token, and may give it back, after a lost commit response', async () => {
    const edit = await c.edit(await c.sent('A1'), 'new');
    const first = await c.claimEdit(edit, NOW, 'first');

    expect(await c.claimEdit(edit, NOW + SECOND, 'first')).toEqual(first);
    await c.ledger.edits.giveBack(edit, 'first', NOW + SECOND);
    expect(await c.editState(edit)).toBe('pending');
  });

  it.each([
    ['the current try, when an earlier one may have arrived', 'second'],
    ['a stopped try, after another one has taken over', 'first'],
  ])('EDITROW-6 neither gives an edit back nor refuses it for %s', async (_, token) => {
    const id = await c.sent('A1');
    const edit = await c.edit(id, 'new');
    await c.claimEdit(edit, NOW, 'first');
    await c.claimEdit(edit, NOW + SECOND, 'second');

    await c.ledger.edits.giveBack(edit, token, NOW + 2 * SECOND);
    expect(await c.editState(edit)).toBe('sending');
    const refusal = { code: 'GATEWAY_REJECTED', httpStatus: 400, text: 'Validation failed' };
    const refused = await c.ledger.edits.refuse(edit, token, refusal, NOW + 2 * SECOND);

    expect(refused.state).toBe('sending');
    expect(await c.evidence(id, 'edit_try_refused')).toMatchObject([{ witness: 'response', detail: refusal }]);
  });

  it('EDITROW-6 refuses an edit by the response to its only try', async () => {
    const edit = await c.edit(await c.sent('A1'), 'new');
    await c.claimEdit(edit, NOW, 'first');

    const refusal = { code: 'GATEWAY_REJECTED', httpStatus: 400 };
    expect(await c.ledger.edits.refuse(edit, 'first', refusal, NOW)).toMatchObject({ state: 'refused' });
    expect(await c.ledger.edits.view(edit)).toMatchObject({ reason: 'GATEWAY_REJECTED' });
  });

  it('EDITROW-6 treats an edit that was given back as never claimed', async () => {
    const edit = await c.edit(await c.sent('A1'), 'new');
    await c.claimEdit(edit, NOW, 'first');
    await c.ledger.edits.giveBack(edit, 'first', NOW);
    await c.claimEdit(edit, NOW, 'second');

    await c.ledger.edits.giveBack(edit, 'second', NOW);
    expect(await c.editState(edit)).toBe('pending');
  });
});

describe('EDITROW-4 a failure of an edit or of its message', () => {
  it.each([
    ['the original id', 'A1'],
    ['the id in the response', 'E1'],
  ])('EDITROW-4 refuses the edit, and leaves the message unchanged, for %s', async (_, blamed) => {
    const { id, edit } = await c.postedEdit();

    const snapshot = await c.receive(blamed, 'failed', { description: 'window passed' });

    expect(snapshot).toMatchObject({ id, state: 'sent', edits: [{ id: edit, state: 'refused' }] });
    expect(await c.ledger.edits.view(edit)).toMatchObject({
      reason: 'window passed',
      idMessageGiven: 'A1',
      idMessageReturned: 'E1',
    });
  });

  it('EDITROW-4 refuses the edit also when the failure came before the response', async () => {
    const { id, edit } = await c.claimedEdit();
    expect(await c.receive('E1', 'failed', { description: 'window passed' })).toBeUndefined();

    expect(await c.ledger.edits.recordPosted(edit, 'E1', NOW)).toMatchObject({ state: 'refused' });
    expect(await c.state(id)).toBe('sent');
  });

  it('EDITROW-4 refuses an edit whose response was lost', async () => {
    await c.claimedEdit();

    expect(await c.receive('A1', 'failed')).toMatchObject({ state: 'sent', edits: [{ state: 'refused' }] });
  });

  it('EDITROW-4 applies a repeated failure to the edit again', async () => {
    const { edit } = await c.claimedEdit();
    await c.ledger.edits.recordPosted(edit, 'A1', NOW);
    await c.receive('A1', 'failed', { description: 'window passed', atMs: NOW });

    expect(await c.receive('A1', 'failed', { description: 'window passed', atMs: NOW + SECOND })).toMatchObject({
      state: 'sent',
    });
  });

  it('EDITROW-4 applies a failure to the message once the edit is settled', async () => {
    const { edit } = await c.postedEdit();
    await c.ledger.edits.recordOutcome(edit, 'edited', { witness: 'getMessage' }, NOW);

    expect(await c.receive('A1', 'failed')).toMatchObject({ state: 'failed', edits: [{ state: 'edited' }] });
  });

  it('EDITROW-4 never changes the message for a receipt with an edit’s own id', async () => {
    const { id } = await c.postedEdit();

    expect(await c.receive('E1', 'read')).toMatchObject({ id, state: 'sent', edits: [{ state: 'posted' }] });
    expect(await c.evidence(id, 'edit_read')).toHaveLength(1);
  });
});

describe('a notification that a message was edited', () => {
  const notice = (text: string) =>
    ({ kind: 'edited', originalIdMessage: 'A1', idMessage: 'N1', text, atMs: NOW + SECOND }) as const;

  it.each(['sending', 'posted', 'unconfirmed'] as const)(
    'settles an edit of the same text that is %s',
    async (state) => {
      const { id, edit } = await c.claimedEdit('two\nlines');
      if (state !== 'sending') await c.ledger.edits.recordPosted(edit, 'E1', NOW);
      if (state === 'unconfirmed')
        await c.ledger.edits.recordOutcome(edit, 'unconfirmed', { witness: 'workflow' }, NOW);

      const snapshot = await c.ledger.receipts.apply(c.instance, notice('two\r\nlines'), NOW);

      expect(snapshot).toMatchObject({ id, edits: [{ id: edit, state: 'edited', via: 'gateway' }] });
      expect(await c.evidence(id, 'edit_edited')).toMatchObject([{ witness: 'receipt', detail: { idMessage: 'N1' } }]);
    },
  );

  it('is only evidence when no edit of ours has that text', async () => {
    const { id } = await c.claimedEdit('ours');

    const snapshot = await c.ledger.receipts.apply(c.instance, notice('by hand'), NOW);

    expect(snapshot).toMatchObject({ state: 'sent', edits: [{ state: 'sending' }] });
    expect(await c.evidence(id, 'edited_elsewhere')).toHaveLength(1);
  });

  it('waits for its message when it arrives before the id', async () => {
    const { id, token } = await c.posting();
    expect(await c.ledger.receipts.apply(c.instance, notice('by hand'), NOW)).toBeUndefined();

    await c.accept(token, 'A1');
    expect(await c.evidence(id, 'edited_elsewhere')).toHaveLength(1);
  });
});

describe('EDITROW-5 end states are final', () => {
  const ends: EditOutcome[] = ['edited', 'refused', 'unconfirmed', 'superseded', 'not_possible'];

  it.each(ends)('EDITROW-5 ends a posted edit as %s, and only late evidence may change that', async (end) => {
    const { id, edit } = await c.postedEdit();

    const first = await c.ledger.edits.recordOutcome(edit, end, { witness: 'workflow', reason: 'because' }, NOW);
    expect(first.state).toBe(end);
    const endedAt = new Date(NOW).toISOString();
    expect(await c.ledger.edits.view(edit)).toMatchObject({ reason: 'because', endedAt });

    const { version } = await c.view(id);
    await c.ledger.edits.recordOutcome(edit, end, { witness: 'workflow' }, NOW + SECOND);
    expect(await c.view(id)).toMatchObject({ version });
    const later: EditState = (await c.ledger.edits.recordOutcome(edit, 'edited', { witness: 'receipt' }, NOW)).state;
    expect(later).toBe(end === 'unconfirmed' ? 'edited' : end);
  });

  it('EDITROW-5 never posts an ended edit, although its notification came before the response', async () => {
    const { edit } = await c.claimedEdit();
    const notice = { kind: 'edited', originalIdMessage: 'A1', idMessage: 'E1', text: 'new', atMs: NOW } as const;
    await c.ledger.receipts.apply(c.instance, notice, NOW + SECOND);
    await c.ledger.edits.recordPosted(edit, 'E1', NOW + 15 * SECOND);

    const at = new Date(NOW + SECOND).toISOString();
    expect(await c.ledger.edits.view(edit)).toMatchObject({ state: 'edited', postedAt: at, endedAt: at });
  });

  it('EDITROW-5 keeps what settled the edit when the response follows', async () => {
    const { edit } = await c.claimedEdit();
    await c.ledger.edits.recordOutcome(edit, 'edited', { witness: 'receipt' }, NOW);

    expect(await c.ledger.edits.recordPosted(edit, 'E1', NOW)).toMatchObject({ state: 'edited' });
    expect(await c.ledger.edits.view(edit)).toMatchObject({ idMessageReturned: 'E1' });
  });

  it('EDITROW-5 gives the message a new version with each step of an edit', async () => {
    const id = await c.sent('A1');
    const versions = [(await c.view(id)).version];
    const seen = async () => versions.push((await c.view(id)).version);
    const edit = await c.edit(id, 'new');
    await seen();
    await c.claimEdit(edit, NOW);
    await seen();
    await c.ledger.edits.recordPosted(edit, 'E1', NOW);
    await seen();
    await c.ledger.edits.recordOutcome(edit, 'edited', { witness: 'getMessage' }, NOW);
    await seen();

    expect(versions).toEqual([4, 5, 6, 7, 8]);
  });
});
