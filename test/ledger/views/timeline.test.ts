/** Proves TIMELINE-1 and TIMELINE-2. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Cast, NOW, SECOND } from '../cast.js';
import { useLedger } from '../../support/ledger/ledger.js';

const ledger = useLedger();

let counter = 0;

/** A contact of one test, and an account. */
function aContact() {
  counter += 1;
  const cast = new Cast(ledger);
  const { instance } = cast;
  const chatId = `1558${String(counter).padStart(7, '0')}@c.us`;
  return {
    cast,
    instance,
    chatId,
    writes(text: string, second: number, { from = chatId, kind = 'incomingMessageReceived' } = {}) {
      const messageData = { typeMessage: 'textMessage', textMessageData: { textMessage: text } };
      const body = { typeWebhook: kind, idMessage: randomUUID(), messageData };
      return ledger.receipts.store(instance, body, NOW + second * SECOND, { kind, chatId: from });
    },
    sent: (text: string, second: number) => cast.pending({ chatId, text, nowMs: NOW + second * SECOND }),
    suppress: (second: number) =>
      ledger.suppressions.add({ chatId, instance, scope: 'marketing', nowMs: NOW + second * SECOND }),
    release: (second: number) => ledger.suppressions.remove({ chatId, instance, nowMs: NOW + second * SECOND }),
    async shown(more: { of?: string; instance?: string; instances?: string[]; limit?: number; cursor?: string } = {}) {
      const { of = chatId, ...filter } = more;
      return (await ledger.views.timeline({ chatId: of, ...filter })).items;
    },
  };
}

const kinds = (items: readonly { readonly kind: string }[]) => items.map(({ kind }) => kind);

describe('the timeline of a contact', () => {
  it('has what was sent, received, written on the phone, and decided about messages, newest first', async () => {
    const contact = aContact();
    const id = await contact.sent('Hello', 1);
    await contact.writes('Who is it?', 2);
    await contact.writes('Me', 3, { kind: 'outgoingMessageReceived' });
    const said = { ...contact, text: 'stop please', word: 'stop', language: 'en', idMessage: randomUUID() };
    await ledger.possibleOptOuts.record({ ...said, atMs: NOW, nowMs: NOW + 4 * SECOND });
    await contact.suppress(5);
    await contact.release(6);
    const items = await contact.shown();
    expect(kinds(items)).toEqual(['released', 'suppressed', 'possible_opt_out', 'phone', 'received', 'message']);
    expect(items.at(-1)).toMatchObject({ message: { id, content: { text: 'Hello' }, edits: [] } });
    expect(items.at(-2)).toMatchObject({ instance: contact.instance, what: 'message', text: 'Who is it?' });
  });

  it('has the edits of a message, with the words of each', async () => {
    const contact = aContact();
    const id = await contact.sent('Hello', 1);
    for (const text of ['Hello Ann', 'Hello Bob']) {
      const edit = { editId: contact.cast.anEditId(), messageId: id, text, witness: 'test', nowMs: NOW };
      await ledger.edits.open(edit);
    }
    expect(await contact.shown()).toMatchObject([
      { message: { content: { text: 'Hello Bob' }, edits: [{ text: 'Hello Ann' }, { text: 'Hello Bob' }] } },
    ]);
  });

  it('TIMELINE-1 is the same for every spelling of a number and for its lid', async () => {
    const contact = aContact();
    const lid = `7${String(Date.now())}@lid`;
    await contact.sent('Hello', 1);
    await contact.writes('from the lid', 2, { from: lid });
    expect(kinds(await contact.shown())).toEqual(['message']);
    await ledger.lids.learn([{ lid, chatId: contact.chatId }], 'notification', NOW);
    for (const of of [contact.chatId, lid]) {
      expect([of, kinds(await contact.shown({ of }))]).toEqual([of, ['received', 'message']]);
    }
  });

  it('TIMELINE-2 is read page by page, with every entry once, also at equal times', async () => {
    const contact = aContact();
    for (const second of [1, 1, 1, 2, 2]) {
      await contact.sent(`Sent ${randomUUID()}`, second);
      await contact.writes(`Written ${randomUUID()}`, second);
    }
    await contact.suppress(1);
    await contact.release(1);
    const all = await contact.shown();
    expect(all).toHaveLength(12);
    for (const limit of [1, 2, 5]) {
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await ledger.views.timeline({ chatId: contact.chatId, limit, cursor });
        seen.push(...page.items);
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect([limit, seen]).toEqual([limit, all]);
    }
  });

  it('is limited to some accounts, without entries that concern all of them', async () => {
    const [contact, other] = [aContact(), aContact()];
    await contact.sent('Hello', 1);
    await contact.writes('Hi', 2);
    await contact.suppress(3);
    await ledger.suppressions.add({ chatId: contact.chatId, scope: 'all', nowMs: NOW + 4 * SECOND });
    const { instance } = contact;
    expect(kinds(await contact.shown({ instance }))).toEqual(['suppressed', 'suppressed', 'received', 'message']);
    expect(kinds(await contact.shown({ instances: [instance] }))).toEqual(['suppressed', 'received', 'message']);
    expect(await contact.shown({ instances: [other.instance] })).toEqual([]);
    expect(await contact.shown({ instance, instances: [other.instance] })).toEqual([]);
  });
});
