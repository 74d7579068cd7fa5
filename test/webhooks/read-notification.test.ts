import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNotification, readNotification } from '../../src/webhooks/read-notification.js';

const RECEIVED_AT_MS = 1_800_000_000_000;
const MAIN = { instance: 'main', idInstance: '1101000001' };
const read = (body: unknown) => readNotification(parseNotification(body), RECEIVED_AT_MS, MAIN);

const STATUS = {
  typeWebhook: 'outgoingMessageStatus',
  instanceData: { idInstance: 1101000001, wid: '15550000009@c.us', typeInstance: 'whatsapp' },
  timestamp: 1_700_000_000,
  chatId: '15550000001@c.us',
  idMessage: 'BAE5',
  status: 'delivered',
  sendByApi: true,
};

const EDIT = {
  typeWebhook: 'outgoingAPIMessageReceived',
  instanceData: STATUS.instanceData,
  timestamp: 1_700_000_001,
  idMessage: '3EB0',
  senderData: { chatId: '15550000001@c.us' },
  messageData: { typeMessage: 'editedMessage', editedMessageData: { textMessage: 'New', stanzaId: 'BAE5' } },
};

describe('a notification of a status', () => {
  it.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
    ['failed', 'failed'],
    ['noAccount', 'no_account'],
  ] as const)('%s is a receipt for it', (word, status) => {
    expect(read({ ...STATUS, status: word })).toEqual({
      kind: 'receipt',
      receipt: { kind: 'status', idMessage: 'BAE5', status, atMs: 1_700_000_000_000 },
    });
  });

  it.each([
    ['notInGroup', undefined, 'notInGroup'],
    ['noActiveSession', 'window closed', 'noActiveSession: window closed'],
    ['failed', 'SWE004: why', 'SWE004: why'],
  ])('%s fails the message with the reason', (status, description, expected) => {
    expect(read({ ...STATUS, status, description })).toMatchObject({
      receipt: { status: 'failed', description: expected },
    });
  });

  it.each([[''], ['pending'], [undefined], [7]])('%s does not move the message, but is kept', (status) => {
    expect(read({ ...STATUS, status })).toEqual({ kind: 'noted', what: 'outgoingMessageStatus' });
  });

  it('yellowCard is recorded for the message, and does not move it', () => {
    expect(read({ ...STATUS, status: 'yellowCard', description: 'why' })).toEqual({
      kind: 'receipt',
      receipt: { kind: 'remark', what: 'yellowCard', idMessage: 'BAE5', atMs: 1_700_000_000_000, description: 'why' },
    });
  });

  it.each([[undefined], ['x'.repeat(257)]])('belongs to no message with the id %s', (idMessage) => {
    expect(read({ ...STATUS, idMessage })).toEqual({ kind: 'ignored', why: 'incomplete' });
  });
});

describe('a notification of an edited message', () => {
  it.each(['outgoingAPIMessageReceived', 'outgoingMessageReceived'])('%s refers to the original', (typeWebhook) => {
    expect(read({ ...EDIT, typeWebhook })).toEqual({
      kind: 'receipt',
      receipt: { kind: 'edited', originalIdMessage: 'BAE5', idMessage: '3EB0', text: 'New', atMs: 1_700_000_001_000 },
    });
  });

  it('may have a caption instead of a text', () => {
    const messageData = { typeMessage: 'editedMessage', editedMessageData: { caption: 'Newer', stanzaId: 'BAE5' } };

    expect(read({ ...EDIT, messageData })).toMatchObject({ receipt: { kind: 'edited', text: 'Newer' } });
  });

  it.each(['editedMessage', 'deletedMessage'])('changes nothing of ours when a contact edited (%s)', (change) => {
    const messageData = { ...EDIT.messageData, typeMessage: change, deletedMessageData: { stanzaId: 'BAE5' } };

    expect(read({ ...EDIT, messageData, typeWebhook: 'incomingMessageReceived' })).toMatchObject({ kind: 'noted' });
  });

  it('may have its own kind', () => {
    expect(read({ ...EDIT, typeWebhook: 'editedMessage', messageData: EDIT.messageData })).toMatchObject({
      receipt: { kind: 'edited', originalIdMessage: 'BAE5' },
    });
  });

  it('has less information without a part', () => {
    expect(read({ ...EDIT, messageData: { typeMessage: 'editedMessage' } })).toMatchObject({ kind: 'noted' });
  });
});

describe('the time of a notification', () => {
  const EARLY_OR_LATE = [1e300, -1, 0, 1e-300, 5, 4e9, 253402300800];
  it.each<unknown>([...EARLY_OR_LATE, '1e400', '', 'soon', null, {}, { valueOf: 1, toString: 1 }, undefined])(
    'is its arrival for the date %j',
    (timestamp) => {
      expect(read({ ...STATUS, timestamp })).toMatchObject({ receipt: { atMs: RECEIVED_AT_MS } });
    },
  );

  it.each([
    [1_700_000_000, 1_700_000_000_000],
    ['1700000000', 1_700_000_000_000],
    [1_700_000_000_123, 1_700_000_000_123],
    [1_700_000_000.9, 1_700_000_000_900],
    // A clock that is ahead.
    [1_800_100_000, 1_800_100_000_000],
  ])('is its own for the date %j', (timestamp, atMs) => {
    expect(read({ ...STATUS, timestamp })).toMatchObject({ receipt: { atMs } });
  });
});

describe('a notification of a deleted message', () => {
  const messageData = { typeMessage: 'deletedMessage', deletedMessageData: { stanzaId: 'BAE5' } };

  it.each(['outgoingAPIMessageReceived', 'outgoingMessageReceived', 'deletedMessage'])(
    '%s is recorded for the original',
    (typeWebhook) => {
      expect(read({ ...EDIT, typeWebhook, messageData })).toEqual({
        kind: 'receipt',
        receipt: { kind: 'remark', what: 'deleted', idMessage: 'BAE5', atMs: 1_700_000_001_000 },
      });
    },
  );
});

/** Proves SAID-1 to SAID-5. */
describe('a message that a recipient wrote to the account', () => {
  const INCOMING = {
    typeWebhook: 'incomingMessageReceived',
    instanceData: STATUS.instanceData,
    timestamp: 1_700_000_002,
    idMessage: '3EB1',
    senderData: {
      chatId: '120363043968066561@g.us',
      sender: '15550000001@c.us',
      senderName: 'Ann',
      chatName: 'Garden',
    },
    messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'STOP' } },
  };

  it('has the sender, the text, the chat and the time', () => {
    expect(read(INCOMING)).toEqual({
      kind: 'incoming',
      message: {
        instance: 'main',
        idMessage: '3EB1',
        chatId: '120363043968066561@g.us',
        lids: [],
        text: 'STOP',
        atMs: 1_700_000_002_000,
        receivedAtMs: 1_800_000_000_000,
      },
    });
  });

  it.each([
    ["a link's text", { typeMessage: 'extendedTextMessage', extendedTextMessageData: { text: 'STOP' } }, 'STOP'],
    ["a file's caption", { typeMessage: 'imageMessage', fileMessageData: { caption: 'STOP' } }, 'STOP'],
    ['the words of a template button', { templateButtonReplyMessage: { selectedDisplayText: 'STOP' } }, 'STOP'],
    ['the words of a button', { buttonsResponseMessage: { selectedButtonText: 'STOP' } }, 'STOP'],
    ['the words of a list line', { listResponseMessage: { title: 'STOP' } }, 'STOP'],
    [
      'no words of a button id',
      { typeMessage: 'buttonsResponseMessage', buttonsResponseMessage: { selectedButtonId: 'STOP' } },
      undefined,
    ],
    ['no text of a reaction', { typeMessage: 'reactionMessage', extendedTextMessageData: { text: 'STOP' } }, undefined],
    ['no text of a poll', { typeMessage: 'pollMessage', pollMessageData: { name: 'STOP' } }, undefined],
    ['no quoted text', { typeMessage: 'newType', quotedMessage: { textMessage: 'STOP' }, x: { title: 'No' } }, 'No'],
    ['no text', { typeMessage: 'stickerMessage' }, undefined],
    ['a text of a wrong type', { typeMessage: 'textMessage', textMessageData: { textMessage: 7 } }, undefined],
    ['no readable part', 'STOP', undefined],
  ])('may have %s', (_, messageData, text) => {
    const reading = read({ ...INCOMING, messageData });

    expect(reading.kind).toBe('incoming');
    expect(reading.kind === 'incoming' && reading.message.text).toBe(text);
  });

  it.each([
    ['templateButtonReplyMessage', { templateButtonReplyMessage: { selectedDisplayText: 'STOP' } }],
    ['templateButtonsReplyMessage', { templateButtonsReplyMessage: { selectedDisplayText: 'STOP' } }],
    ['interactiveButtonsResponse', { interactiveButtonsResponse: { selectedDisplayText: 'STOP', selectedId: '1' } }],
    ['interactiveButtonsResponse', { interactiveButtonsResponse: { selectedButtonText: 'STOP' } }],
  ])('has the words of the button in %s', (typeMessage, fields) => {
    expect(read({ ...INCOMING, messageData: { typeMessage, ...fields } })).toMatchObject({ message: { text: 'STOP' } });
  });

  it.each([
    ['interactiveResponseMessage', { interactiveResponseMessage: { body: { text: 'STOP' } } }],
    ['flowReply', { flowReply: { response: { id: 'x', type: 'REVOKE', title: 'STOP' } } }],
    ['newMedia', { fileMessageData: { caption: 'STOP', fileName: 'a.jpg' } }],
  ])('of the unknown type %s has its text, and is counted by its type', (typeMessage, fields) => {
    expect(read({ ...INCOMING, messageData: { typeMessage, ...fields } })).toMatchObject({
      kind: 'incoming',
      unknownType: typeMessage,
      message: { text: 'STOP' },
    });
  });

  it('of an unknown type without a text is not counted', () => {
    const messageData = { typeMessage: 'protocolMessage', protocolMessage: { type: 'REVOKE', id: '1' } };
    expect(read({ ...INCOMING, messageData })).not.toHaveProperty('unknownType');
  });

  it.each(['15550001001:3@c.us', '15550001001@s.whatsapp.net', '15550001001', 15550001001, '15550001001@C.US'])(
    'has the chat id of the contract when the gateway shows %j',
    (chatId) => {
      const reading = read({ ...INCOMING, senderData: { chatId, sender: chatId } });
      expect(reading).toMatchObject({ kind: 'incoming', message: { chatId: '15550001001@c.us' } });
    },
  );

  it.each(['status@broadcast', '15550001001-1@broadcast', '120363144038483540@newsletter'])(
    'is only recorded in the chat %s, which is no recipient',
    (chatId) => {
      expect(read({ ...INCOMING, senderData: { chatId, sender: '15550001001@c.us' } }).kind).toBe('noted');
    },
  );

  it('is counted when its chat cannot be read', () => {
    expect(read({ ...INCOMING, senderData: { chatId: 'Ann' } })).toEqual({ kind: 'ignored', why: 'unreadable_chat' });
  });

  const LID = { lid: '77000111222@lid', chatId: '15550001001@c.us' };
  it.each([
    ['a lid as chat, and the number as sender', { chatId: LID.lid, sender: LID.chatId }, [LID]],
    ['the number as chat, and a lid as sender', { chatId: '15550001001', sender: '77000111222:2@lid' }, [LID]],
    ['both in a group', { chatId: '120363043968066561@g.us', sender: LID.lid, senderPhoneNumber: 15550001001 }, [LID]],
    ['a lid beside the number', { chatId: LID.chatId, sender: LID.chatId, senderLid: LID.lid }, [LID]],
    ['two numbers', { chatId: LID.chatId, sender: '15550001002@c.us' }, []],
    ["the account's own number", { chatId: LID.lid, sender: '15550009999@c.us' }, []],
    ['a lid only', { chatId: LID.lid, sender: LID.lid }, []],
  ])('shows with %s which ids belong together', (_, senderData, lids) => {
    const instanceData = { ...INCOMING.instanceData, wid: '15550009999:1@c.us' };
    expect(read({ ...INCOMING, instanceData, senderData })).toMatchObject({ message: { lids } });
  });

  it.each([
    ['chat', { senderData: { sender: '15550000001@c.us' } }],
    ['id', { idMessage: '' }],
  ])('is ignored without its %s', (_, lacking) => {
    expect(read({ ...INCOMING, ...lacking })).toEqual({ kind: 'ignored', why: 'incomplete' });
  });
});

describe('any other notification', () => {
  it.each([
    [{ typeWebhook: 'outgoingAPIMessageReceived' }],
    [{ typeWebhook: 'outgoingMessageReceived' }],
    [{ typeWebhook: 'stateInstanceChanged', stateInstance: 'authorized' }],
    [{ typeWebhook: 'statusInstanceChanged', statusInstance: 'online' }],
    [{ typeWebhook: 'deviceInfo', avatarInfo: { chatId: 7 } }],
    [{ typeWebhook: 'incomingCall', from: '15550000001@c.us', status: 'offer' }],
    [{ typeWebhook: 'incomingBlock', chatId: '15550000001@c.us' }],
    [{ typeWebhook: 'quotaExceeded', quotaData: { method: 'sendMessage', used: 'three' } }],
  ])('$typeWebhook is recorded', (body) => {
    expect(read(body)).toEqual({ kind: 'noted', what: body.typeWebhook });
  });

  it('is incomplete without the name of its state', () => {
    expect(read({ typeWebhook: 'stateInstanceChanged' })).toEqual({ kind: 'ignored', why: 'incomplete' });
  });

  it('is ignored when its kind is unknown', () => {
    expect(read({ typeWebhook: 'somethingNew' })).toEqual({ kind: 'ignored', why: 'unknown_kind' });
  });

  it.each([
    ['text'],
    [[STATUS]],
    [null],
    [{ status: 'sent' }],
    [{ typeWebhook: 7 }],
    [{ typeWebhook: 'x'.repeat(65) }],
  ])('is malformed without a kind: %j', (body) => {
    expect(read(body)).toEqual({ kind: 'ignored', why: 'malformed' });
  });

  it('has a wrong address when it is of another instance', () => {
    expect(read({ ...STATUS, instanceData: { idInstance: '7' } })).toEqual({
      kind: 'ignored',
      why: 'another_instance',
    });
    const unconfigured = { ...MAIN, idInstance: undefined };
    expect(
      readNotification(parseNotification({ ...STATUS, instanceData: { idInstance: '7' } }), 0, unconfigured).kind,
    ).toBe('receipt');
  });

  it('is read without an error, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (body, part) => {
        expect(read(body).kind).toMatch(/receipt|incoming|noted|ignored/);
        expect(read({ ...EDIT, messageData: part, instanceData: part }).kind).toMatch(/noted|ignored/);
      }),
    );
  });
});
