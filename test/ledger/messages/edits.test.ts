import { describe, expect, it } from 'vitest';
import { type MessageId, RECEIPT_WAIT_MS } from '../../../src/contract/index.js';
import {
  acceptedAs,
  AWAY,
  BUSY,
  claimEdits,
  CONFIRM_WITHIN_MS,
  LOST,
  OLD_TEXT,
  SETTLES_IN_MS,
} from '../../support/edits.js';
import { CHAT, MINUTE, NOW, SECOND, useOwnCast, WINDOW } from '../cast.js';

const c = useOwnCast();
const HOUR = 60 * MINUTE;

/** The dispatcher's next reads of the journal. */
async function readsAt(nowMs: number) {
  return (await claimEdits(c.ledger, c.instance, nowMs, { posts: 0, reads: 4 })).map(({ editId }) => editId);
}

describe('EDITROW-1 an edit before and after the claim', () => {
  it('EDITROW-1 replaces the text at once while the message is pending', async () => {
    const id = await c.pending({ text: 'old' });
    const editId = c.anEditId();

    const { edit, message } = await c.ledger.edits.open({ editId, messageId: id, text: 'new', nowMs: NOW });

    expect(edit).toEqual({ id: editId, state: 'edited', via: 'before_send' });
    expect(message).toMatchObject({ state: 'pending', edits: [edit] });
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

    expect(await c.claimEdit(edit)).toBeUndefined();
    expect(await c.view(id)).toMatchObject({
      content: { text: 'new' },
      postedText: 'old',
      edits: [{ id: edit, state: 'pending' }],
    });
  });

  it('EDITROW-1 waits while the message is accepted, and is due once it is sent', async () => {
    const edit = await c.edit(await c.accepted('A1'), 'new');
    expect(await c.claimEdit(edit)).toBeUndefined();

    await c.receive('A1', 'delivered', { atMs: NOW + SECOND, nowMs: NOW + SECOND });
    expect(await c.claimEdit(edit, NOW + SECOND)).toMatchObject({ idMessage: 'A1' });
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
});

describe('EDITROW-2 a message with several edits', () => {
  it('EDITROW-2 gives the id, the chat and the text of the newest edit', async () => {
    const id = await c.sent('A1');
    const edit = await c.edit(id, 'new');

    expect(await c.claimEdit(edit, NOW + SECOND)).toEqual({
      editId: edit,
      messageId: id,
      instance: c.instance,
      chatId: CHAT,
      idMessage: 'A1',
      post: { token: expect.any(String) as string, text: 'new', deadlineMs: NOW + 6 * SECOND },
    });
    expect(await c.ledger.edits.view(edit)).toMatchObject({ messageId: id, state: 'sending', idMessageGiven: 'A1' });
  });

  it('EDITROW-2 ends a waiting edit when a newer one comes', async () => {
    const id = await c.sent('A1');
    const older = await c.edit(id, 'new');
    const newer = await c.edit(id, 'newer');

    expect(await claimEdits(c.ledger, c.instance, NOW)).toMatchObject([{ editId: newer }]);
    expect(await c.editState(older)).toBe('superseded');
    expect(await c.evidence(id, 'edit_superseded')).toMatchObject([{ detail: { edit: older, reason: 'newer_edit' } }]);
  });

  it('EDITROW-2, EDITWRITER-2 keeps a newer edit waiting while an older one is under way', async () => {
    const { id, edit: older, due } = await c.claimedEdit();
    const newer = await c.edit(id, 'newer');
    expect(await c.claimEdit(newer)).toBeUndefined();

    await c.recordEdit(due, acceptedAs('E1'));
    expect(await c.claimEdit(newer)).toBeUndefined();

    await c.readEdit(older, 'new', NOW + CONFIRM_WITHIN_MS);
    expect(await c.claimEdit(newer, NOW + CONFIRM_WITHIN_MS)).toMatchObject({ post: { text: 'newer' } });
  });

  it('EDITROW-2 keeps a newer edit waiting until a lost older one has settled', async () => {
    const { id, edit: older, due } = await c.claimedEdit();
    const newer = await c.edit(id, 'newer');
    await c.recordEdit(due, LOST);

    expect(await claimEdits(c.ledger, c.instance, NOW + SETTLES_IN_MS - 1, { reads: 4 })).toEqual([]);
    expect(await readsAt(NOW + SETTLES_IN_MS)).toEqual([older]);
    await c.readEdit(older, OLD_TEXT, NOW + SETTLES_IN_MS);

    expect(await c.editState(older)).toBe('superseded');
    expect(await c.claimEdit(newer, NOW + SETTLES_IN_MS)).toMatchObject({ post: { text: 'newer' } });
  });

  it('EDITROW-2 confirms a lost older edit that the phone shows before the newer one goes', async () => {
    const { id, edit: older, due } = await c.claimedEdit();
    await c.recordEdit(due, LOST);
    const newer = await c.edit(id, 'newer');
    await c.readEdit(older, 'new', NOW + SETTLES_IN_MS);

    expect(await c.editState(older)).toBe('edited');
    expect(await c.claimEdit(newer, NOW + SETTLES_IN_MS)).toBeDefined();
  });

  it('EDITROW-2 does not wait for the confirmation of an older edit whose journal cannot be read', async () => {
    const { id, edit: older } = await c.postedEdit();
    const newer = await c.edit(id, 'newer');
    await c.readEdit(older, AWAY, NOW + CONFIRM_WITHIN_MS);

    expect(await c.editState(older)).toBe('unconfirmed');
    expect(await c.claimEdit(newer, NOW + CONFIRM_WITHIN_MS)).toBeDefined();
  });

  it('EDITROW-2 supersedes an edit that was given back while a newer one waits', async () => {
    const { id, edit: older, due } = await c.claimedEdit();
    const newer = await c.edit(id, 'newer');
    await c.recordEdit(due, BUSY);

    expect(await c.editState(older)).toBe('superseded');
    expect(await c.claimEdit(newer)).toBeDefined();
  });

  it('EDITROW-2 posts a lost edit again only when the journal does not show it', async () => {
    const { edit, due } = await c.claimedEdit();
    await c.recordEdit(due, LOST);
    expect(await c.claimEdit(edit, NOW + MINUTE)).toBeUndefined();

    expect(await readsAt(NOW + 2 * SECOND)).toEqual([edit]);
    await c.readEdit(edit, OLD_TEXT, NOW + 2 * SECOND);
    expect(await c.claimEdit(edit, NOW + 2 * SECOND)).toMatchObject({ post: { text: 'new' } });
  });

  it('EDITROW-2 has nothing to post after the response of editMessage', async () => {
    const { edit } = await c.postedEdit();

    expect(await c.claimEdit(edit, NOW + MINUTE)).toBeUndefined();
    expect(await c.editState(edit)).toBe('posted');
  });
});

describe('EDITROW-3 the edit window', () => {
  it('EDITROW-3 ends an edit as too late from the end of the window on', async () => {
    const id = await c.sent('A1');
    const edit = await c.edit(id, 'new');

    expect(await c.claimEdit(edit, NOW + WINDOW)).toBeUndefined();
    await c.ledger.edits.endByTime(10, NOW + WINDOW - 1);
    expect(await c.editState(edit)).toBe('pending');
    await c.ledger.edits.endByTime(10, NOW + WINDOW);
    expect(await c.ledger.edits.view(edit)).toMatchObject({ state: 'too_late', reason: 'window_closed' });
    expect(await c.evidence(id, 'edit_too_late')).toHaveLength(1);
  });

  it('EDITROW-3 ends an edit at once whose window has closed before it', async () => {
    const id = await c.sent('A1');

    const { edit } = await c.ledger.edits.open({
      editId: c.anEditId(),
      messageId: id,
      text: 'late',
      nowMs: NOW + WINDOW,
    });
    expect(edit.state).toBe('too_late');
  });

  it('EDITROW-3 never ends an edit as too late whose request had no response: it waits for a confirmation', async () => {
    const { edit, due } = await c.claimedEdit();
    await c.recordEdit(due, LOST);
    await c.readEdit(edit, OLD_TEXT, NOW + 2 * SECOND);

    await c.ledger.edits.endByTime(10, NOW + WINDOW);
    expect(await c.editState(edit)).toBe('sending');
    expect(await readsAt(NOW + WINDOW)).toEqual([edit]);
    await c.readEdit(edit, OLD_TEXT, NOW + WINDOW);
    expect(await c.editState(edit)).toBe('unconfirmed');
  });

  it('EDITROW-3 ends an edit as too late that was given back after the window', async () => {
    const { edit, due } = await c.claimedEdit();
    await c.recordEdit(due, BUSY, NOW + SECOND);
    expect(await c.editState(edit)).toBe('pending');

    await c.ledger.edits.endByTime(10, NOW + WINDOW);
    expect(await c.editState(edit)).toBe('too_late');
  });
});

describe('EDITROW-7 time ends every edit', () => {
  it('EDITROW-7 ends what nothing has confirmed an hour after the window', async () => {
    const { id, edit } = await c.postedEdit();
    await c.readEdit(edit, AWAY, NOW + WINDOW);

    await c.ledger.edits.endByTime(10, NOW + WINDOW + HOUR - 1);
    expect(await c.editState(edit)).toBe('posted');
    await c.ledger.edits.endByTime(10, NOW + WINDOW + HOUR);
    expect(await c.editState(edit)).toBe('unconfirmed');
    expect(await c.evidence(id, 'edit_unconfirmed')).toMatchObject([{ detail: { reason: 'no_sign' } }]);
  });

  it('EDITROW-7 repeats a read that failed, and the longer it fails the more rarely', async () => {
    const { edit } = await c.postedEdit();
    await c.readEdit(edit, AWAY, NOW + CONFIRM_WITHIN_MS);
    expect(await readsAt(NOW + CONFIRM_WITHIN_MS + 4 * SECOND)).toEqual([]);
    expect(await readsAt(NOW + CONFIRM_WITHIN_MS + 5 * SECOND)).toEqual([edit]);

    await c.readEdit(edit, 'new', NOW + CONFIRM_WITHIN_MS + 5 * SECOND);
    expect(await c.editState(edit)).toBe('edited');
  });

  it('EDITROW-7 ends an edit of a message that is never seen sent', async () => {
    const id = await c.accepted('A1');
    const edit = await c.edit(id, 'new');
    await c.ledger.messages.expire(id, NOW + 26 * HOUR);

    expect(await c.ledger.edits.view(edit)).toMatchObject({ state: 'not_possible', reason: 'never_seen_sent' });
  });

  it('EDITROW-7 ends an edit of an unresolved message once no evidence can come', async () => {
    const { id, token } = await c.posting({ expiresAtMs: NOW + HOUR });
    const edit = await c.edit(id, 'new');
    await c.record(token, LOST);
    const attempt = await c.ledger.reconciling.attempt(id);
    await c.ledger.reconciling.markUnresolved(attempt!, 'no_witness', NOW);

    await c.ledger.edits.endByTime(500, NOW + HOUR + RECEIPT_WAIT_MS - 1);
    expect(await c.editState(edit)).toBe('pending');
    await c.ledger.edits.endByTime(500, NOW + HOUR + RECEIPT_WAIT_MS);
    expect(await c.ledger.edits.view(edit)).toMatchObject({ state: 'not_possible', reason: 'never_seen_sent' });
  });
});
