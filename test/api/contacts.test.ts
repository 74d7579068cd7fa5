/** Chats and the timeline of a contact over HTTP, from the notification to the response. */
import { describe, expect, it } from 'vitest';
import { eraseRecipients } from '../../src/worker/index.js';
import { SYSTEM_CLOCK, aDirectory, anInstance, ownApi, refusal } from './api-parts.js';
import { CONTACT, aNotification, aReceivedText, receive } from '../support/receive.js';

const OTHER = anInstance({ name: 'other', idInstance: '1101000002' });

async function anApi() {
  const parts = await ownApi({ instances: aDirectory(anInstance(), OTHER) });
  const clock = SYSTEM_CLOCK;
  return {
    ...parts,
    get: (path: string) => parts.call('GET', path),
    read: (body: object) => parts.call('POST', '/v1/chats/read', body),
    hears: (...bodies: readonly object[]) => receive({ ledger: parts.ledger, clock }, ...bodies),
  };
}

const GROUP = '120363043968066561@g.us';

describe('GET /v1/chats', () => {
  it('lists direct chats and groups in which contacts wrote, the newest first', async () => {
    const { get, hears } = await anApi();
    await hears(aReceivedText('Are you open today?'));
    const senderData = { chatId: GROUP, sender: '15557770002@c.us', senderName: 'Bob' };
    await hears(aReceivedText('Hello all', { senderData }));
    const { status, body } = await get('/v1/chats');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      items: [
        { instance: 'main', chatId: GROUP, unread: true, last: { text: 'Hello all', name: 'Bob' } },
        { instance: 'main', chatId: CONTACT, unread: true, last: { text: 'Are you open today?', name: 'Ann' } },
      ],
    });
    expect((await get('/v1/chats?instance=other')).body).toEqual({ items: [] });
    expect((await get('/v1/chats?instance=nowhere')).body).toEqual({ items: [] });
    expect((await get('/v1/chats?to=%2B1%20555%20777%200001')).body.items).toMatchObject([{ chatId: CONTACT }]);
  });

  it('shows the possible opt-out of a chat, until it is decided', async () => {
    const { get, hears, call } = await anApi();
    await hears(aReceivedText('please stop writing to me'));
    const [{ possibleOptOut }] = (await get('/v1/chats')).body.items;
    expect(possibleOptOut).toMatchObject({ state: 'open', text: 'please stop writing to me' });
    await call('POST', `/v1/suppressions/possible/${possibleOptOut.id}/accept`);
    expect((await get('/v1/chats')).body.items[0]).not.toHaveProperty('possibleOptOut');
  });

  it('leads on by its cursor, and refuses that of another list', async () => {
    const { get, hears } = await anApi();
    await hears(aReceivedText('one'), aReceivedText('two', { senderData: { chatId: '15557770002@c.us' } }));
    const first = (await get('/v1/chats?limit=1')).body;
    const second = (await get(`/v1/chats?limit=1&cursor=${first.cursor}`)).body;
    expect([...first.items, ...second.items]).toHaveLength(2);
    expect(second).not.toHaveProperty('cursor');
    const { cursor } = (await get(`/v1/contacts/${CONTACT}/timeline?limit=1`)).body;
    expect(await get(`/v1/chats?cursor=${cursor ?? 'none'}`)).toMatchObject(refusal(422, 'INPUT_INVALID'));
  });
});

describe('POST /v1/chats/read', () => {
  it('marks a chat up to a message, for all operators', async () => {
    const { get, hears, read } = await anApi();
    await hears(aReceivedText('one'));
    const [{ arrivedAt: until }] = (await get('/v1/chats?unread=true')).body.items;
    const mark = { instance: 'main', to: '+1 555 777 0001', until };
    for (let time = 0; time < 2; time += 1) {
      expect(await read(mark)).toMatchObject({
        status: 200,
        body: { instance: 'main', chatId: CONTACT, unread: false },
      });
    }
    expect((await get('/v1/chats?unread=true')).body).toEqual({ items: [] });
    expect((await get('/v1/chats')).body.items).toMatchObject([{ unread: false }]);
    await hears(aReceivedText('two'));
    expect((await read(mark)).body.unread).toBe(true);
  });

  it('refuses an unknown account, a number that is none, and a time that is none', async () => {
    const { read } = await anApi();
    const mark = { instance: 'main', to: CONTACT, until: '2026-03-01T10:00:00Z' };
    expect(await read({ ...mark, instance: 'nowhere' })).toMatchObject({ body: { code: 'INSTANCE_NOT_FOUND' } });
    expect(await read({ ...mark, to: 'Ann' })).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(await read({ ...mark, until: 'now' })).toMatchObject(refusal(422, 'INPUT_INVALID'));
  });
});

describe('GET /v1/contacts/{to}/timeline', () => {
  it('shows what was written, edited, deleted, reacted and called', async () => {
    const { get, hears } = await anApi();
    const senderData = { chatId: CONTACT, senderName: 'Ann' };
    const message = (messageData: object, idMessage: string) =>
      aNotification('incomingMessageReceived', { idMessage, senderData, messageData });
    const quotedMessage = { stanzaId: 'Q1' };
    await hears(
      message({ typeMessage: 'editedMessage', editedMessageData: { textMessage: 'New', stanzaId: 'Q1' } }, 'A1'),
      message({ typeMessage: 'deletedMessage', deletedMessageData: { stanzaId: 'Q1' } }, 'A2'),
      message({ typeMessage: 'reactionMessage', extendedTextMessageData: { text: '👍' }, quotedMessage }, 'A3'),
      aNotification('incomingCall', { idMessage: 'A4', from: CONTACT, status: 'missed' }),
      {
        ...message({ typeMessage: 'textMessage', textMessageData: { textMessage: 'Hi' } }, 'A5'),
        typeWebhook: 'outgoingMessageReceived',
      },
    );
    const { status, body } = await get(`/v1/contacts/${encodeURIComponent('+1 (555) 777-0001')}/timeline`);
    expect(status).toBe(200);
    expect(body.chatId).toBe(CONTACT);
    const seen = body.items.map(({ kind, what, text, type }: Record<string, string>) => [kind, what, text ?? type]);
    expect(seen.toSorted()).toEqual([
      ['phone', 'message', 'Hi'],
      ['received', 'call', 'missed'],
      ['received', 'deletion', 'deletedMessage'],
      ['received', 'edit', 'New'],
      ['received', 'reaction', '👍'],
    ]);
  });

  it('reads a national number, and names what it cannot read', async () => {
    const { get } = await anApi();
    const { body } = await get('/v1/contacts/0151%2012345678/timeline?defaultCountry=DE');
    expect(body).toEqual({ chatId: '4915112345678@c.us', items: [] });
    const refused = await get('/v1/contacts/0151%2012345678/timeline');
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'to' }] } });
    expect(JSON.stringify(refused.body)).not.toContain('12345678');
  });

  it('forgets an erased contact', async () => {
    const { get, hears, ledger } = await anApi();
    await hears(aReceivedText('secret'));
    const { receipt } = await ledger.erasures.begin({ chatId: CONTACT, requestedBy: 'test', nowMs: Date.now() });
    await eraseRecipients({ ledger, keptForMs: 1_000, clock: SYSTEM_CLOCK, log: () => undefined }).round();
    expect(await ledger.erasures.find(receipt.id)).toMatchObject({ state: 'done' });
    const { body } = await get(`/v1/contacts/${CONTACT}/timeline`);
    expect(body.items.filter(({ kind }: { kind: string }) => kind === 'received')).toEqual([]);
    expect((await get('/v1/chats')).body).toEqual({ items: [] });
  });
});
