import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RECEIVED_KINDS, receivedFacts } from '../../src/domain/index.js';

const from = { idMessage: 'A1', senderData: { chatId: '15551234567@c.us', senderName: 'Ann' } };
const incoming = (messageData: object) => ({ typeWebhook: 'incomingMessageReceived', ...from, messageData });
const common = { idMessage: 'A1', name: 'Ann' };

it.each([
  [
    incoming({ typeMessage: 'textMessage', textMessageData: { textMessage: 'Hello' } }),
    { what: 'message', type: 'textMessage', text: 'Hello' },
  ],
  [
    incoming({
      typeMessage: 'quotedMessage',
      extendedTextMessageData: { text: 'Yes' },
      quotedMessage: { stanzaId: 'Q1', textMessage: 'Coming?' },
    }),
    { what: 'message', type: 'quotedMessage', text: 'Yes', refersTo: 'Q1' },
  ],
  [
    incoming({
      typeMessage: 'imageMessage',
      fileMessageData: { downloadUrl: 'https://example.com/1.jpg', fileName: '1.jpg', caption: 'Look' },
    }),
    { what: 'message', type: 'imageMessage', text: 'Look', fileName: '1.jpg', fileUrl: 'https://example.com/1.jpg' },
  ],
  [
    incoming({ typeMessage: 'editedMessage', editedMessageData: { textMessage: 'New', stanzaId: 'Q1' } }),
    { what: 'edit', type: 'editedMessage', text: 'New', refersTo: 'Q1' },
  ],
  [
    incoming({ typeMessage: 'deletedMessage', deletedMessageData: { stanzaId: 'Q1' } }),
    { what: 'deletion', type: 'deletedMessage', refersTo: 'Q1' },
  ],
  [
    incoming({
      typeMessage: 'reactionMessage',
      extendedTextMessageData: { text: '👍' },
      quotedMessage: { stanzaId: 'Q1' },
    }),
    { what: 'reaction', type: 'reactionMessage', text: '👍', refersTo: 'Q1' },
  ],
  [
    { typeWebhook: 'incomingCall', ...from, status: 'missed' },
    { what: 'call', type: 'missed' },
  ],
])('reads %j', (body, facts) => {
  expect(receivedFacts(body)).toEqual({ ...common, ...facts });
});

it('reads any JSON, and invents nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (senderData, messageData) => {
      const { what, ...facts } = receivedFacts({ typeWebhook: 'incomingMessageReceived', senderData, messageData });
      expect(RECEIVED_KINDS).toContain(what);
      for (const value of Object.values(facts)) expect(typeof value).toBe('string');
    }),
  );
  expect(receivedFacts(null)).toEqual({ what: 'message' });
  expect(receivedFacts({ messageData: { typeMessage: 7, fileMessageData: { fileName: {} } } })).toEqual({
    what: 'message',
  });
});
