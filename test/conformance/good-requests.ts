import type { Json } from './scene.js';
import { CHAT, GROUP, OTHER_CHAT } from './scene.js';
import { aTemplate } from './template-requests.js';

interface Exchange {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  readonly request: Json;
  readonly answer: unknown;
}

const ACCEPTED = { idMessage: 'BAE5000000000001' };

/** One exchange of each operation that nothing is wrong with. */
export const GOOD = {
  createTemplate: {
    verb: 'POST',
    request: aTemplate(),
    answer: { template: { id: '4c4b', elementName: 'order_ready', status: 'PENDING' } },
  },
  deleteNotification: { verb: 'DELETE', request: { receiptId: 7 }, answer: { result: true } },
  editMessage: {
    verb: 'POST',
    request: { chatId: CHAT, idMessage: 'BAE5000000000001', message: 'new' },
    answer: ACCEPTED,
  },
  forwardMessages: {
    verb: 'POST',
    request: { chatId: CHAT, chatIdFrom: OTHER_CHAT, messages: ['BAE5000000000001'] },
    answer: { messages: ['BAE5000000000002'] },
  },
  getGroupData: { verb: 'POST', request: { groupId: GROUP }, answer: { groupId: GROUP, size: 0, participants: [] } },
  getIncomingStories: { verb: 'GET', request: {}, answer: [] },
  getMessage: {
    verb: 'POST',
    request: { chatId: CHAT, idMessage: 'BAE5000000000001' },
    answer: { type: 'outgoing', idMessage: 'BAE5000000000001', chatId: CHAT, textMessage: 'new', isEdited: true },
  },
  getSettings: {
    verb: 'GET',
    request: {},
    answer: { delaySendMessagesMilliseconds: 500, webhookUrl: '', incomingWebhook: 'no' },
  },
  getStateInstance: { verb: 'GET', request: {}, answer: { stateInstance: 'authorized' } },
  getTemplateById: {
    verb: 'POST',
    request: { templateId: '4c4b' },
    answer: { template: { id: '4c4b', elementName: 'order_ready', status: 'APPROVED' } },
  },
  getTemplates: {
    verb: 'GET',
    request: {},
    answer: { templates: [{ id: '4c4b', elementName: 'order_ready', status: 'APPROVED' }] },
  },
  lastOutgoingMessages: { verb: 'GET', request: {}, answer: [] },
  readChat: { verb: 'POST', request: { chatId: CHAT }, answer: { setRead: true } },
  receiveNotification: { verb: 'GET', request: {}, answer: { receiptId: 7, body: { typeWebhook: 'deviceInfo' } } },
  sendContact: {
    verb: 'POST',
    request: { chatId: CHAT, contact: { phoneContact: 15550000003, firstName: 'Ann', lastName: 'Lee' } },
    answer: ACCEPTED,
  },
  sendFileByUrl: {
    verb: 'POST',
    request: { chatId: CHAT, urlFile: 'https://files.example/report.pdf', fileName: 'report.pdf' },
    answer: ACCEPTED,
  },
  sendLocation: {
    verb: 'POST',
    request: { chatId: CHAT, latitude: 44.94, longitude: 34.1, nameLocation: 'Square', address: 'Main street 1' },
    answer: ACCEPTED,
  },
  sendMessage: { verb: 'POST', request: { chatId: CHAT, message: 'hello' }, answer: ACCEPTED },
  sendPoll: {
    verb: 'POST',
    request: { chatId: CHAT, message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }] },
    answer: ACCEPTED,
  },
  sendTemplate: {
    verb: 'POST',
    request: { chatId: CHAT, templateId: '4c4b', params: ['17'] },
    answer: ACCEPTED,
  },
  sendTextStatus: { verb: 'POST', request: { message: 'status' }, answer: ACCEPTED },
  sendTyping: { verb: 'POST', request: { chatId: CHAT, typingTime: 1000 }, answer: '' },
  setSettings: { verb: 'POST', request: { incomingWebhook: 'yes' }, answer: { saveSettings: true } },
  showMessagesQueue: { verb: 'GET', request: {}, answer: [] },
} as const satisfies Record<string, Exchange>;
