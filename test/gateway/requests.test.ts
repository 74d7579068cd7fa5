import { describe, expect, it } from 'vitest';
import { toJSONSchema } from 'zod';
import { AppError, OPERATION_NAMES, TEMPLATE_LANGUAGES, type OperationName } from '../../src/contract/index.js';
import { operationContracts } from '../../src/gateway/index.js';
import { aGateway, anInstance, REQUESTS } from './cast.js';

const gateway = aGateway(anInstance('http://127.0.0.1:9'));

function refusal(name: OperationName, request: unknown): AppError {
  try {
    gateway.check(name, request);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${name} was taken`);
}

const lengthOf = (field: string, most: number) =>
  `Validation failed, details: '${field}' length must be less than or equal to ${most} characters long`;
const required = (field: string) => `Validation failed, details: '${field}' is required`;

interface Case {
  readonly name: OperationName;
  readonly change: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly message: string | RegExp;
}

const TYPING_SMALL = "Validation failed, 'typingTime' must be larger than or equal to";
const TYPING_LARGE = "Validation failed, 'typingTime' must be less than or equal to";
const TEMPLATE = 'createTemplate';
const AUTHENTICATION = { category: 'AUTHENTICATION', content: undefined, example: undefined };
const button = (type: string, text: string) => ({ buttons: [{ type, text }] });

const choices = (...names: string[]) => names.map((optionName) => ({ optionName }));

const REFUSED: readonly Case[] = [
  { name: 'sendMessage', change: { chatId: 'abc@c.us' }, path: 'chatId', message: /next formats/ },
  { name: 'sendMessage', change: { chatId: '15551234567' }, path: 'chatId', message: /next formats/ },
  { name: 'sendMessage', change: { chatId: '1555-12-34@g.us' }, path: 'chatId', message: /next formats/ },
  { name: 'sendMessage', change: { chatId: undefined }, path: 'chatId', message: required('chatId') },
  { name: 'sendMessage', change: { message: '' }, path: 'message', message: /empty/ },
  {
    name: 'sendMessage',
    change: { message: 5 },
    path: 'message',
    message: "Validation failed, 'message' must be a text",
  },
  { name: 'sendMessage', change: { message: '\uFEFFhello' }, path: 'message', message: /byte order mark/ },
  {
    name: 'sendMessage',
    change: { message: 'a'.repeat(20_001) },
    path: 'message',
    message: lengthOf('message', 20_000),
  },
  { name: 'sendMessage', change: { typingTime: 999 }, path: 'typingTime', message: `${TYPING_SMALL} 1000` },
  { name: 'sendMessage', change: { typingTime: 20_001 }, path: 'typingTime', message: `${TYPING_LARGE} 20000` },
  { name: 'sendMessage', change: { mesage: 'x' }, path: 'mesage', message: "'mesage' is not a field of sendMessage" },
  {
    name: 'editMessage',
    change: { message: 'a'.repeat(20_001) },
    path: 'message',
    message: lengthOf('message', 20_000),
  },
  { name: 'editMessage', change: { idMessage: undefined }, path: 'idMessage', message: required('idMessage') },
  {
    name: 'sendFileByUrl',
    change: { urlFile: 'ftp://a/b.png' },
    path: 'urlFile',
    message: 'Validation failed, details: url has incorrect format, it should start with http(s)://',
  },
  { name: 'sendFileByUrl', change: { urlFile: ['https://a/b.png'] }, path: 'urlFile', message: /must be a text/ },
  { name: 'sendFileByUrl', change: { urlFile: '\uFEFFhttps://a/b.png' }, path: 'urlFile', message: /byte order mark/ },
  { name: 'sendFileByUrl', change: { fileName: '\uFEFFa.png' }, path: 'fileName', message: /byte order mark/ },
  {
    name: 'sendFileByUrl',
    change: { caption: 'a'.repeat(20_001) },
    path: 'caption',
    message: lengthOf('caption', 20_000),
  },
  { name: 'sendFileByUrl', change: { typingTime: 0 }, path: 'typingTime', message: `${TYPING_SMALL} 1` },
  { name: 'sendFileByUrl', change: { typingTime: 21 }, path: 'typingTime', message: `${TYPING_LARGE} 20` },
  { name: 'sendFileByUrl', change: { typingTime: 1.5 }, path: 'typingTime', message: /whole number/ },
  { name: 'sendFileByUrl', change: { typingType: 'typing' }, path: 'typingType', message: /must be one of recording/ },
  { name: 'sendTextStatus', change: { message: 'a'.repeat(501) }, path: 'message', message: lengthOf('message', 500) },
  { name: 'sendTextStatus', change: { backgroundColor: 'green' }, path: 'backgroundColor', message: /hex color/ },
  { name: 'sendTextStatus', change: { backgroundColor: '#fff' }, path: 'backgroundColor', message: /white/ },
  { name: 'sendTextStatus', change: { backgroundColor: '#FFFFFF' }, path: 'backgroundColor', message: /white/ },
  { name: 'sendTextStatus', change: { font: 'COMIC' }, path: 'font', message: /must be one of SERIF, / },
  { name: 'sendTextStatus', change: { participants: ['1-2@g.us'] }, path: 'participants[0]', message: /participant/ },
  { name: 'sendPoll', change: { message: '' }, path: 'message', message: /empty/ },
  { name: 'sendPoll', change: { message: 'a'.repeat(256) }, path: 'message', message: lengthOf('message', 255) },
  { name: 'sendPoll', change: { options: undefined }, path: 'options', message: required('options') },
  { name: 'sendPoll', change: { options: ['tea', 'coffee'] }, path: 'options[0]', message: /must be an object/ },
  { name: 'sendPoll', change: { options: choices('tea') }, path: 'options', message: /from 2 to 12/ },
  { name: 'sendPoll', change: { options: choices('tea', 'tea') }, path: 'options', message: /unique/ },
  { name: 'sendPoll', change: { options: choices('tea', '') }, path: 'options[1].optionName', message: /empty/ },
  { name: 'sendPoll', change: { typingTime: 20 }, path: 'typingTime', message: `${TYPING_SMALL} 1000` },
  { name: 'sendPoll', change: { multipleAnswers: 'yes' }, path: 'multipleAnswers', message: /true or false/ },
  { name: 'sendLocation', change: { latitude: 90.5 }, path: 'latitude', message: /less than or equal to 90/ },
  { name: 'sendLocation', change: { longitude: -181 }, path: 'longitude', message: /larger than or equal to -180/ },
  { name: 'sendLocation', change: { latitude: '44.94' }, path: 'latitude', message: /must be a number/ },
  { name: 'sendLocation', change: { longitude: undefined }, path: 'longitude', message: required('longitude') },
  { name: 'sendLocation', change: { typingTime: 1_000 }, path: 'typingTime', message: /not a field of sendLocation/ },
  {
    name: 'sendContact',
    change: { contact: { phoneContact: '15557654321' } },
    path: 'contact.phoneContact',
    message: "Validation failed, 'contact.phoneContact' must be a number",
  },
  { name: 'sendContact', change: { contact: {} }, path: 'contact.phoneContact', message: /is required/ },
  {
    name: 'sendContact',
    change: { contact: { phoneContact: 1.5 } },
    path: 'contact.phoneContact',
    message: /whole number/,
  },
  {
    name: 'sendContact',
    change: { contact: { phoneContact: 15557654321, name: 'Ann' } },
    path: 'contact.name',
    message: /not a field of sendContact/,
  },
  {
    name: 'forwardMessages',
    change: { messages: [] },
    path: 'messages',
    message: /each message by a separate request/,
  },
  {
    name: 'forwardMessages',
    change: { messages: ['A', 'B'] },
    path: 'messages',
    message: /each message by a separate request/,
  },
  { name: 'forwardMessages', change: { messages: 'A' }, path: 'messages', message: /must be a list/ },
  { name: 'forwardMessages', change: { messages: [''] }, path: 'messages[0]', message: /empty/ },
  { name: 'forwardMessages', change: { chatIdFrom: '15557654321' }, path: 'chatIdFrom', message: /next formats/ },
  { name: 'forwardMessages', change: { typingTime: 999 }, path: 'typingTime', message: `${TYPING_SMALL} 1000` },
  {
    name: 'sendTyping',
    change: { typingTime: 'long' },
    path: 'typingTime',
    message: "Validation failed, 'typingTime' must be a number",
  },
  { name: 'sendTyping', change: { typingTime: 999 }, path: 'typingTime', message: `${TYPING_SMALL} 1000` },
  { name: 'sendTyping', change: { typingTime: 20_001 }, path: 'typingTime', message: `${TYPING_LARGE} 20000` },
  {
    name: 'getGroupData',
    change: { groupId: '1555@c.us' },
    path: 'groupId',
    message: "Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us",
  },
  { name: 'readChat', change: { chatId: 'abc' }, path: 'chatId', message: /next formats/ },
  { name: 'getIncomingStories', change: { minutes: 0 }, path: 'minutes', message: /larger than or equal to 1/ },
  {
    name: 'setSettings',
    change: { outgoingWebhook: 'maybe' },
    path: 'outgoingWebhook',
    message: /must be one of yes, no/,
  },
  { name: 'setSettings', change: { outgoingWebhook: undefined }, path: '', message: /at least one setting/ },
  {
    name: 'setSettings',
    change: { delaySendMessagesMilliseconds: 499 },
    path: 'delaySendMessagesMilliseconds',
    message: /larger than or equal to 500/,
  },
  {
    name: 'setSettings',
    change: { delaySendMessagesMilliseconds: 600_001 },
    path: 'delaySendMessagesMilliseconds',
    message: /less than or equal to 600000/,
  },
  { name: 'setSettings', change: { webhookUrl: 'nowhere' }, path: 'webhookUrl', message: /http\(s\)/ },
  {
    name: TEMPLATE,
    change: { elementName: 'Order-Ready' },
    path: 'elementName',
    message: /lowercase letters, digits and underscores/,
  },
  { name: TEMPLATE, change: { languageCode: 'xx' }, path: 'languageCode', message: /must be one of af, sq/ },
  {
    name: TEMPLATE,
    change: { category: 'SPAM' },
    path: 'category',
    message: 'Invalid category provided, kindly use category from these options AUTHENTICATION,MARKETING,UTILITY',
  },
  { name: TEMPLATE, change: { category: undefined }, path: 'category', message: required('category') },
  {
    name: TEMPLATE,
    change: { templateType: 'CAROUSEL' },
    path: 'templateType',
    message: /TEXT, IMAGE, VIDEO, DOCUMENT/,
  },
  { name: TEMPLATE, change: { vertical: 'a'.repeat(181) }, path: 'vertical', message: lengthOf('vertical', 180) },
  { name: TEMPLATE, change: { content: undefined }, path: 'content', message: /required, except for AUTHENTICATION/ },
  { name: TEMPLATE, change: { content: 'a'.repeat(551) }, path: 'content', message: lengthOf('content', 550) },
  { name: TEMPLATE, change: { content: '👨‍👩‍👧'.repeat(11) }, path: 'content', message: /at most 10 emoji/ },
  { name: TEMPLATE, change: { example: undefined }, path: 'example', message: /required, except for AUTHENTICATION/ },
  {
    name: TEMPLATE,
    change: { header: 'a'.repeat(61), exampleHeader: 'a' },
    path: 'header',
    message: lengthOf('header', 60),
  },
  { name: TEMPLATE, change: { header: 'Hi' }, path: 'exampleHeader', message: /required when 'header'/ },
  { name: TEMPLATE, change: { header: 'Hi', exampleHeader: 'Hi' }, path: 'exampleHeader', message: /lowercase/ },
  {
    name: TEMPLATE,
    change: { header: 'Hi', exampleHeader: 'hi', templateType: 'IMAGE' },
    path: 'header',
    message: /templateType TEXT/,
  },
  { name: TEMPLATE, change: { footer: 'a'.repeat(61) }, path: 'footer', message: lengthOf('footer', 60) },
  { name: TEMPLATE, change: AUTHENTICATION, path: 'buttons', message: /OTP button/ },
  {
    name: TEMPLATE,
    change: { codeExpirationMinutes: 0 },
    path: 'codeExpirationMinutes',
    message: /larger than or equal to 1/,
  },
  {
    name: TEMPLATE,
    change: { codeExpirationMinutes: 91 },
    path: 'codeExpirationMinutes',
    message: /less than or equal to 90/,
  },
  {
    name: TEMPLATE,
    change: button('BUY', 'Buy'),
    path: 'buttons[0].type',
    message: /QUICK_REPLY, URL, PHONE_NUMBER, OTP/,
  },
  {
    name: TEMPLATE,
    change: button('QUICK_REPLY', 'a'.repeat(26)),
    path: 'buttons[0].text',
    message: /equal to 25 characters/,
  },
  { name: TEMPLATE, change: button('URL', 'a'.repeat(26)), path: 'buttons[0].text', message: /equal to 25 characters/ },
  {
    name: TEMPLATE,
    change: button('PHONE_NUMBER', 'a'.repeat(21)),
    path: 'buttons[0].text',
    message: /equal to 20 characters/,
  },
];

describe('a request that is refused before it is sent', () => {
  it.each(REFUSED)('$name: a bad $path: $message', ({ name, change, path, message }) => {
    const error = refusal(name, { ...REQUESTS[name], ...change });
    expect(error).toMatchObject({ code: 'INPUT_INVALID', next: 'stop' });
    const told: unknown = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(error.problems).toContainEqual({ path, message: told });
  });

  it('has all its problems in the error, including those of several fields', () => {
    const error = refusal('createTemplate', {
      elementName: 'Order Ready',
      category: 'UTILITY',
      templateType: 'IMAGE',
      vertical: 'v',
      header: 'Hello',
      buttons: [{ type: 'URL', text: 'a'.repeat(26), link: 'https://example.com' }],
      colour: 'red',
    });
    expect(error.problems?.map(({ path }) => path).toSorted()).toEqual([
      'buttons[0].link',
      'buttons[0].text',
      'colour',
      'content',
      'elementName',
      'example',
      'exampleHeader',
      'header',
      'languageCode',
    ]);
  });

  it('may be no object at all', () => {
    expect(refusal('sendMessage', null).problems).toHaveLength(1);
    expect(refusal('sendMessage', undefined).problems).toHaveLength(1);
    expect(refusal('createTemplate', 'text').problems).toHaveLength(1);
  });

  it('has none of its values in the error', () => {
    const error = refusal('sendMessage', {
      chatId: 'private-chat',
      message: 'private'.repeat(3_000),
      [`x${'y'.repeat(99)}`]: 1,
    });
    expect(JSON.stringify([error.message, error.problems])).not.toContain('private');
    expect(error.message).not.toContain('y'.repeat(60));
  });

  it("over 100 kb of JSON, counted in bytes, gets the gateway's own error", () => {
    const emptyBytes = Buffer.byteLength(JSON.stringify({ chatId: '1@c.us', urlFile: 'https://', fileName: 'a.b' }));
    const withBytes = (bytes: number) => ({
      chatId: '1@c.us',
      urlFile: `https://${'a'.repeat(bytes - emptyBytes)}`,
      fileName: 'a.b',
    });
    expect(gateway.check('sendFileByUrl', withBytes(102_400)).request).toEqual(withBytes(102_400));
    const error = refusal('sendFileByUrl', withBytes(102_401));
    expect(error).toMatchObject({ code: 'INPUT_TOO_LARGE', next: 'stop' });
    expect(error.problems).toEqual([{ path: '', message: 'request entity too large' }]);
  });
});

const TAKEN: readonly { name: OperationName; change: Readonly<Record<string, unknown>> }[] = [
  ...OPERATION_NAMES.map((name) => ({ name, change: {} })),
  { name: 'sendMessage', change: { message: '😀'.repeat(10_000) } },
  { name: 'sendMessage', change: { chatId: '155@lid', typingTime: 20_000, linkPreview: false } },
  { name: 'sendMessage', change: { chatId: '1555123-1479621234@g.us', typingTime: 1_000 } },
  { name: 'sendMessage', change: { chatId: '120363043968066561@g.us' } },
  { name: 'sendFileByUrl', change: { caption: 'a'.repeat(20_000), typingTime: 20, typingType: 'recording' } },
  {
    name: 'sendPoll',
    change: { options: choices(...'a b c d e f g h i j k l'.split(' ')), multipleAnswers: true, typingTime: 20_000 },
  },
  { name: 'sendLocation', change: { latitude: -90, longitude: 180, nameLocation: '', address: 'Main street 1' } },
  { name: 'sendContact', change: { contact: { phoneContact: 4712345678, middleName: 'B', company: 'Books' } } },
  { name: 'forwardMessages', change: { chatIdFrom: '120363043968066561@g.us', typingTime: 1_000 } },
  { name: 'sendTextStatus', change: { backgroundColor: '#228B22', font: 'SERIF', participants: [] } },
  { name: 'sendTyping', change: { typingTime: 1_000, typingType: 'recording' } },
  { name: 'readChat', change: { chatId: '15551234567' } },
  { name: 'setSettings', change: { webhookUrl: '', delaySendMessagesMilliseconds: 500, autoTyping: 4 } },
  { name: 'createTemplate', change: { content: `${'🇺🇦👍🏽❤️1️⃣©'.repeat(2)}😀😀 11 ` } },
  { name: 'createTemplate', change: { content: 'one\n'.repeat(6) } },
  { name: 'createTemplate', change: { ...AUTHENTICATION, ...button('OTP', 'Copy the code, whatever it takes to') } },
  { name: 'createTemplate', change: { header: 'a'.repeat(60), exampleHeader: 'übung 5', footer: 'a'.repeat(60) } },
  { name: 'createTemplate', change: { ...button('PHONE_NUMBER', 'a'.repeat(20)), codeExpirationMinutes: 90 } },
];

describe('a request that is sent unchanged', () => {
  it.each(TAKEN)('$name $change', ({ name, change }) => {
    const request = { ...REQUESTS[name], ...change };
    expect(gateway.check(name, request).request).toEqual(request);
  });

  it('may have every language of a template', () => {
    const taken = TEMPLATE_LANGUAGES.map((code) => ({ ...REQUESTS.createTemplate, languageCode: code })).filter(
      (request) => gateway.check('createTemplate', request).warnings.length === 0,
    );
    expect(taken).toHaveLength(71);
  });
});

describe('a request', () => {
  it.each([
    ['https://files.example.com/a b.png', /space/],
    ['https://files.example.com/файл.png', /characters other than/],
    ['https://files.example.com/a.png?size=1', /characters other than/],
    ['https://files.example.com/a%20b.png', /percent-encoded/],
    ['https://files.example.com/page.html', /ends like a web page/],
  ])('gets a warning when the link is %s', (urlFile, warning) => {
    const { warnings, request } = gateway.check('sendFileByUrl', { ...REQUESTS.sendFileByUrl, urlFile });
    expect(warnings).toContainEqual(expect.stringMatching(warning));
    expect(request.urlFile).toBe(urlFile);
  });

  it('gets a warning when the file name has no extension', () => {
    const { warnings } = gateway.check('sendFileByUrl', { ...REQUESTS.sendFileByUrl, fileName: 'picture' });
    expect(warnings).toEqual([expect.stringContaining('no extension')]);
  });

  it('gets no warning when it follows the advice', () => {
    expect(gateway.check('sendFileByUrl', REQUESTS.sendFileByUrl).warnings).toEqual([]);
  });
});

describe('the table of contracts', () => {
  it('has every operation, with beta ones marked in the description', () => {
    expect(Object.keys(operationContracts).toSorted()).toEqual([...OPERATION_NAMES].toSorted());
    expect(operationContracts.sendTyping.description).toMatch(/^Beta/);
    expect(operationContracts.sendTextStatus.description).toMatch(/^Beta/);
  });

  it.each(OPERATION_NAMES)('converts to JSON Schema: %s', (name) => {
    const { request, response } = operationContracts[name];
    expect(toJSONSchema(request, { io: 'input' })).toMatchObject({ type: 'object', additionalProperties: false });
    expect(toJSONSchema(response)).toHaveProperty('type');
  });

  it('marks deprecated fields in the schema', () => {
    const { shape } = operationContracts.createTemplate.request;
    expect(shape.allowTemplateCategoryChange.meta()).toMatchObject({ deprecated: true });
  });
});
