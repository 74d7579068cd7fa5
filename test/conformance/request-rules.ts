import { GOOD } from './good-requests.js';
import { CHAT, GROUP, type Json } from './scene.js';

/** Changes of an operation's valid request: those that are taken, and those that are refused with each of the words. */
export interface RequestRule {
  readonly operation: keyof typeof GOOD;
  readonly taken: readonly Json[];
  readonly refused: readonly Json[];
  readonly words: readonly string[];
}

type Operation = RequestRule['operation'];

const BOM = '\uFEFF';
const OPTIONS = Array.from({ length: 13 }, (_, at) => ({ optionName: `choice ${at}` }));

function rule(operation: Operation, taken: readonly Json[], refused: readonly Json[], ...words: string[]): RequestRule {
  return { operation, taken, refused, words };
}

/** Fields without which the request is refused. */
function required(area: string, operation: Operation, ...names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [`${area}.${name}`, rule(operation, [{}], [{ [name]: undefined }], name)]),
  );
}

/** A text field with this limit of characters. */
function longest(operation: Operation, name: string, maxCharacters: number, ...words: string[]): RequestRule {
  const text = 'x'.repeat(maxCharacters);
  return rule(operation, [{ [name]: text }], [{ [name]: `${text}x` }], name, ...words);
}

function chatIds(taken: readonly string[], refused: readonly string[]): RequestRule {
  const changes = (ids: readonly string[]) => ids.map((chatId) => ({ chatId }));
  return rule('sendMessage', changes(taken), changes(refused), 'chatId');
}

function typingTimes(operation: Operation, taken: readonly number[], refused: readonly number[]): RequestRule {
  const changes = (times: readonly number[]) => times.map((typingTime) => ({ typingTime }));
  return rule(operation, changes(taken), changes(refused), 'typingTime');
}

/** By the id of its row: the client and the simulator both keep it. */
export const REQUEST_RULES = {
  'identifier.chat-id-personal': chatIds([CHAT], ['someone@c.us']),
  'identifier.chat-id-group': chatIds(
    [GROUP, '15550000001-1600000000@g.us'],
    ['friends@g.us', '15550000001-1600000000-1@g.us'],
  ),
  'identifier.lid': chatIds(['123456789012345@lid'], ['someone@lid']),

  ...required('edit', 'editMessage', 'chatId', 'idMessage', 'message'),
  'edit.message-without-bom': rule('editMessage', [], [{ message: `${BOM}new` }], 'BOM'),
  'limits.edit-message-20000': longest('editMessage', 'message', 20_000),
  'errors.edit.text-too-long': rule(
    'editMessage',
    [],
    [{ message: 'x'.repeat(20_001) }],
    "Validation failed, details: 'message' length must be less than or equal to 20000 characters long",
  ),

  ...required('send-file', 'sendFileByUrl', 'chatId', 'urlFile', 'fileName'),
  'limits.file-typing-1-to-20-seconds': typingTimes('sendFileByUrl', [1, 20], [0, 21, 1.5]),
  'send-file.typing-type-recording': rule(
    'sendFileByUrl',
    [{ typingType: 'recording' }],
    [{ typingType: 'typing' }],
    'typingType',
  ),
  'send-file.one-file-per-request': rule(
    'sendFileByUrl',
    [],
    [{ urlFile: [GOOD.sendFileByUrl.request.urlFile] }],
    'urlFile',
  ),
  'send-file.link-without-bom': rule('sendFileByUrl', [], [{ urlFile: `${BOM}https://files.example/a.pdf` }], 'BOM'),
  'limits.caption-20000': longest('sendFileByUrl', 'caption', 20_000),
  'errors.send-file.url-format': rule(
    'sendFileByUrl',
    [],
    [{ urlFile: 'ftp://files.example/a.jpg' }, { urlFile: 'files.example/a.jpg' }],
    'Validation failed, details: url has incorrect format, it should start with http(s)://',
  ),

  'status.font': rule(
    'sendTextStatus',
    ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY'].map((font) => ({ font })),
    [{ font: 'COMIC_SANS' }],
    'font',
  ),
  'limits.status-text-500': longest('sendTextStatus', 'message', 500),

  ...required('typing', 'sendTyping', 'chatId'),
  'typing.typingType': rule('sendTyping', [{ typingType: 'recording' }], [{ typingType: 'singing' }], 'typingType'),
  'limits.typing-min-1000': typingTimes('sendTyping', [1000], [999]),
  'limits.typing-max-20000': typingTimes('sendTyping', [20_000], [20_001]),
  'errors.typing.not-a-number': rule('sendTyping', [], [{ typingTime: '1000' }], "'typingTime' must be a number"),
  'errors.typing.too-small': rule(
    'sendTyping',
    [],
    [{ typingTime: 999 }],
    "'typingTime' must be larger than or equal to 1000",
  ),
  'errors.typing.too-large': rule(
    'sendTyping',
    [],
    [{ typingTime: 20_001 }],
    "'typingTime' must be less than or equal to 20000",
  ),

  ...required('read-chat', 'readChat', 'chatId'),
  'errors.group.id-format': rule(
    'getGroupData',
    [],
    [{ groupId: CHAT }],
    "Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us",
  ),
  'settings.delay-range': rule(
    'setSettings',
    [{ delaySendMessagesMilliseconds: 500 }, { delaySendMessagesMilliseconds: 600_000 }],
    [{ delaySendMessagesMilliseconds: 499 }, { delaySendMessagesMilliseconds: 600_001 }],
    'delaySendMessagesMilliseconds',
  ),

  'send-poll.message-255': longest('sendPoll', 'message', 255, '255'),
  'send-poll.options-2-to-12': rule(
    'sendPoll',
    [{ options: OPTIONS.slice(0, 2) }, { options: OPTIONS.slice(0, 12) }],
    [{ options: OPTIONS.slice(0, 1) }, { options: OPTIONS }],
    'options',
    'from 2 to 12',
  ),
  'send-poll.options-unique': rule('sendPoll', [], [{ options: [...OPTIONS.slice(0, 3), OPTIONS[0]] }], 'unique'),
  'send-poll.typing-time': typingTimes('sendPoll', [1000, 20_000], [999, 20_001, 1500.5]),
  'forward.typing-time': typingTimes('forwardMessages', [1000, 20_000], [999, 20_001, 1500.5]),
} satisfies Readonly<Record<string, RequestRule>>;
