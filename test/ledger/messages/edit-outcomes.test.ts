import { describe, expect, it } from 'vitest';
import { acceptedAs, BUSY, claimEdits, LOST, OLD_TEXT, REJECTED, SETTLES_IN_MS } from '../../support/edits.js';
import { MINUTE, NOW, SECOND, useOwnCast, WINDOW } from '../cast.js';

const c = useOwnCast();

/** The dispatcher's next reads of the journal. */
async function readsAt(nowMs: number) {
  return (await claimEdits(c.ledger, c.instance, nowMs, { posts: 0, reads: 4 })).map(({ editId }) => editId);
}

describe('EDITROW-6 the outcome of one try', () => {
  it('EDITROW-6 does not give back an edit that was refused', async () => {
    const { edit, due } = await c.claimedEdit();
    await c.recordEdit(due, REJECTED);
    await c.recordEdit(due, BUSY);

    expect(await c.ledger.edits.view(edit)).toMatchObject({ state: 'refused', reason: 'GATEWAY_REJECTED' });
  });

  it.each([
    ['the current try, when an earlier one may have arrived', 1],
    ['an earlier try, after another one was claimed', 0],
  ])('EDITROW-6 neither gives an edit back nor refuses it for %s', async (_, which) => {
    const { id, edit, due } = await c.claimedEdit();
    await c.recordEdit(due, LOST);
    await c.readEdit(edit, OLD_TEXT, NOW + 2 * SECOND);
    const tries = [due, (await c.claimEdit(edit, NOW + 2 * SECOND))!];

    await c.recordEdit(tries[which]!, BUSY, NOW + 3 * SECOND);
    expect(await c.editState(edit)).toBe('sending');
    await c.recordEdit(tries[which]!, { ...REJECTED, text: 'Validation failed' }, NOW + 3 * SECOND);

    expect(await c.editState(edit)).toBe('sending');
    const refusals = await c.evidence(id, 'edit_try_refused');
    expect(refusals).toMatchObject(
      which === 0 ? [] : [{ witness: 'response', detail: { code: 'GATEWAY_REJECTED', httpStatus: 400 } }],
    );
  });

  it('EDITROW-6 treats an edit that was given back as never claimed', async () => {
    const { edit, due } = await c.claimedEdit();
    await c.recordEdit(due, BUSY);
    expect(await c.claimEdit(edit, NOW + 4 * SECOND)).toBeUndefined();
    const again = await c.claimEdit(edit, NOW + 5 * SECOND);
    await c.recordEdit(again!, BUSY, NOW + 5 * SECOND);

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
    const { id, edit, due } = await c.claimedEdit();
    expect(await c.receive('E1', 'failed', { description: 'window passed' })).toBeUndefined();
    await c.recordEdit(due, acceptedAs('E1'));

    expect(await c.editState(edit)).toBe('refused');
    expect(await c.state(id)).toBe('sent');
  });

  it('EDITROW-4 refuses an edit whose response was lost', async () => {
    await c.claimedEdit();

    expect(await c.receive('A1', 'failed')).toMatchObject({ state: 'sent', edits: [{ state: 'refused' }] });
  });

  it('EDITROW-4 applies a repeated failure to the edit again', async () => {
    const { due } = await c.claimedEdit();
    await c.recordEdit(due, acceptedAs('A1'));
    await c.receive('A1', 'failed', { description: 'window passed', atMs: NOW });

    expect(await c.receive('A1', 'failed', { description: 'window passed', atMs: NOW + SECOND })).toMatchObject({
      state: 'sent',
    });
  });

  it('EDITROW-4 applies a failure to the message once the edit is settled', async () => {
    const { edit } = await c.postedEdit();
    await c.readEdit(edit, 'new');

    expect(await c.receive('A1', 'failed')).toMatchObject({ state: 'failed', edits: [{ state: 'edited' }] });
  });

  it('EDITROW-4 never changes the message for a receipt with an edit’s own id', async () => {
    const { id } = await c.postedEdit();

    expect(await c.receive('E1', 'read')).toMatchObject({ id, state: 'sent', edits: [{ state: 'posted' }] });
    expect(await c.evidence(id, 'edit_read')).toHaveLength(1);
  });
});

describe('EDITROW-5 a notification that a message was edited', () => {
  const notice = (text: string, idMessage = 'N1') =>
    ({ kind: 'edited', originalIdMessage: 'A1', idMessage, text, atMs: NOW + SECOND }) as const;

  it.each(['sending', 'posted', 'unconfirmed'] as const)(
    'settles an edit of the same text that is %s',
    async (state) => {
      const { id, edit, due } = await c.claimedEdit('two\nlines');
      if (state !== 'sending') await c.recordEdit(due, acceptedAs('E1'));
      if (state === 'unconfirmed') await c.readEdit(edit, OLD_TEXT);
      expect(await c.editState(edit)).toBe(state);

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

  it('EDITROW-5 confirms the newest request with that text: A, B, A', async () => {
    const id = await c.sent('A1');
    const edits = [];
    for (const text of ['A', 'B', 'A']) {
      const edit = await c.edit(id, text);
      edits.push(edit);
      await c.recordEdit((await c.claimEdit(edit))!, acceptedAs('A1'));
      if (edits.length < 3) await c.readEdit(edit, OLD_TEXT);
    }
    await c.ledger.receipts.apply(c.instance, notice('A'), NOW);

    expect(await Promise.all(edits.map((edit) => c.editState(edit)))).toEqual(['unconfirmed', 'unconfirmed', 'edited']);
  });

  it('EDITROW-5 posts the newest edit again over which an older one shows', async () => {
    const { id, edit: older, due } = await c.claimedEdit();
    await c.recordEdit(due, LOST);
    const newer = await c.edit(id, 'newer');
    await c.readEdit(older, OLD_TEXT, NOW + SETTLES_IN_MS);
    await c.recordEdit((await c.claimEdit(newer, NOW + SETTLES_IN_MS))!, acceptedAs('E2'), NOW + SETTLES_IN_MS);
    await c.ledger.receipts.apply(c.instance, notice('newer'), NOW + MINUTE);
    expect(await c.editState(newer)).toBe('edited');

    await c.ledger.receipts.apply(c.instance, notice('new', 'N2'), NOW + MINUTE);
    expect(await readsAt(NOW + MINUTE)).toEqual([newer]);
    await c.readEdit(newer, 'new', NOW + MINUTE);

    expect(await c.claimEdit(newer, NOW + MINUTE)).toMatchObject({ post: { text: 'newer' } });
    await c.ledger.receipts.apply(c.instance, notice('newer', 'N3'), NOW + 2 * MINUTE);
    expect(await c.editState(newer)).toBe('edited');
    expect(await c.evidence(id, 'edit_edited')).toHaveLength(2);
  });

  it('EDITROW-5 leaves an edit alone whose older notification came late', async () => {
    const { id, edit: older } = await c.postedEdit();
    await c.readEdit(older, 'new');
    const newer = await c.edit(id, 'newer');
    await c.recordEdit((await c.claimEdit(newer))!, acceptedAs('E2'));
    await c.readEdit(newer, 'newer');

    await c.ledger.receipts.apply(c.instance, notice('new'), NOW);
    await c.readEdit(newer, 'newer');
    expect(await readsAt(NOW + MINUTE)).toEqual([]);
    expect(await c.editState(newer)).toBe('edited');
  });

  it('EDITROW-5 is honest about an older text that shows after the window', async () => {
    const { id, edit: older } = await c.postedEdit();
    await c.readEdit(older, 'new');
    const newer = await c.edit(id, 'newer');
    await c.recordEdit((await c.claimEdit(newer))!, acceptedAs('E2'));
    await c.readEdit(newer, 'newer');

    await c.ledger.receipts.apply(c.instance, notice('new'), NOW + WINDOW);
    await c.readEdit(newer, 'new', NOW + WINDOW);
    expect(await c.ledger.edits.view(newer)).toMatchObject({ state: 'unconfirmed', reason: 'older_text_shown' });
  });
});

describe('an edit that has ended', () => {
  it('is not posted again, although its notification came before the response', async () => {
    const { edit, due } = await c.claimedEdit();
    const notice = { kind: 'edited', originalIdMessage: 'A1', idMessage: 'E1', text: 'new', atMs: NOW } as const;
    await c.ledger.receipts.apply(c.instance, notice, NOW + SECOND);
    await c.recordEdit(due, acceptedAs('E1'), NOW + 15 * SECOND);

    const at = new Date(NOW + SECOND).toISOString();
    expect(await c.ledger.edits.view(edit)).toMatchObject({
      state: 'edited',
      postedAt: at,
      endedAt: at,
      idMessageReturned: 'E1',
    });
  });

  it('does not change by a repeated outcome', async () => {
    const { id, edit, due } = await c.postedEdit();
    await c.readEdit(edit, 'new');
    const before = await c.view(id);

    await c.recordEdit(due, acceptedAs('E1'), NOW + SECOND);
    await c.recordEdit(due, LOST, NOW + SECOND);
    expect(await c.view(id)).toEqual(before);
  });

  it('gives the message a new version with each step (EDITWRITER-1)', async () => {
    const id = await c.sent('A1');
    const versions = [(await c.view(id)).version];
    const seen = async () => versions.push((await c.view(id)).version);
    const edit = await c.edit(id, 'new');
    await seen();
    const due = await c.claimEdit(edit);
    await seen();
    await c.recordEdit(due!, acceptedAs('E1'));
    await seen();
    await c.readEdit(edit, 'new');
    await seen();

    expect(versions).toEqual([4, 5, 6, 7, 8]);
  });
});

describe('EDITCLAIM-2 an operator’s pause', () => {
  it('EDITCLAIM-2 holds edits back until it ends, and no hours or caps do', async () => {
    const edit = await c.edit(await c.sent('A1'), 'new');
    await c.ledger.instances.pauseByOperator(c.instance, 'p', 'operator', NOW);
    expect(await c.claimEdit(edit)).toBeUndefined();

    await c.ledger.instances.resume(c.instance, 'operator', NOW + SECOND);
    expect(await c.claimEdit(edit, NOW + SECOND)).toBeDefined();
  });
});
