import { describe, expect, it } from 'vitest';
import type { EditId, EditOutcome, MessageId } from '../../../src/contract/index.js';
import { acceptedAs, REJECTED } from '../../support/edits.js';
import { NOW, useOwnCast, WINDOW } from '../cast.js';

const c = useOwnCast();

describe('the text of a message that is, or will be, on the phone', () => {
  const shown = async (id: MessageId) => {
    const { content, postedText } = await c.view(id);
    const listed = (await c.ledger.views.messages({ limit: 500 })).items.find((item) => item.id === id);
    expect(listed).toMatchObject({ content, ...(postedText !== undefined && { postedText }) });
    return [content.kind === 'text' ? content.text : content.kind, postedText];
  };

  it('is that of a waiting, posted or confirmed edit, and the posted text is shown beside it', async () => {
    const id = await c.sent('A1', { text: 'old' });
    expect(await shown(id)).toEqual(['old', undefined]);
    const edit = await c.edit(id, 'new');
    expect(await shown(id)).toEqual(['new', 'old']);
    await c.recordEdit((await c.claimEdit(edit))!, acceptedAs('E1'));
    expect(await shown(id)).toEqual(['new', 'old']);
    await c.readEdit(edit, 'new');
    expect(await shown(id)).toEqual(['new', 'old']);
  });

  const ends: readonly [EditOutcome, (second: EditId) => Promise<unknown>][] = [
    ['refused', async (second) => c.recordEdit((await c.claimEdit(second))!, REJECTED)],
    ['too_late', () => c.ledger.edits.endByTime(500, NOW + WINDOW)],
    [
      'unconfirmed',
      async (second) => {
        await c.recordEdit((await c.claimEdit(second))!, acceptedAs('E2'));
        await c.readEdit(second, { kind: 'no_journal_entry' });
      },
    ],
    ['not_possible', (second) => c.ledger.edits.eraseWaiting([second], NOW)],
  ];
  it.each(ends)('is the text before an edit that ended %s', async (outcome, end) => {
    const id = await c.sent('A1', { text: 'old' });
    const first = await c.edit(id, 'first');
    await c.claimEdit(first);
    await c.readEdit(first, 'first');
    const second = await c.edit(id, 'second');
    expect(await shown(id)).toEqual(['second', 'old']);
    await end(second);
    expect(await c.editState(second)).toBe(outcome);
    expect(await shown(id)).toEqual(['first', 'old']);
  });

  it('is that of an edit before the post, once: the text that is posted', async () => {
    const { id, token } = await c.posting({ text: 'old' });
    await c.edit(id, 'new');
    await c.record(token, { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE', retryAfterMs: 0 });
    expect(await shown(id)).toEqual(['new', undefined]);
    await c.accept((await c.claimed(id)).token, 'A1');
    expect(await shown(id)).toEqual(['new', undefined]);
  });

  it('is not shown for a sensitive message, and its length is that of the edit', async () => {
    const id = await c.sent('A1', { text: 'code 123456', sensitive: true });
    await c.edit(id, 'code 7');
    expect(await shown(id)).toEqual(['••••', undefined]);
    expect(await c.view(id)).toMatchObject({ textLength: 6 });
    expect(JSON.stringify(await c.view(id))).not.toMatch(/123456|code 7/);
  });
});
