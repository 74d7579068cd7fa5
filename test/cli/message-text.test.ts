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
