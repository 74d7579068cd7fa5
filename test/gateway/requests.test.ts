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

/** What is changed in a good request, the field that is named for it, and in which words. */
type Case = readonly [change: Readonly<Record<string, unknown>>, path: string, message: string | RegExp];

const TYPING_SMALL = "Validation failed, 'typingTime' must be larger than or equal to";
const TYPING_LARGE = "Validation failed, 'typingTime' must be less than or equal to";
const AUTHENTICATION = { category: 'AUTHENTICATION', content: undefined, example: undefined };
const button = (type: string, text: string) => ({ buttons: [{ type, text }] });

const choices = (...names: string[]) => names.map((optionName) => ({ optionName }));

const REFUSED: Partial<Record<OperationName, readonly Case[]>> = {
  sendMessage: [
    [{ chatId: 'abc@c.us' }, 'chatId', /next formats/],
    [{ chatId: '15551234567' }, 'chatId', /next formats/],
    [{ chatId: '1555-12-34@g.us' }, 'chatId', /next formats/],
    [{ chatId: undefined }, 'chatId', required('chatId')],
    [{ message: '' }, 'message', /empty/],
    [{ message: 5 }, 'message', "Validation failed, 'message' must be a text"],
    [{ message: '\uFEFFhello' }, 'message', /byte order mark/],
    [{ message: 'a'.repeat(20_001) }, 'message', lengthOf('message', 20_000)],
    [{ typingTime: 999 }, 'typingTime', `${TYPING_SMALL} 1000`],
    [{ typingTime: 20_001 }, 'typingTime', `${TYPING_LARGE} 20000`],
    [{ mesage: 'x' }, 'mesage', "'mesage' is not a field of sendMessage"],
  ],
  editMessage: [
    [{ message: 'a'.repeat(20_001) }, 'message', lengthOf('message', 20_000)],
    [{ idMessage: undefined }, 'idMessage', required('idMessage')],
  ],
  sendFileByUrl: [
    [
      { urlFile: 'ftp://a/b.png' },
      'urlFile',
      'Validation failed, details: url has incorrect format, it should start with http(s)://',
    ],
    [{ urlFile: ['https://a/b.png'] }, 'urlFile', /must be a text/],
    [{ urlFile: '\uFEFFhttps://a/b.png' }, 'urlFile', /byte order mark/],
    [{ fileName: '\uFEFFa.png' }, 'fileName', /byte order mark/],
    [{ caption: 'a'.repeat(20_001) }, 'caption', lengthOf('caption', 20_000)],
    [{ typingTime: 0 }, 'typingTime', `${TYPING_SMALL} 1`],
    [{ typingTime: 21 }, 'typingTime', `${TYPING_LARGE} 20`],
    [{ typingTime: 1.5 }, 'typingTime', /whole number/],
    [{ typingType: 'typing' }, 'typingType', /must be one of recording/],
  ],
  sendTextStatus: [
    [{ message: 'a'.repeat(501) }, 'message', lengthOf('message', 500)],
    [{ backgroundColor: 'green' }, 'backgroundColor', /hex color/],
    [{ backgroundColor: '#fff' }, 'backgroundColor', /white/],
    [{ backgroundColor: '#FFFFFF' }, 'backgroundColor', /white/],
    [{ font: 'COMIC' }, 'font', /must be one of SERIF, /],
    [{ participants: ['1-2@g.us'] }, 'participants[0]', /participant/],
  ],
  sendPoll: [
    [{ message: '' }, 'message', /empty/],
    [{ message: 'a'.repeat(256) }, 'message', lengthOf('message', 255)],
    [{ options: undefined }, 'options', required('options')],
    [{ options: ['tea', 'coffee'] }, 'options[0]', /must be an object/],
    [{ options: choices('tea') }, 'options', /from 2 to 12/],
    [{ options: choices('tea', 'tea') }, 'options', /unique/],
    [{ options: choices('tea', '') }, 'options[1].optionName', /empty/],
    [{ typingTime: 20 }, 'typingTime', `${TYPING_SMALL} 1000`],
    [{ multipleAnswers: 'yes' }, 'multipleAnswers', /true or false/],
  ],
  sendLocation: [
    [{ latitude: 90.5 }, 'latitude', /less than or equal to 90/],
    [{ longitude: -181 }, 'longitude', /larger than or equal to -180/],
    [{ latitude: '44.94' }, 'latitude', /must be a number/],
    [{ longitude: undefined }, 'longitude', required('longitude')],
    [{ typingTime: 1_000 }, 'typingTime', /not a field of sendLocation/],
  ],
  sendContact: [
    [
      { contact: { phoneContact: '15557654321' } },
      'contact.phoneContact',
      "Validation failed, 'contact.phoneContact' must be a number",
    ],
    [{ contact: {} }, 'contact.phoneContact', /is required/],
    [{ contact: { phoneContact: 1.5 } }, 'contact.phoneContact', /whole number/],
    [{ contact: { phoneContact: 15557654321, name: 'Ann' } }, 'contact.name', /not a field of sendContact/],
  ],
  forwardMessages: [
    [{ messages: [] }, 'messages', /must hold one id/],
    [{ messages: ['A', 'B'] }, 'messages', /must hold one id/],
    [{ messages: 'A' }, 'messages', /must be a list/],
    [{ messages: [''] }, 'messages[0]', /empty/],
    [{ chatIdFrom: '15557654321' }, 'chatIdFrom', /next formats/],
    [{ typingTime: 999 }, 'typingTime', `${TYPING_SMALL} 1000`],
  ],
  sendTyping: [
    [{ typingTime: 'long' }, 'typingTime', "Validation failed, 'typingTime' must be a number"],
    [{ typingTime: 999 }, 'typingTime', `${TYPING_SMALL} 1000`],
    [{ typingTime: 20_001 }, 'typingTime', `${TYPING_LARGE} 20000`],
  ],
  getGroupData: [
    [
      { groupId: '1555@c.us' },
      'groupId',
      "Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us",
    ],
  ],
  readChat: [[{ chatId: 'abc' }, 'chatId', /next formats/]],
  getIncomingStories: [[{ minutes: 0 }, 'minutes', /larger than or equal to 1/]],
  setSettings: [
    [{ outgoingWebhook: 'maybe' }, 'outgoingWebhook', /must be one of yes, no/],
    [{ outgoingWebhook: undefined }, '', /at least one setting/],
    [{ delaySendMessagesMilliseconds: 499 }, 'delaySendMessagesMilliseconds', /larger than or equal to 500/],
    [{ delaySendMessagesMilliseconds: 600_001 }, 'delaySendMessagesMilliseconds', /less than or equal to 600000/],
    [{ webhookUrl: 'nowhere' }, 'webhookUrl', /http\(s\)/],
  ],
  createTemplate: [
    [{ elementName: 'Order-Ready' }, 'elementName', /lowercase letters, digits and underscores/],
    [{ languageCode: 'xx' }, 'languageCode', /must be one of af, sq/],
    [
      { category: 'SPAM' },
      'category',
      'Invalid category provided, kindly use category from these options AUTHENTICATION,MARKETING,UTILITY',
    ],
    [{ category: undefined }, 'category', required('category')],
    [{ templateType: 'CAROUSEL' }, 'templateType', /TEXT, IMAGE, VIDEO, DOCUMENT/],
    [{ vertical: 'a'.repeat(181) }, 'vertical', lengthOf('vertical', 180)],
    [{ content: undefined }, 'content', /required, except for AUTHENTICATION/],
    [{ content: 'a'.repeat(551) }, 'content', lengthOf('content', 550)],
    [{ content: '👨‍👩‍👧'.repeat(11) }, 'content', /at most 10 emoji/],
    [{ example: undefined }, 'example', /required, except for AUTHENTICATION/],
    [{ header: 'a'.repeat(61), exampleHeader: 'a' }, 'header', lengthOf('header', 60)],
    [{ header: 'Hi' }, 'exampleHeader', /required when 'header'/],
    [{ header: 'Hi', exampleHeader: 'Hi' }, 'exampleHeader', /lowercase/],
    [{ header: 'Hi', exampleHeader: 'hi', templateType: 'IMAGE' }, 'header', /templateType TEXT/],
    [{ footer: 'a'.repeat(61) }, 'footer', lengthOf('footer', 60)],
    [AUTHENTICATION, 'buttons', /OTP button/],
    [{ codeExpirationMinutes: 0 }, 'codeExpirationMinutes', /larger than or equal to 1/],
    [{ codeExpirationMinutes: 91 }, 'codeExpirationMinutes', /less than or equal to 90/],
    [button('BUY', 'Buy'), 'buttons[0].type', /QUICK_REPLY, URL, PHONE_NUMBER, OTP/],
    [button('QUICK_REPLY', 'a'.repeat(26)), 'buttons[0].text', /equal to 25 characters/],
    [button('URL', 'a'.repeat(26)), 'buttons[0].text', /equal to 25 characters/],
    [button('PHONE_NUMBER', 'a'.repeat(21)), 'buttons[0].text', /equal to 20 characters/],
  ],
};

describe('a request that is refused before it is sent', () => {
  it.each(
    OPERATION_NAMES.flatMap((name) =>
      (REFUSED[name] ?? []).map(([change, path, message]) => ({ name, change, path, message })),
    ),
  )('$name: a bad $path: $message', ({ name, change, path, message }) => {
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
