import { describe, expect, it } from 'vitest';
import { DataEraser } from '../../../src/ledger/privacy/blank-data.js';
import { mentionPattern } from '../../../src/ledger/privacy/erase-mentions.js';

const NUMBER = '15550430001';
const CHAT = `${NUMBER}@c.us`;
const OTHER = '15559999999@c.us';
const OWN_GROUP = `${NUMBER}-1400000000@g.us`;

const eraser = new DataEraser({ chatIds: [CHAT], pattern: mentionPattern([NUMBER]) });

describe('the JSON of the gateway', () => {
  it.each([
    [
      'a group that the recipient owns keeps its id and its other members',
      {
        groupId: OWN_GROUP,
        owner: CHAT,
        subject: 'Choir',
        participants: [
          { id: CHAT, isAdmin: true },
          { id: OTHER, isAdmin: false },
        ],
      },
      {
        groupId: OWN_GROUP,
        owner: '',
        subject: 'Choir',
        participants: [
          { id: '', isAdmin: true },
          { id: OTHER, isAdmin: false },
        ],
      },
    ],
    [
      'so does a snapshot of the group',
      { fields: { owner: CHAT, subject: 'Choir' }, participants: [{ id: OTHER }] },
      { fields: { owner: '', subject: 'Choir' }, participants: [{ id: OTHER }] },
    ],
    [
      'a message of the recipient is blanked as a whole, also in a group and from another device',
      {
        typeWebhook: 'incomingMessageReceived',
        idMessage: 'A',
        timestamp: 7,
        senderData: { chatId: '120363000000000001@g.us', sender: `${NUMBER}:3@c.us`, senderName: 'Quillamina' },
        messageData: { textMessageData: { textMessage: 'velvet otter' } },
      },
      {
        typeWebhook: 'incomingMessageReceived',
        idMessage: 'A',
        timestamp: 7,
        senderData: { chatId: '', sender: '', senderName: '' },
        messageData: { textMessageData: { textMessage: '' } },
      },
    ],
    [
      'a message of another sender loses only the number, although it is the whole text',
      [
        { chatId: OTHER, senderName: 'Other', textMessage: `call +${NUMBER}.` },
        { chatId: OTHER, textMessage: NUMBER },
        { chatId: OWN_GROUP, textMessage: 'stays' },
      ],
      [
        { chatId: OTHER, senderName: 'Other', textMessage: 'call +0.' },
        { chatId: OTHER, textMessage: '' },
        { chatId: OWN_GROUP, textMessage: 'stays' },
      ],
    ],
    [
      'a quotation of the recipient is blanked, the message around it is not',
      {
        chatId: OTHER,
        textMessage: 'yes',
        quotedMessage: { participant: CHAT, textMessage: 'velvet otter', sender: CHAT },
      },
      { chatId: OTHER, textMessage: 'yes', quotedMessage: { participant: '', textMessage: '', sender: '' } },
    ],
    [
      'the contact card of the recipient is blanked with the name beside it',
      { chatId: OTHER, contact: { displayName: 'Quillamina', vcard: `BEGIN:VCARD\nTEL;waid=${NUMBER}:x` } },
      { chatId: OTHER, contact: { displayName: '', vcard: '' } },
    ],
    [
      'a vote loses the voter',
      { votes: [{ optionVoters: [OTHER, CHAT] }] },
      { votes: [{ optionVoters: [OTHER, ''] }] },
    ],
    ['a field that is named after the recipient goes', { [CHAT]: 1, [OTHER]: 2 }, { [OTHER]: 2 }],
  ])('%s', (_, given: unknown, left) => {
    expect(eraser.erase(given)).toEqual(left);
  });
});
