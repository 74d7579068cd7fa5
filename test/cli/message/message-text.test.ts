import { expect, it } from 'vitest';
import { messageStory } from '../../../src/cli/commands/message/message-text.js';
import type { CampaignId, MessageContent, MessageId } from '../../../src/contract/index.js';
import type { Evidence } from '../../../src/ledger/index.js';

it.each<[MessageContent, readonly string[]]>([
  [{ kind: 'text', text: 'Hello' }, ['text: Hello']],
  [
    { kind: 'file', url: 'https://x/a.pdf', fileName: 'a.pdf', caption: 'Menu' },
    ['file: a.pdf', 'link: https://x/a.pdf', 'caption: Menu'],
  ],
  [
    { kind: 'poll', message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }], multipleAnswers: true },
    ['question: Tea?', 'options: yes · no', 'multiple answers: yes'],
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
])('the details of a message show its content: %j', (content, lines) => {
  const story = messageStory({ id: 'msg_1' as MessageId, state: 'pending', content });
  expect(story).toEqual(['msg_1  pending', `  kind: ${content.kind}`, ...lines.map((line) => `  ${line}`)]);
});

it('the details of a message show the deliveries to its callback', () => {
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
    '  2026-03-01T10:00:00.000Z  accepted  posted 2026-03-01T10:00:01.000Z',
    '  2026-03-01T10:00:02.000Z  sent  given up 2026-03-02T10:00:02.000Z  HTTP 404',
    '  2026-03-01T10:00:03.000Z  read  timeout  next try 2026-03-02T10:01:00.000Z',
  ]);
});

it('the details of an unknown message show until when it is watched, and what follows', () => {
  const unknown = {
    since: '2026-03-01T10:00:00.000Z',
    witnessesUntil: '2026-03-01T10:02:05.000Z',
    atLatest: '2026-03-01T11:00:35.000Z',
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
    then: 'unresolved',
  } as const;
  const id = 'msg_1' as MessageId;

  expect(messageStory({ id, state: 'unknown', unknown })).toEqual([
    'msg_1  unknown',
    "  unknown: The gateway's response was lost. everpost checks the queue, journal and notifications until 10:02:05Z " +
      '(at the latest 11:00:35Z, if one of them does not respond or shows an item that may be this message). If none shows the message until then, ' +
      'it becomes unresolved. Resolve it: everpost message resolve msg_1 --as accepted|not_accepted',
  ]);
  // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
  const resent = messageStory({ id, state: 'unknown', unknown: { ...unknown, then: 'presume_or_unresolved' } });
  expect(resent[1]).toContain(
    'it is sent again if a later message is known to have left the queue; otherwise it becomes unresolved',
  );
  expect(messageStory({ id, state: 'unresolved' })).toContain(
    '  unresolved: resolve it: everpost message resolve msg_1 --as accepted|not_accepted',
  );
  const possible = { idMessage: 'BAE5', chatId: '9@lid', witness: 'getMessage', at: '2026-03-01T10:00:00.000Z' };
  const text = 'id BAE5, same content, chat 9@lid. …';
  const lines = messageStory({ id, state: 'unresolved', possibleMatches: [{ ...possible, text }] });
  expect(lines).toEqual(expect.arrayContaining(['possible matches:', `  ${text}`]));
});

it('the details of a message show our own times, and the gateway’s times as its own', () => {
  const story = messageStory({
    id: 'msg_1' as MessageId,
    state: 'sent',
    acceptedAt: '2026-03-01T12:00:01.700Z',
    sentAt: '2026-03-01T12:00:01.900Z',
    gatewaySentAt: '2026-03-01T12:00:01.000Z',
    deliveredAt: '2026-03-02T00:00:00.100Z',
    gatewayDeliveredAt: '2026-03-01T23:59:59.000Z',
    evidence: [
      {
        at: '2026-03-01T12:00:01.900Z',
        witness: 'receipt',
        what: 'sent',
        detail: { idMessage: 'A', gatewayAt: '2026-03-01T12:00:01.000Z' },
      },
    ],
  });
  expect(story).toEqual([
    'msg_1  sent',
    '  accepted: 2026-03-01T12:00:01.700Z',
    '  sent: 2026-03-01T12:00:01.900Z (gateway says 12:00:01)',
    '  delivered: 2026-03-02T00:00:00.100Z (gateway says 2026-03-01T23:59:59Z)',
    'evidence:',
    '  2026-03-01T12:00:01.900Z  The message was sent.  gateway says 12:00:01',
  ]);
});

it('the details of a message show its campaign and line, the text on the phone and the posted one', () => {
  const content = { kind: 'text', text: 'new' } as const;
  const message = { id: 'msg_1' as MessageId, state: 'sent', content, postedText: 'old' } as const;
  expect(messageStory({ ...message, campaignId: 'sale' as CampaignId, line: 7 })).toEqual([
    'msg_1  sent',
    '  kind: text',
    '  text: new',
    '  posted as: old',
    '  campaign: sale, line 7',
  ]);
});

it.each<[Omit<Evidence, 'at'>, string]>([
  [
    { witness: 'response', what: 'accepted', detail: { idMessage: 'BAE5' } },
    'The gateway accepted the message as BAE5.',
  ],
  [
    { witness: 'response', what: 'not_accepted', detail: { code: 'GATEWAY_BUSY', httpStatus: 429, text: 'slow down' } },
    'The gateway surely did not accept the message (GATEWAY_BUSY, HTTP 429, slow down); everpost posts it again.',
  ],
  [
    { witness: 'reconcile', what: 'unresolved', detail: { why: 'nothing_precedes' } },
    'The outcome could not be determined: no witness saw it, and the queue held no older message that could prove its absence.',
  ],
  [
    { witness: 'ledger', what: 'edit_edited', detail: { via: 'before_send' } },
    'The edit replaced the text before it was posted.',
  ],
  [{ witness: 'key:shop', what: 'cancelled' }, 'The message was cancelled (key:shop).'],
  [
    { witness: 'ledger', what: 'template_unknown', detail: { text: 'no template sale was submitted' } },
    'ledger: template_unknown (no template sale was submitted).',
  ],
])('a step of the evidence is one sentence: %j', (evidence, sentence) => {
  const at = '2026-03-01T12:00:01.900Z';
  const story = messageStory({ id: 'msg_1' as MessageId, state: 'sent', evidence: [{ at, ...evidence }] });
  expect(story).toEqual(['msg_1  sent', 'evidence:', `  ${at}  ${sentence}`]);
});
