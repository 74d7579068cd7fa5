import { describe, expect, it } from 'vitest';
import { toJSONSchema } from 'zod';
import { AppError, OPERATION_NAMES, type OperationName } from '../../src/contract/index.js';
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

const button = (type: string, text: string) => ({ buttons: [{ type, text }] });
const choices = (...names: string[]) => names.map((optionName) => ({ optionName }));

/** The texts of the client, and fields that no row of test/conformance breaks. */
const REFUSED: Partial<Record<OperationName, readonly Case[]>> = {
  sendMessage: [
    [{ chatId: undefined }, 'chatId', required('chatId')],
    [{ message: '' }, 'message', /empty/],
    [{ message: 5 }, 'message', "Validation failed, 'message' must be a text"],
    [{ message: 'a'.repeat(20_001) }, 'message', lengthOf('message', 20_000)],
    [{ typingTime: 999 }, 'typingTime', "Validation failed, 'typingTime' must be larger than or equal to 1000"],
    [{ typingTime: 20_001 }, 'typingTime', "Validation failed, 'typingTime' must be less than or equal to 20000"],
    [{ mesage: 'x' }, 'mesage', "'mesage' is not a field of sendMessage"],
  ],
  sendFileByUrl: [
    [{ typingTime: 1.5 }, 'typingTime', /whole number/],
    [{ typingType: 'typing' }, 'typingType', /must be one of recording/],
  ],
  sendTextStatus: [
    [{ backgroundColor: 'green' }, 'backgroundColor', /hex color/],
    [{ participants: ['1-2@g.us'] }, 'participants[0]', /participant/],
  ],
  sendPoll: [
    [{ message: '' }, 'message', /empty/],
    [{ options: undefined }, 'options', required('options')],
    [{ options: ['tea', 'coffee'] }, 'options[0]', /must be an object/],
    [{ options: choices('tea', '') }, 'options[1].optionName', /empty/],
    [{ options: choices('tea', ' ') }, 'options[1].optionName', /empty/],
    [{ options: choices('tea', ' tea ') }, 'options', /unique/],
    [{ multipleAnswers: 'yes' }, 'multipleAnswers', /true or false/],
  ],
  sendLocation: [
    [{ latitude: '44.94' }, 'latitude', /must be a number/],
    [{ longitude: undefined }, 'longitude', required('longitude')],
    [{ typingTime: 1_000 }, 'typingTime', /not a field of sendLocation/],
  ],
  sendContact: [
    [{ contact: { phoneContact: 15557654321, name: 'Ann' } }, 'contact.name', /not a field of sendContact/],
  ],
  forwardMessages: [
    [{ messages: 'A' }, 'messages', /must be a list/],
    [{ messages: [''] }, 'messages[0]', /empty/],
    [{ chatIdFrom: '15557654321' }, 'chatIdFrom', /next formats/],
  ],
  readChat: [[{ chatId: 'abc' }, 'chatId', /next formats/]],
  getIncomingStories: [[{ minutes: 0 }, 'minutes', /larger than or equal to 1/]],
  setSettings: [
    [{ outgoingWebhook: undefined }, '', /at least one setting/],
    [{ webhookUrl: 'nowhere' }, 'webhookUrl', /http\(s\)/],
  ],
  createTemplate: [
    [{ elementName: 'Order-Ready' }, 'elementName', /lowercase letters, digits and underscores/],
    [{ category: undefined }, 'category', required('category')],
    [{ content: undefined }, 'content', /required, except for AUTHENTICATION/],
    [{ codeExpirationMinutes: 0 }, 'codeExpirationMinutes', /larger than or equal to 1/],
    [{ codeExpirationMinutes: 91 }, 'codeExpirationMinutes', /less than or equal to 90/],
    [button('BUY', 'Buy'), 'buttons[0].type', /QUICK_REPLY, URL, PHONE_NUMBER, OTP/],
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
  { name: 'sendMessage', change: { message: '😀'.repeat(10_000), linkPreview: false } },
  { name: 'sendMessage', change: { chatId: '120363043968066561@g.us' } },
  { name: 'sendLocation', change: { nameLocation: '', address: 'Main street 1' } },
  { name: 'setSettings', change: { webhookUrl: '', autoTyping: 4 } },
  { name: 'createTemplate', change: { content: `${'🇺🇦👍🏽❤️1️⃣©'.repeat(2)}😀😀 11 ` } },
  {
    name: 'createTemplate',
    change: { ...button('OTP', 'Copy the code, whatever it takes to'), codeExpirationMinutes: 90 },
  },
  { name: 'createTemplate', change: { header: 'a'.repeat(60), exampleHeader: 'übung 5' } },
];

describe('a request that is sent unchanged', () => {
  it.each(TAKEN)('$name $change', ({ name, change }) => {
    const request = { ...REQUESTS[name], ...change };
    expect(gateway.check(name, request).request).toEqual(request);
  });
});

describe('a link', () => {
  it.each([
    ['https://files.example.com/a b.png', /space/],
    ['https://files.example.com/файл.png', /characters other than/],
    ['https://files.example.com/a.png?size=1', /characters other than/],
    ['https://files.example.com/a%20b.png', /percent-encoded/],
    ['https://files.example.com/page.html', /ends like a web page/],
  ])('gets a warning like %s', (urlFile, warning) => {
    const { warnings, request } = gateway.check('sendFileByUrl', { ...REQUESTS.sendFileByUrl, urlFile });
    expect(warnings).toContainEqual(expect.stringMatching(warning));
    expect(request.urlFile).toBe(urlFile);
  });
});

describe('the table of contracts', () => {
  it('has every operation, and nothing else', () => {
    expect(Object.keys(operationContracts).toSorted()).toEqual([...OPERATION_NAMES].toSorted());
  });

  it.each(OPERATION_NAMES)('converts to JSON Schema: %s', (name) => {
    const { request, response } = operationContracts[name];
    expect(toJSONSchema(request, { io: 'input' })).toMatchObject({ type: 'object', additionalProperties: false });
    expect(toJSONSchema(response)).toHaveProperty('type');
  });
});
