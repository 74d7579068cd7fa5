import { describe, expect, it } from 'vitest';
import type { MessageContent } from '../../src/contract/index.js';
import { hideInJson, hideTexts, idMessagesIn, revealTexts, textsIn } from '../../src/domain/index.js';

const CONTENTS: readonly (readonly [MessageContent, hidden: readonly string[]])[] = [
  [{ kind: 'text', text: 'code 123456', linkPreview: false }, ['code 123456']],
  [{ kind: 'file', fileId: 'fil_1', fileName: 'code-123456.pdf', caption: 'code' }, ['code-123456.pdf', 'code']],
  [{ kind: 'status', text: '123456' }, ['123456']],
  [
    { kind: 'poll', message: 'Which code?', options: [{ optionName: '123456' }, { optionName: '654321' }] },
    ['Which code?', '123456', '654321'],
  ],
  [{ kind: 'template', elementName: 'code', params: ['123456', 'Ann'] }, ['123456', 'Ann']],
];

describe('SENSITIVE-1 the content of a sensitive message', () => {
  it.each(CONTENTS)('SENSITIVE-1 shows no text of %o', (content, texts) => {
    const { content: shown, hidden, textLength } = hideTexts(content);

    for (const text of texts) expect(JSON.stringify(shown)).not.toContain(JSON.stringify(text));
    expect(textsIn(hidden)).toEqual(texts);
    expect(textLength).toBe(texts.join('').length);
    expect(revealTexts(shown, hidden)).toEqual(content);
  });

  it('SENSITIVE-1 keeps what everpost itself needs: the template, the stored file, the link that it got since', () => {
    const { content, hidden } = hideTexts({ kind: 'file', fileId: 'fil_1', fileName: 'a.pdf' });

    expect(content).toEqual({ kind: 'file', fileId: 'fil_1', fileName: '••••' });
    expect(revealTexts({ ...content, url: 'https://x.test/a' } as MessageContent, hidden)).toMatchObject({
      url: 'https://x.test/a',
      fileName: 'a.pdf',
    });
  });

  it('counts characters, not code units', () => {
    expect(hideTexts({ kind: 'text', text: '🔑1' }).textLength).toBe(2);
  });
});

const notification = (messageData: object, of: object = {}) => ({
  typeWebhook: 'outgoingAPIMessageReceived',
  idMessage: 'A1',
  senderData: { chatId: '15550001111@c.us', senderName: 'Ann' },
  messageData,
  ...of,
});
const text = (textMessage: string) => ({ typeMessage: 'textMessage', textMessageData: { textMessage } });
const KNOWN = { byIdMessage: new Map([['A1', 'msg_1']]), inDoubt: [] };
const IN_DOUBT = { byIdMessage: new Map(), inDoubt: [{ id: 'msg_1', texts: ['123456'] }] };

describe('SENSITIVE-2 JSON of the gateway', () => {
  it.each([
    ['a notification', notification(text('123456'))],
    [
      'an entry of a journal',
      [{ type: 'outgoing', idMessage: 'A1', typeMessage: 'textMessage', textMessage: '123456' }],
    ],
    ['an item of the queue', [{ messageID: 'A1', type: 'sendMessage', body: { chatId: '1@c.us', message: '123456' } }]],
    [
      'an edit',
      notification(
        { typeMessage: 'editedMessage', editedMessageData: { textMessage: '123456', stanzaId: 'A1' } },
        { idMessage: 'E1' },
      ),
    ],
    ['a field that the gateway adds later', notification({ ...text('x'), newField: { words: ['123456'] } })],
  ])('SENSITIVE-2 shows no text in %s that names the message', (_, json) => {
    const { shown, about } = hideInJson(json, KNOWN);

    expect(JSON.stringify(shown)).not.toContain('123456');
    expect(JSON.stringify(shown)).toContain('A1');
    expect(about).toBe('msg_1');
  });

  it('SENSITIVE-2 shows no text of a message in doubt whose id is not known yet', () => {
    const { shown, about } = hideInJson(notification(text('Your code: 123456'), { idMessage: 'B1' }), IN_DOUBT);

    expect(shown).toMatchObject({ idMessage: 'B1', messageData: { textMessageData: { textMessage: '••••' } } });
    expect(about).toBe('msg_1');
  });

  it('SENSITIVE-2 leaves other messages of the account unchanged', () => {
    const other = notification(text('Your parcel is here'), { idMessage: 'B1' });

    expect(hideInJson(other, KNOWN)).toEqual({ shown: other });
    expect(hideInJson(other, IN_DOUBT)).toEqual({ shown: other });
  });

  it('finds every id that it may name', () => {
    const quoting = notification({ quotedMessage: { stanzaId: 'Q1' }, extendedTextMessageData: { stanzaId: 'Q2' } });
    expect(idMessagesIn([quoting, { messageID: 'M1' }])).toEqual(['A1', 'Q1', 'Q2', 'M1']);
  });
});

describe('SENSITIVE-3 what a recipient wrote', () => {
  const reply = (messageData: object) =>
    notification(messageData, { typeWebhook: 'incomingMessageReceived', idMessage: 'R1' });

  it('SENSITIVE-3 is shown, also if it is the code', () => {
    const answer = reply(text('123456'));

    expect(hideInJson(answer, IN_DOUBT)).toEqual({ shown: answer });
    expect(hideInJson([{ type: 'incoming', idMessage: 'R1', textMessage: '123456' }], IN_DOUBT).about).toBeUndefined();
  });

  it.each([
    ['whose id is known', KNOWN],
    ['that is in doubt', IN_DOUBT],
  ])('SENSITIVE-3 is shown without the quoted text of a sensitive message %s', (_, known) => {
    const quoting = reply({
      typeMessage: 'quotedMessage',
      extendedTextMessageData: { text: 'is this mine?', stanzaId: 'A1' },
      quotedMessage: { stanzaId: 'A1', typeMessage: 'textMessage', textMessage: '123456' },
    });

    const { shown } = hideInJson(quoting, known);

    expect(JSON.stringify(shown)).not.toContain('123456');
    expect(shown).toMatchObject({
      messageData: { extendedTextMessageData: { text: 'is this mine?', stanzaId: 'A1' } },
    });
  });
});
