import { describe, expect, it } from 'vitest';
import type { EditOutcome, MessageId } from '../../../src/contract/index.js';
import { NOW, useOwnCast } from '../cast.js';

const c = useOwnCast();

describe('the text of a message that is, or will be, on the phone', () => {
  const shown = async (id: MessageId) => {
    const { content, postedText } = await c.view(id);
    const listed = (await c.ledger.messages.list({ limit: 500 })).items.find((item) => item.id === id);
    expect(listed).toMatchObject({ content, ...(postedText !== undefined && { postedText }) });
    return [content.kind === 'text' ? content.text : content.kind, postedText];
  };

  it('is that of a waiting, posted or confirmed edit, and the posted text is shown beside it', async () => {
    const id = await c.sent('A1', { text: 'old' });
    expect(await shown(id)).toEqual(['old', undefined]);
    const edit = await c.edit(id, 'new');
    expect(await shown(id)).toEqual(['new', 'old']);
    await c.claimEdit(edit);
    await c.ledger.edits.recordPosted(edit, 'E1', NOW);
    expect(await shown(id)).toEqual(['new', 'old']);
    await c.ledger.edits.recordOutcome(edit, 'edited', { witness: 'receipt' }, NOW);
    expect(await shown(id)).toEqual(['new', 'old']);
  });

  it.each<EditOutcome>(['refused', 'too_late', 'unconfirmed', 'not_possible'])(
    'is the text before an edit that ended %s',
    async (outcome) => {
      const id = await c.sent('A1', { text: 'old' });
      const first = await c.edit(id, 'first');
      await c.claimEdit(first);
      await c.ledger.edits.recordOutcome(first, 'edited', { witness: 'receipt' }, NOW);
      const second = await c.edit(id, 'second');
      expect(await shown(id)).toEqual(['second', 'old']);
      await c.ledger.edits.recordOutcome(second, outcome, { witness: 'receipt' }, NOW);
      expect(await shown(id)).toEqual(['first', 'old']);
    },
  );

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
