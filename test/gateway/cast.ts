import { AppError, Secret, type Clock, type InstanceConfig, type OperationName } from '../../src/contract/index.js';
import { createGateway, type Gateway, type GatewayOptions, type OperationRequest } from '../../src/gateway/index.js';
import { TEMPLATE } from '../support/template.js';

export const TOKEN = 'token-of-main';

export const realClock: Clock = { nowMs: () => Date.now() };

export function anInstance(baseUrl: string, more: Partial<InstanceConfig> = {}): InstanceConfig {
  return {
    name: 'main',
    baseUrl,
    mediaUrl: baseUrl,
    idInstance: '1101000001',
    apiTokenInstance: new Secret(TOKEN),
    // Tests that are not about rates do not wait for them.
    rateLimits: Object.fromEntries(Object.keys(REQUESTS).map((name) => [name, 0])),
    ...more,
  };
}

export function aGateway(instance: InstanceConfig, more: Partial<GatewayOptions> = {}): Gateway {
  return createGateway({
    instances: { get: () => instance, names: () => [instance.name] },
    clock: realClock,
    gatewayTimeoutMs: 5_000,
    ...more,
  });
}

/** A valid request for each operation. */
export const REQUESTS: { readonly [Name in OperationName]: OperationRequest<Name> } = {
  clearMessagesQueue: {},
  createTemplate: TEMPLATE,
  deleteNotification: { receiptId: 7 },
  editMessage: { chatId: '15551234567@c.us', idMessage: 'BAE5', message: 'new words' },
  forwardMessages: { chatId: '15551234567@c.us', chatIdFrom: '15557654321@c.us', messages: ['BAE5'] },
  getGroupData: { groupId: '15551234567-1479621234@g.us' },
  getIncomingStories: {},
  getMessage: { chatId: '15551234567@c.us', idMessage: 'BAE5' },
  getSettings: {},
  getStateInstance: {},
  getTemplateById: { templateId: '4c4b' },
  getTemplates: {},
  lastOutgoingMessages: {},
  reboot: {},
  readChat: { chatId: '15551234567@c.us' },
  receiveNotification: {},
  sendContact: { chatId: '15551234567@c.us', contact: { phoneContact: 15557654321, firstName: 'Ann' } },
  sendFileByUrl: { chatId: '15551234567@c.us', urlFile: 'https://files.example.com/a.png', fileName: 'a.png' },
  sendLocation: { chatId: '15551234567@c.us', latitude: 44.94, longitude: 34.1 },
  sendMessage: { chatId: '15551234567@c.us', message: 'hello there' },
  sendPoll: {
    chatId: '15551234567@c.us',
    message: 'Tea or coffee?',
    options: [{ optionName: 'tea' }, { optionName: 'coffee' }],
  },
  sendTemplate: { chatId: '15551234567@c.us', templateId: '4c4b', params: ['17'] },
  sendTextStatus: { message: 'open until six' },
  sendTyping: { chatId: '15551234567@c.us' },
  setSettings: { outgoingWebhook: 'yes' },
  showMessagesQueue: {},
  uploadFile: { fileName: 'a.png', contentType: 'image/png', content: 'iVBORw0KGgo=' },
};

/** The error of a promise that has to fail with an AppError. */
export async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error('expected an AppError', { cause: error });
}
