/** Proves CHAT-1 to CHAT-3. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NOW, SECOND } from '../cast.js';
import { useLedger } from '../../support/ledger/ledger.js';

const ledger = useLedger();

let counter = 0;

/** An account of one test, and contacts who write to it. */
function anAccount(instance = `i-${randomUUID().slice(0, 8)}`) {
  return {
    instance,
    aContact() {
      counter += 1;
      return `1556${String(counter).padStart(7, '0')}@c.us`;
    },
    /** @param second  when it arrives */
    async writes(chatId: string, text: string, second: number, atMs = NOW) {
      const body = { typeWebhook: 'incomingMessageReceived', messageData: textOf(text), senderData: { chatId } };
      const receivedAtMs = NOW + second * SECOND;
      const facts = { kind: 'incomingMessageReceived', chatId };
      await ledger.receipts.store(instance, { ...body, idMessage: randomUUID() }, receivedAtMs, facts);
      await ledger.conversations.heard({ instance, chatId, receivedAtMs }, atMs);
    },
    read: (chatId: string, second: number) =>
      ledger.conversations.markRead({ instance, chatId, untilMs: NOW + second * SECOND }),
    async chats(more: { unread?: true; chatId?: string; limit?: number; cursor?: string } = {}) {
      return (await ledger.conversations.list({ instances: [instance], ...more })).items;
    },
  };
}

const textOf = (text: string) => ({ typeMessage: 'textMessage', textMessageData: { textMessage: text } });

describe('the chats of an account', () => {
  it('CHAT-1 are listed by the arrival of their last message, with its text', async () => {
    const account = anAccount();
    const [ann, bob] = [account.aContact(), account.aContact()];
    await account.writes(ann, 'first', 1);
    await account.writes(bob, 'second', 2);
    // It was written before the others.
    await account.writes(ann, 'late', 3, NOW - 60 * SECOND);
    expect(await account.chats()).toEqual([
      {
        instance: account.instance,
        chatId: ann,
        arrivedAt: new Date(NOW + 3 * SECOND).toISOString(),
        unread: true,
        last: { what: 'message', type: 'textMessage', text: 'late', idMessage: expect.any(String) },
      },
      expect.objectContaining({ chatId: bob, last: expect.objectContaining({ text: 'second' }) }),
    ]);
  });

  it('are listed page by page, also of several accounts and with equal times', async () => {
    const accounts = [anAccount(), anAccount()];
    const contacts = Array.from({ length: 5 }, () => accounts[0]!.aContact());
    for (const account of accounts) for (const contact of contacts) await account.writes(contact, 'Hello', 1);
    const instances = accounts.map(({ instance }) => instance);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ledger.conversations.list({ instances, cursor, limit: 3 });
      seen.push(...page.items.map(({ instance, chatId }) => `${instance} ${chatId}`));
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(10);
  });

  it('CHAT-2 are unread until an operator has read up to the last message', async () => {
    const account = anAccount();
    const ann = account.aContact();
    await account.writes(ann, 'first', 1);
    await account.writes(ann, 'second', 2);
    expect(await account.read(ann, 1)).toBe(true);
    expect(await account.chats({ unread: true })).toMatchObject([{ chatId: ann }]);
    expect(await account.read(ann, 2)).toBe(false);
    expect(await account.chats({ unread: true })).toEqual([]);
    // The notification is applied again.
    await ledger.conversations.heard({ ...account, chatId: ann, receivedAtMs: NOW + 2 * SECOND }, NOW);
    expect(await account.chats()).toMatchObject([{ unread: false }]);
    await account.writes(ann, 'third', 3);
    expect(await account.chats({ unread: true })).toMatchObject([{ last: { text: 'third' } }]);
  });

  it('CHAT-2 are those of one contact, in every spelling and as a lid', async () => {
    const account = anAccount();
    const [long, short] = ['5511987654321@c.us', '551187654321@c.us'];
    const lid = `9${String(Date.now())}@lid`;
    await account.writes(lid, 'from the lid', 1);
    await account.writes(long, 'from the number', 2);
    await account.read(long, 2);
    expect(await account.chats()).toHaveLength(2);
    await ledger.lids.learn([{ lid, chatId: long }], 'notification', NOW);
    for (const chatId of [long, short, lid]) {
      const chats = await account.chats({ chatId });
      expect([chatId, chats]).toMatchObject([chatId, [{ chatId: long, last: { text: 'from the number' } }]]);
      // What the lid wrote was not read.
      expect(chats[0]?.unread).toBe(true);
    }
    await account.read(short, 2);
    expect(await account.chats({ unread: true })).toEqual([]);
  });

  it('CHAT-3 are shown without a text once its notification was deleted', async () => {
    const account = anAccount();
    const ann = account.aContact();
    await account.writes(ann, 'secret', 1);
    const { items } = { items: await account.chats() };
    expect(items).toMatchObject([{ last: { text: 'secret' } }]);
    await ledger.receipts.markApplied(
      new Map((await ledger.receipts.unapplied(1_000)).map(({ id }) => [id, { outcome: 'incoming' }])),
    );
    await ledger.notifications.forget(NOW + 60 * SECOND);
    expect((await account.chats()).map((chat) => 'last' in chat)).toEqual([false]);
  });

  it('have the open possible opt-out of their contact', async () => {
    const account = anAccount();
    const ann = account.aContact();
    await account.writes(ann, 'stop please', 1);
    const said = { ...account, chatId: ann, text: 'stop please', word: 'stop', language: 'en', atMs: NOW, nowMs: NOW };
    await ledger.possibleOptOuts.record({ ...said, idMessage: randomUUID() });
    const [chat] = await account.chats();
    expect(chat?.possibleOptOut).toMatchObject({ text: 'stop please', state: 'open' });
    await ledger.possibleOptOuts.dismiss({ id: chat?.possibleOptOut?.id ?? '', by: 'test', nowMs: NOW });
    expect((await account.chats())[0]).not.toHaveProperty('possibleOptOut');
  });
});
