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
import { parseNotification, readNotification } from '../../src/webhooks/read-notification.js';
import { TEMPLATE, TOKEN, headerOf, orRefused, parser, type Parser } from './parser.js';

const RECIPIENT = { instance: 'main', idInstance: '1101000001' };

const read = (body: unknown) => readNotification(parseNotification(body), 0, RECIPIENT);

const VOCABULARY = optOutVocabulary();

/** Text from the gateway, and text that is written for it. */
export const GATEWAY_PARSERS: readonly Parser[] = [
  parser('a file to upload', ['gateway/operations/sends.ts'], (text) =>
    orRefused(() => checkRequest('uploadFile', { fileName: text, contentType: text, content: text })),
  ),
  parser("a notification's Authorization header", ['webhooks/verify-sender.ts'], (text) =>
    isAuthorized(text, [TOKEN, new Secret('Basic x')]),
  ),
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
  ).map((name) =>
    parser(
      `a request for ${name}`,
      ['gateway/operations/fields.ts', 'gateway/operations/templates.ts', 'gateway/operations/sends.ts'],
      (text) =>
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
    ),
  ),
  parser('a message of an unknown type', ['domain/message-text.ts', 'webhooks/read-notification.ts'], (text) => {
    const parsed = rawBody(Buffer.from(text));
    for (const data of [
      { reply: { body: text } },
      { [text]: text },
      { reply: parsed },
      { [text]: { [text]: parsed } },
    ]) {
      const senderData = { chatId: text, sender: text, senderLid: text, senderPhoneNumber: text };
      const message = { typeMessage: text, ...data };
      const fields = { idMessage: text, senderData, instanceData: { wid: text }, messageData: message };
      read({ typeWebhook: 'incomingMessageReceived', ...fields });
      read({
        typeWebhook: 'incomingMessageReceived',
        ...fields,
        senderData: { ...senderData, chatId: '77000111222@lid' },
      });
    }
  }),
  parser('a notification', ['webhooks/inbox.ts'], async (text) => read((await readRawBody(Buffer.from(text))).body)),
  parser(
    'the texts of a notification',
    ['domain/reconcile/observations.ts', 'domain/comparable.ts', 'domain/reconcile/kinds.ts'],
    (text) => {
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
        read(body);
        read({ ...body, typeWebhook: 'incomingMessageReceived' });
        journalObservation('getMessage', {
          ...messageData,
          ...messageData.fileMessageData,
          type: 'outgoing',
          sendByApi: true,
          chatId: text,
          textMessage: text,
        });
      }
      read({ typeWebhook: 'outgoingMessageStatus', idMessage: text, status: text, description: text });
    },
  ),
  parser(
    'an item of the queue',
    [
      'domain/reconcile/observations.ts',
      'domain/comparable.ts',
      'domain/reconcile/kinds.ts',
      'domain/reconcile/absence.ts',
    ],
    (text) => {
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
  ),
  parser('a text that is compared', ['domain/comparable.ts'], (text) => comparableText(text)),
  parser('words that may say STOP', ['domain/opt-out.ts'], (text) => optOutWord(VOCABULARY, text)),
  parser(
    "the gateway's response",
    ['gateway/read-outcome.ts', 'gateway/gateway-text.ts', 'gateway/classify.ts', 'gateway/redact.ts'],
    (text) => {
      const raw = rawBody(Buffer.from(text));
      const words = textOf(raw);
      for (const httpStatus of [400, 403, 500])
        classify({ failure: 'status', operation: 'sendMessage', words, httpStatus });
      gatewayTextOf(raw, TOKEN, { message: 'Your order', options: ['a'.repeat(100), text] });
      gatewayTextOf({ message: text }, TOKEN, { message: text });
      gatewayTextOf({ error: [raw, { error: text }] }, TOKEN, {});
    },
  ),
  ...(['sendMessage', 'getGroupData', 'getTemplates', 'createTemplate', 'showMessagesQueue'] as const).map((name) =>
    parser(
      `the response of ${name}`,
      ['gateway/read-outcome.ts', 'gateway/operations/account.ts', 'gateway/operations/templates.ts'],
      (text) => {
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
    ),
  ),
  parser('a response whose secrets are removed', ['activities/operation-activities.ts'], (text) =>
    withoutSecrets(rawBody(Buffer.from(text))),
  ),
  parser('a text that may hold a token', ['gateway/redact.ts'], (text) =>
    redact(text, [TOKEN, new Secret('%25a"<2f'), new Secret('aaaaaaaaaaaaaaaaaaaaaaab')]),
  ),
  parser('Retry-After and Date', ['gateway/read-outcome.ts'], (text) => {
    retryAfterMs(text, text, 0);
    retryAfterMs(headerOf(text), headerOf(text), 0);
  }),
  parser('a template that the simulator has', ['simulator/account/templates.ts'], (text) => {
    const instance = {
      templates: [{ id: '1', status: 'APPROVED', request: { content: text } }],
    };
    orRefused(() => fillTemplate(instance as never, '1', []));
  }),
];
