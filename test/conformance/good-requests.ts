import type { Json } from './scene.js';
import { CHAT, GROUP, OTHER_CHAT } from './scene.js';
import { aTemplate } from './template-requests.js';

interface Exchange {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  readonly request: Json;
  readonly response: unknown;
}

const ACCEPTED = { idMessage: 'BAE5000000000001' };

/** One valid exchange of each operation. */
export const GOOD = {
  clearMessagesQueue: { verb: 'GET', request: {}, response: { isCleared: true } },
  reboot: { verb: 'GET', request: {}, response: { isReboot: true } },
  createTemplate: {
    verb: 'POST',
    request: aTemplate(),
    response: { template: { id: '4c4b', elementName: 'order_ready', status: 'PENDING' } },
  },
  deleteNotification: { verb: 'DELETE', request: { receiptId: 7 }, response: { result: true } },
  editMessage: {
    verb: 'POST',
    request: { chatId: CHAT, idMessage: 'BAE5000000000001', message: 'new' },
    response: ACCEPTED,
  },
  forwardMessages: {
    verb: 'POST',
    request: { chatId: CHAT, chatIdFrom: OTHER_CHAT, messages: ['BAE5000000000001'] },
    response: { messages: ['BAE5000000000002'] },
  },
  getGroupData: { verb: 'POST', request: { groupId: GROUP }, response: { groupId: GROUP, size: 0, participants: [] } },
  getIncomingStories: { verb: 'GET', request: {}, response: [] },
  getMessage: {
    verb: 'POST',
    request: { chatId: CHAT, idMessage: 'BAE5000000000001' },
    response: { type: 'outgoing', idMessage: 'BAE5000000000001', chatId: CHAT, textMessage: 'new', isEdited: true },
  },
  getSettings: {
    verb: 'GET',
    request: {},
    response: { delaySendMessagesMilliseconds: 500, webhookUrl: '', incomingWebhook: 'no' },
  },
  getStateInstance: { verb: 'GET', request: {}, response: { stateInstance: 'authorized' } },
  getTemplateById: {
    verb: 'POST',
    request: { templateId: '4c4b' },
    response: { template: { id: '4c4b', elementName: 'order_ready', status: 'APPROVED' } },
  },
  getTemplates: {
    verb: 'GET',
    request: {},
    response: { templates: [{ id: '4c4b', elementName: 'order_ready', status: 'APPROVED' }] },
  },
  lastOutgoingMessages: { verb: 'GET', request: {}, response: [] },
  readChat: { verb: 'POST', request: { chatId: CHAT }, response: { setRead: true } },
  receiveNotification: { verb: 'GET', request: {}, response: { receiptId: 7, body: { typeWebhook: 'deviceInfo' } } },
  sendContact: {
    verb: 'POST',
    request: { chatId: CHAT, contact: { phoneContact: 15550000003, firstName: 'Ann', lastName: 'Lee' } },
    response: ACCEPTED,
  },
  sendFileByUrl: {
    verb: 'POST',
    request: { chatId: CHAT, urlFile: 'https://files.example/report.pdf', fileName: 'report.pdf' },
    response: ACCEPTED,
  },
  sendLocation: {
    verb: 'POST',
    request: { chatId: CHAT, latitude: 44.94, longitude: 34.1, nameLocation: 'Square', address: 'Main street 1' },
    response: ACCEPTED,
  },
  sendMessage: { verb: 'POST', request: { chatId: CHAT, message: 'hello' }, response: ACCEPTED },
  sendPoll: {
    verb: 'POST',
    request: { chatId: CHAT, message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }] },
    response: ACCEPTED,
  },
  sendTemplate: {
    verb: 'POST',
    request: { chatId: CHAT, templateId: '4c4b', params: ['17'] },
    response: ACCEPTED,
  },
  sendTextStatus: { verb: 'POST', request: { message: 'status' }, response: ACCEPTED },
  sendTyping: { verb: 'POST', request: { chatId: CHAT, typingTime: 1000 }, response: '' },
  setSettings: { verb: 'POST', request: { incomingWebhook: 'yes' }, response: { saveSettings: true } },
  uploadFile: {
    verb: 'POST',
    request: { fileName: 'report.pdf', contentType: 'application/pdf', content: 'dGhlIGZpbGU=' },
    response: { urlFile: 'https://files.example/BAE5000000000001.pdf' },
  },
  showMessagesQueue: { verb: 'GET', request: {}, response: [] },
} as const satisfies Record<string, Exchange>;

/** The operations of the gateway's document. */
export const OPERATIONS = [
  'createTemplate',
  'editMessage',
  'sendFileByUrl',
  'sendTextStatus',
  'sendTyping',
  'getGroupData',
  'getIncomingStories',
  'readChat',
  'showMessagesQueue',
] as const;
