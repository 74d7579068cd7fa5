import { expect, it } from 'vitest';
import { messageStory } from '../../src/cli/message-text.js';
import type { MessageContent, MessageId } from '../../src/contract/index.js';

it.each<[MessageContent, readonly string[]]>([
  [{ kind: 'text', text: 'Hello' }, ['text: Hello']],
  [
    { kind: 'file', url: 'https://x/a.pdf', fileName: 'a.pdf', caption: 'Menu' },
    ['file: a.pdf', 'link: https://x/a.pdf', 'caption: Menu'],
  ],
  [
    { kind: 'poll', message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }], multipleAnswers: true },
    ['question: Tea?', 'options: yes · no', 'several answers: yes'],
  ],
  [
    { kind: 'location', latitude: 44.94, longitude: 34.1, nameLocation: 'Square' },
    ['place: 44.94, 34.1', 'name: Square'],
  ],
  [
    { kind: 'contact', contact: { phoneContact: 15557654321, firstName: 'Ann', lastName: 'Lee', company: 'Books' } },
    ['contact: Ann Lee 15557654321', 'company: Books'],
  ],
  [{ kind: 'forward', chatIdFrom: '15557654321@c.us', messages: ['3EB0'] }, ['forwards: 3EB0 from 15557654321@c.us']],
])('the story of a message shows its content: %j', (content, lines) => {
  const story = messageStory({ id: 'msg_1' as MessageId, state: 'planned', content });
  expect(story).toEqual(['msg_1  planned', `  kind: ${content.kind}`, ...lines.map((line) => `  ${line}`)]);
});

it('the story of a message shows what its callback was told', () => {
  const callbacks = [
    { state: 'accepted', at: '2026-03-01T10:00:00.000Z', tries: 1, deliveredAt: '2026-03-01T10:00:01.000Z' },
    {
      state: 'sent',
      at: '2026-03-01T10:00:02.000Z',
      tries: 40,
      problem: 'HTTP 404',
      givenUpAt: '2026-03-02T10:00:02.000Z',
    },
    {
      state: 'read',
      at: '2026-03-01T10:00:03.000Z',
      tries: 2,
      problem: 'timeout',
      nextTryAt: '2026-03-02T10:01:00.000Z',
    },
  ] as const;

  expect(messageStory({ id: 'msg_1' as MessageId, state: 'read', callbacks })).toEqual([
    'msg_1  read',
    'status callback:',
    '  2026-03-01T10:00:00.000Z  accepted  told 2026-03-01T10:00:01.000Z',
    '  2026-03-01T10:00:02.000Z  sent  given up 2026-03-02T10:00:02.000Z  HTTP 404',
    '  2026-03-01T10:00:03.000Z  read  timeout  next try 2026-03-02T10:01:00.000Z',
  ]);
});
