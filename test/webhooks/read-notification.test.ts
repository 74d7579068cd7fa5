import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNotification } from '../../src/webhooks/read-notification.js';

const RECEIVED_AT_MS = 1_800_000_000_000;
const read = (body: unknown) => readNotification(body, RECEIVED_AT_MS, '1101000001');

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
  it.each(['sent', 'delivered', 'read', 'failed', 'noAccount'] as const)('%s is a receipt of it', (status) => {
    expect(read({ ...STATUS, status })).toEqual({
      kind: 'receipt',
      receipt: { kind: 'status', idMessage: 'BAE5', status, atMs: 1_700_000_000_000 },
    });
  });

  it.each([
    ['notInGroup', undefined, 'notInGroup'],
    ['noActiveSession', 'window closed', 'noActiveSession: window closed'],
    ['failed', 'SWE004: why', 'SWE004: why'],
  ])('%s fails the message and says why', (status, description, expected) => {
    expect(read({ ...STATUS, status, description })).toMatchObject({
      receipt: { status: 'failed', description: expected },
    });
  });

  it.each([['yellowCard'], [''], ['pending'], [undefined], [7]])('%s moves no message, but is kept', (status) => {
    expect(read({ ...STATUS, status })).toEqual({ kind: 'noted', what: 'outgoingMessageStatus' });
  });

  it('takes seconds as the document says, milliseconds where they can be nothing else, and its arrival without either', () => {
    const times = [1_700_000_000, '1700000000', 1_700_000_000_000, undefined, 'soon', -1].map(
      (timestamp) => read({ ...STATUS, timestamp }) as { receipt: { atMs: number } },
    );

    expect(times.map(({ receipt }) => receipt.atMs)).toEqual([
      ...Array<number>(3).fill(1_700_000_000_000),
      ...Array<number>(3).fill(RECEIVED_AT_MS),
    ]);
  });

  it('without an id is of no message', () => {
    expect(read({ ...STATUS, idMessage: undefined })).toMatchObject({ kind: 'noted' });
  });
});

describe('a notification of an edited message', () => {
  it.each(['outgoingAPIMessageReceived', 'outgoingMessageReceived'])(
    '%s points back to the original',
    (typeWebhook) => {
      expect(read({ ...EDIT, typeWebhook })).toEqual({
        kind: 'receipt',
        receipt: { kind: 'edited', originalIdMessage: 'BAE5', idMessage: '3EB0', text: 'New', atMs: 1_700_000_001_000 },
      });
    },
  );

  it('may carry a caption in place of a text', () => {
    const messageData = { typeMessage: 'editedMessage', editedMessageData: { caption: 'Newer', stanzaId: 'BAE5' } };

    expect(read({ ...EDIT, messageData })).toMatchObject({ receipt: { kind: 'edited', text: 'Newer' } });
  });

  it('by somebody who wrote to us is no receipt of ours', () => {
    expect(read({ ...EDIT, typeWebhook: 'incomingMessageReceived' })).toMatchObject({ kind: 'incoming' });
  });
});

describe('any other notification', () => {
  it.each(['outgoingAPIMessageReceived', 'stateInstanceChanged', 'statusInstanceChanged'])(
    '%s is noted',
    (typeWebhook) => {
      expect(read({ typeWebhook })).toEqual({ kind: 'noted', what: typeWebhook });
    },
  );

  it('of an unknown kind is ignored', () => {
    expect(read({ typeWebhook: 'somethingNew' })).toEqual({ kind: 'ignored', why: 'kind not used' });
  });

  it('of another instance came to a wrong address', () => {
    expect(read({ ...STATUS, instanceData: { idInstance: '7' } })).toEqual({
      kind: 'ignored',
      why: 'another instance',
    });
    expect(readNotification({ ...STATUS, instanceData: { idInstance: '7' } }, 0, undefined).kind).toBe('receipt');
  });

  it('is read without failing, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (body, part) => {
        expect(read(body).kind).toMatch(/receipt|noted|ignored/);
        expect(read({ ...EDIT, messageData: part, instanceData: part }).kind).toMatch(/noted|ignored/);
      }),
    );
  });
});
