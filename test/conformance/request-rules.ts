import { GOOD } from './good-requests.js';
import { CHAT, GROUP, type Json } from './scene.js';

/** Changes of an operation's valid request. By default a refusal names their fields. */
export interface FieldRule {
  /** The client sends these, and the gateway takes them. */
  readonly sent?: readonly Json[];
  /** The client refuses these before a byte leaves, and the gateway refuses them too. */
  readonly refused?: readonly Json[];
  /** All in the refusal. */
  readonly words?: readonly string[];
}

interface RequestRule extends FieldRule {
  readonly operation: keyof typeof GOOD;
}

const BOM = '\uFEFF';
const FILE_LINK = GOOD.sendFileByUrl.request.urlFile;

/** A text field with this limit of characters. */
function longest(operation: RequestRule['operation'], name: string, maxCharacters: number): RequestRule {
  const text = 'x'.repeat(maxCharacters);
  return { operation, sent: [{ [name]: text }], refused: [{ [name]: `${text}x` }] };
}

/** Fields without which a request is refused. */
function required(area: string, operation: RequestRule['operation'], ...names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [`${area}.${name}`, { operation, sent: [{}], refused: [{ [name]: undefined }] }]),
  );
}

function chatIds(sent: readonly string[], refused: readonly string[]): RequestRule {
  const changes = (ids: readonly string[]) => ids.map((chatId) => ({ chatId }));
  return { operation: 'sendMessage', sent: changes(sent), refused: changes(refused) };
}

function typingTimes(
  operation: RequestRule['operation'],
  sent: readonly unknown[],
  refused: readonly unknown[],
  ...words: readonly string[]
): RequestRule {
  const changes = (times: readonly unknown[]) => times.map((typingTime) => ({ typingTime }));
  return { operation, sent: changes(sent), refused: changes(refused), words: ['typingTime', ...words] };
}

function optionNames(...names: readonly unknown[]): Json {
  return { options: names.map((name) => ({ optionName: `${name}` })) };
}

function manyOptions(count: number): Json {
  return optionNames(...Array.from({ length: count }).keys());
}

/** By the id of its row: the client and the simulator both keep it. */
export const REQUEST_RULES: Readonly<Record<string, RequestRule>> = {
  'identifier.chat-id-personal': chatIds([CHAT], ['someone@c.us']),
  'identifier.chat-id-group': chatIds(
    [GROUP, '15550000001-1600000000@g.us'],
    ['friends@g.us', '15550000001-1600000000-1@g.us'],
  ),
  'identifier.lid': chatIds(['123456789012345@lid'], ['someone@lid']),
  'send-message.limits': {
    operation: 'sendMessage',
    sent: [{ message: 'x'.repeat(20_000), typingTime: 20_000 }],
    refused: [{ message: 'x'.repeat(20_001) }, { typingTime: 999 }, { typingTime: 20_001 }],
  },

  ...required('edit', 'editMessage', 'chatId', 'idMessage', 'message'),
  'edit.message-without-bom': {
    operation: 'editMessage',
    refused: [{ message: `${BOM}new` }],
    words: ['message', 'BOM'],
  },
  'limits.edit-message-20000': longest('editMessage', 'message', 20_000),
  'errors.edit.text-too-long': {
    operation: 'editMessage',
    refused: [{ message: 'x'.repeat(20_001) }],
    words: ["Validation failed, details: 'message' length must be less than or equal to 20000 characters long"],
  },

  ...required('send-file', 'sendFileByUrl', 'chatId', 'urlFile', 'fileName'),
  'limits.file-typing-1-to-20-seconds': typingTimes('sendFileByUrl', [1, 20], [0, 21, 1.5]),
  'send-file.typing-type-recording': {
    operation: 'sendFileByUrl',
    sent: [{ typingType: 'recording' }],
    refused: [{ typingType: 'typing' }],
  },
  'send-file.one-file-per-request': { operation: 'sendFileByUrl', refused: [{ urlFile: [FILE_LINK] }] },
  'send-file.link-without-bom': { operation: 'sendFileByUrl', refused: [{ urlFile: `${BOM}${FILE_LINK}` }] },
  'limits.caption-20000': longest('sendFileByUrl', 'caption', 20_000),
  'errors.send-file.url-format': {
    operation: 'sendFileByUrl',
    refused: [{ urlFile: 'ftp://files.example/a.jpg' }, { urlFile: 'files.example/a.jpg' }],
    words: ['Validation failed, details: url has incorrect format, it should start with http(s)://'],
  },

  'status.background-not-white': {
    operation: 'sendTextStatus',
    refused: ['#FFFFFF', '#ffffff', '#fff'].map((backgroundColor) => ({ backgroundColor })),
    words: ['backgroundColor', 'white'],
  },
  'status.font': {
    operation: 'sendTextStatus',
    sent: ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY'].map((font) => ({ font })),
    refused: [{ font: 'COMIC_SANS' }],
  },
  'limits.status-text-500': longest('sendTextStatus', 'message', 500),

  ...required('typing', 'sendTyping', 'chatId'),
  'typing.typingType': {
    operation: 'sendTyping',
    sent: [{ typingType: 'recording' }],
    refused: [{ typingType: 'singing' }],
  },
  'limits.typing-min-1000': typingTimes('sendTyping', [1000], [999]),
  'limits.typing-max-20000': typingTimes('sendTyping', [20_000], [20_001]),
  'errors.typing.not-a-number': typingTimes('sendTyping', [], ['1000'], "'typingTime' must be a number"),
  'errors.typing.too-small': typingTimes('sendTyping', [], [999], 'must be larger than or equal to 1000'),
  'errors.typing.too-large': typingTimes('sendTyping', [], [20_001], 'must be less than or equal to 20000'),

  ...required('read-chat', 'readChat', 'chatId'),
  'errors.group.id-format': {
    operation: 'getGroupData',
    refused: [{ groupId: CHAT }],
    words: ["Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us"],
  },

  'send-poll.message-255': { ...longest('sendPoll', 'message', 255), words: ['message', '255'] },
  'send-poll.options-2-to-12': {
    operation: 'sendPoll',
    sent: [manyOptions(2), manyOptions(12)],
    refused: [manyOptions(1), manyOptions(13)],
    words: ['options', 'from 2 to 12'],
  },
  'send-poll.options-unique': {
    operation: 'sendPoll',
    refused: [optionNames('yes', 'no', 'yes')],
    words: ['options', 'unique'],
  },
  'send-poll.typing-time': typingTimes('sendPoll', [1000, 20_000], [999, 20_001, 1500.5]),
  'forward.typing-time': typingTimes('forwardMessages', [1000, 20_000], [999, 20_001, 1500.5]),
  'send-location.ranges': {
    operation: 'sendLocation',
    sent: [
      { latitude: 90, longitude: 180 },
      { latitude: -90, longitude: -180 },
    ],
    refused: [{ latitude: 90.01 }, { latitude: -90.01 }, { longitude: 180.01 }, { longitude: -180.01 }],
  },
};
