import {
  comparableText,
  comparableUrl,
  isSurelyAnotherChat,
  journalObservation,
  listedItem,
  queueObservation,
  optOutVocabulary,
  optOutWord,
} from '../../src/domain/index.js';
import { withoutSecrets } from '../../src/activities/operation-activities.js';
import { Secret } from '../../src/contract/index.js';
import { checkRequest } from '../../src/gateway/check-request.js';
import { classify } from '../../src/gateway/classify.js';
import { gatewayTextOf, textOf } from '../../src/gateway/gateway-text.js';
import { rawBody, readResponse, retryAfterMs } from '../../src/gateway/read-outcome.js';
import { redact } from '../../src/gateway/redact.js';
import { fillTemplate } from '../../src/simulator/account/templates.js';
import { isAuthorized } from '../../src/webhooks/verify-sender.js';
import { readRawBody } from '../../src/webhooks/inbox.js';
import { readNotification } from '../../src/webhooks/read-notification.js';
import { TEMPLATE, TOKEN, headerOf, orRefused, type Parser } from './parser.js';

const RECIPIENT = { instance: 'main', idInstance: '1101000001' };

const VOCABULARY = optOutVocabulary();

/** Text from the gateway, and text that is written for it. */
export const GATEWAY_PARSERS: readonly Parser[] = [
  {
    reads: 'a file to upload',
    files: ['gateway/operations/sends.ts'],
    read: (text) => orRefused(() => checkRequest('uploadFile', { fileName: text, contentType: text, content: text })),
  },
  {
    reads: "a notification's Authorization header",
    files: ['webhooks/verify-sender.ts'],
    read: (text) => isAuthorized(text, [TOKEN, new Secret('Basic x')]),
  },
  ...(
    [
      'sendMessage',
      'sendFileByUrl',
      'sendTextStatus',
      'sendContact',
      'getGroupData',
      'readChat',
      'createTemplate',
    ] as const
  ).map((name) => ({
    reads: `a request for ${name}`,
    files: ['gateway/operations/fields.ts', 'gateway/operations/templates.ts', 'gateway/operations/sends.ts'],
    read: (text: string) =>
      checkRequest(name, {
        ...TEMPLATE(text),
        chatId: text,
        chatIdFrom: text,
        message: text,
        urlFile: text,
        fileName: text,
        caption: text,
        backgroundColor: text,
        participants: [text],
        options: [{ optionName: text }],
        contact: { phoneContact: text },
        groupId: text,
        idMessage: text,
        webhookUrl: text,
        templateId: text,
        params: [text],
      }),
  })),
  {
    reads: 'a notification',
    files: ['webhooks/inbox.ts'],
    read: async (text) => readNotification((await readRawBody(Buffer.from(text))).body, 0, RECIPIENT),
  },
  {
    reads: 'the texts of a notification',
    files: ['domain/reconcile/observations.ts', 'domain/reconcile/sameness.ts'],
    read: (text) => {
      for (const typeMessage of [
        'textMessage',
        'extendedTextMessage',
        'contactMessage',
        'locationMessage',
        'pollMessage',
        'imageMessage',
      ]) {
        const messageData = {
          typeMessage,
          textMessageData: { textMessage: text },
          extendedTextMessageData: { text, stanzaId: text },
          contactMessageData: { displayName: text, vcard: text },
          locationMessageData: { latitude: text, longitude: text, nameLocation: text },
          pollMessageData: { name: text, options: [{ optionName: text }] },
          fileMessageData: { fileName: text, caption: text, downloadUrl: text },
        };
        const senderData = { chatId: text, sender: text };
        const body = {
          typeWebhook: 'outgoingAPIMessageReceived',
          idMessage: text,
          timestamp: text,
          senderData,
          messageData,
        };
        readNotification(body, 0, RECIPIENT);
        readNotification({ ...body, typeWebhook: 'incomingMessageReceived' }, 0, RECIPIENT);
        journalObservation('getMessage', {
          ...messageData,
          ...messageData.fileMessageData,
          type: 'outgoing',
          sendByApi: true,
          chatId: text,
          textMessage: text,
        });
      }
      readNotification(
        { typeWebhook: 'outgoingMessageStatus', idMessage: text, status: text, description: text },
        0,
        RECIPIENT,
      );
    },
  },
  {
    reads: 'an item of the queue',
    files: ['domain/reconcile/observations.ts', 'domain/reconcile/sameness.ts', 'domain/reconcile/absence.ts'],
    read: (text) => {
      for (const type of [
        'sendMessage',
        'sendFileByUrl',
        'sendPoll',
        'sendLocation',
        'sendContact',
        'ForwardMessages',
      ]) {
        queueObservation({
          type,
          body: {
            chatId: text,
            message: text,
            fileName: text,
            urlFile: text,
            caption: text,
            options: [text],
            latitude: text,
            longitude: text,
            contact: { phoneContact: text, vcard: text },
            chatIdFrom: text,
            messages: [text],
          },
        });
      }
      queueObservation({ type: 'sendContact', body: { contact: { vcard: text } } });
      isSurelyAnotherChat(listedItem({ body: { chatId: text } }).chat, `${text}@c.us`);
      comparableUrl(text);
    },
  },
  {
    reads: 'a text that is compared',
    files: ['domain/reconcile/sameness.ts'],
    read: (text) => comparableText(text),
  },
  { reads: 'words that may say STOP', files: ['domain/opt-out.ts'], read: (text) => optOutWord(VOCABULARY, text) },
  {
    reads: "the gateway's response",
    files: ['gateway/read-outcome.ts', 'gateway/gateway-text.ts', 'gateway/classify.ts', 'gateway/redact.ts'],
    read: (text) => {
      const raw = rawBody(Buffer.from(text));
      const words = textOf(raw);
      for (const httpStatus of [400, 403, 500])
        classify({ failure: 'status', operation: 'sendMessage', words, httpStatus });
      gatewayTextOf(raw, TOKEN, { message: 'Your order', options: ['a'.repeat(100), text] });
      gatewayTextOf({ message: text }, TOKEN, { message: text });
      gatewayTextOf({ error: [raw, { error: text }] }, TOKEN, {});
    },
  },
  ...(['sendMessage', 'getGroupData', 'getTemplates', 'createTemplate', 'showMessagesQueue'] as const).map((name) => ({
    reads: `the response of ${name}`,
    files: ['gateway/read-outcome.ts', 'gateway/operations/account.ts', 'gateway/operations/templates.ts'],
    read: (text: string) => {
      const raw = rawBody(Buffer.from(text));
      readResponse(name, raw);
      readResponse(name, [raw]);
      readResponse(name, {
        status: text,
        error: text,
        idMessage: text,
        templates: [{ id: text, reason: raw }],
        participants: [{ id: text }],
      });
    },
  })),
  {
    reads: 'a response whose secrets are removed',
    files: ['activities/operation-activities.ts'],
    read: (text) => withoutSecrets(rawBody(Buffer.from(text))),
  },
  {
    reads: 'a text that may hold a token',
    files: ['gateway/redact.ts'],
    read: (text) => redact(text, [TOKEN, new Secret('%25a"<2f'), new Secret('aaaaaaaaaaaaaaaaaaaaaaab')]),
  },
  {
    reads: 'Retry-After and Date',
    files: ['gateway/read-outcome.ts'],
    read: (text) => {
      retryAfterMs(text, text, 0);
      retryAfterMs(headerOf(text), headerOf(text), 0);
    },
  },
  {
    reads: 'a template that the simulator has',
    files: ['simulator/account/templates.ts'],
    read: (text) => {
      const instance = {
        templates: [{ id: '1', status: 'APPROVED', request: { content: text } }],
      };
      orRefused(() => fillTemplate(instance as never, '1', []));
    },
  },
];
