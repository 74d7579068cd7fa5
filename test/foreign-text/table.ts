/**
 * Every parser of text that comes from elsewhere, as a function of that text. A refusal is a response like any other.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Hono, type Handler } from 'hono';
import type { z } from 'zod';
import {
  calendarRanges,
  comparableText,
  comparableUrl,
  cronProblem,
  isPublicAddress,
  isSurelyAnotherChat,
  journalObservation,
  listedItem,
  namesPrivateHost,
  queueObservation,
  sameLocalTime,
  hasBrokenVariable,
  validateTemplate,
  optOutVocabulary,
  optOutWord,
  readInput,
  renderContent,
  requiredVariables,
} from '../../src/domain/index.js';
import { differingFields } from '../../src/activities/templates/same-template.js';
import { readingOf } from '../../src/activities/templates/look-up.js';
import { withoutSecrets } from '../../src/activities/without-secrets.js';
import { readNumber, readRecipients, recipientTimezones, type RecipientFormat } from '../../src/audience/index.js';
import { readDefinitionFile } from '../../src/client/files/definition-file.js';
import { openRecipients } from '../../src/cli/commands/campaign/recipients-source.js';
import { readJsonOption } from '../../src/cli/json-option.js';
import {
  errorLine,
  lastLines,
  namesTakenPort,
  saysThatItListens,
} from '../../src/tools/local-temporal/server-output.js';
import { readStructuredFile } from '../../src/client/files/structured-file.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { parseDurationMs } from '../../src/contract/duration.js';
import { loadConfig } from '../../src/config/index.js';
import { readInstancesFile } from '../../src/config/instances-file.js';
import {
  KEY_NAME,
  AppError,
  Secret,
  isCampaignId,
  parseJson,
  wellFormed,
  wellFormedJson,
  isTimezone,
} from '../../src/contract/index.js';
import {
  campaignLimitsSchema,
  campaignNameSchema,
  instanceLimitsSchema,
  localHoursSchema,
  offlineSchema,
  recipientSchema,
  sendingWindowsSchema,
} from '../../src/contract/schemas.js';
import { messageInputSchema } from '../../src/contract/workflow-schemas.js';
import { checkRequest } from '../../src/gateway/check-request.js';
import { classify } from '../../src/gateway/classify.js';
import { gatewayTextOf, textOf } from '../../src/gateway/gateway-text.js';
import { rawBody, readResponse } from '../../src/gateway/read-response.js';
import { redact } from '../../src/gateway/redact.js';
import { retryAfterMs } from '../../src/gateway/retry-after.js';
import { jsonHash } from '../../src/ledger/index.js';
import { findIdWith } from '../../src/starter/find-id.js';
import { table } from '../../src/cli/table.js';
import { readCursor } from '../../src/ledger/page-cursor.js';
import { readEventCursor, sequenceOf } from '../../src/ledger/events/stored-events.js';
import { newEndpointSchema } from '../../src/starter/http/routes/events.js';
import { readTemplateCursor } from '../../src/ledger/templates/template-list.js';
import { templateDifferences } from '../../src/ledger/templates/template-differences.js';
import { fillTemplate } from '../../src/simulator/templates.js';
import { readCampaign } from '../../src/starter/campaigns/read-campaign.js';
import { csvLine } from '../../src/starter/http/csv-response.js';
import { readAuditCursor } from '../../src/ledger/keys/audit.js';
import { guard } from '../../src/starter/http/guard.js';
import { keyIdOf } from '../../src/starter/keys/key-text.js';
import { createKeyring } from '../../src/starter/keys/keyring.js';
import { readIdempotencyKey, readJson, readQuery } from '../../src/starter/http/read-request.js';
import { methodsOf } from '../../src/starter/http/router.js';
import { ROUTES } from '../../src/starter/http/routes.js';
import { isEditId, isMessageId } from '../../src/starter/ids.js';
import { readSchedule } from '../../src/starter/schedules/read-schedule.js';
import { readMessageRequest } from '../../src/starter/message-request.js';
import { isAuthorized } from '../../src/webhooks/authorization.js';
import { readRawBody } from '../../src/webhooks/raw-body.js';
import { readNotification } from '../../src/webhooks/read-notification.js';
import { checkChange, checkEdit, checkRetry } from '../../src/workflows/refusals.js';

const NO_INSTANCES = {
  names: () => [],
  get: () => {
    throw new AppError('INSTANCE_NOT_FOUND', 'There is no such instance.');
  },
};

export interface Parser {
  readonly reads: string;
  /** The files whose patterns and parsers it goes through. */
  readonly files: readonly string[];
  /** May refuse with an AppError, and with nothing else. */
  readonly read: (text: string) => unknown;
}

const TOKEN = new Secret('d75b3a66374942c5b3c019c698abc2067e151558acbd412345');
const INSTANCE = {
  name: 'main',
  baseUrl: 'http://127.0.0.1:9',
  idInstance: '1101000001',
  apiTokenInstance: TOKEN,
};
const INSTANCES = { names: () => ['main'], get: () => INSTANCE };
const CHECKS = { checkOperation: checkRequest, instances: INSTANCES };
const RECIPIENT = { instance: 'main', idInstance: '1101000001' };
const VOCABULARY = optOutVocabulary();
const KINDS = ['text', 'file', 'status', 'poll', 'location', 'contact', 'forward', 'template'] as const;

/** A request that reaches a handler, through a real router. */
async function request(
  handle: Handler,
  init: { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: string },
): Promise<void> {
  const app = new Hono();
  app.onError((error) => {
    throw error;
  });
  app.all('*', handle);
  const response = await app.fetch(
    new Request(`http://127.0.0.1/${init.path ?? ''}`, {
      method: 'POST',
      headers: init.headers ?? {},
      ...(init.body === undefined ? {} : { body: init.body }),
    }),
  );
  await response.text();
}

/** A header of HTTP holds bytes; what is none is left out. */
function headerOf(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, 'x');
}

async function recipients(text: string, format: RecipientFormat, pieceBytes: number): Promise<void> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const source = { bytes: pieces(), format, defaultCountry: 'DE' } as const;
  for await (const batch of readRecipients(source, 1_000)) void batch;
}

async function withFile(name: string, text: string, read: (file: string) => unknown): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'everpost-foreign-'));
  try {
    writeFileSync(join(dir, name), text);
    await read(join(dir, name));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function terminal(stdin = ''): Terminal {
  const stream = new PassThrough();
  stream.end(stdin);
  return { out: () => undefined, err: () => undefined, stdin: stream, env: {}, cwd: tmpdir() };
}

/** A message of each kind, the text shared out among its fields. */
function messages(whole: string): unknown[] {
  const text = whole.slice(0, whole.length / 3);
  return [
    { kind: 'text', text: whole.slice(0, whole.length - 10), quotedMessageId: text.slice(0, 10) },
    { kind: 'file', url: text, fileName: text, caption: text },
    { kind: 'status', text, backgroundColor: text, participants: [text] },
    { kind: 'poll', message: text, options: [{ optionName: text }, { optionName: `${text}.` }] },
    { kind: 'location', latitude: 1, longitude: text, nameLocation: text, address: text },
    { kind: 'contact', contact: { phoneContact: text, firstName: text, company: text } },
    { kind: 'forward', chatIdFrom: text, messages: [text, text] },
    { kind: 'template', elementName: text, params: [text, text] },
  ];
}

const TEMPLATE = (whole: string, text = whole.slice(0, whole.length / 8)) => ({
  elementName: text,
  languageCode: text,
  category: text,
  templateType: text,
  vertical: text,
  content: whole.slice(0, whole.length / 3),
  example: `${whole.slice(0, whole.length / 3)}x`,
  header: text,
  exampleHeader: text,
  footer: text,
  mediaUrl: text,
  buttons: [{ type: 'URL', text, url: text, example: [text] }],
});

/** What a body is by the time that anything looks into it: read by the API's own parser. */
function parsedOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Where a refusal is a plain error, which its caller gives a code. What a parser must not throw has other names. */
function orRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'Error') throw error;
  }
}

function aGuard({ needsKey }: { readonly needsKey: boolean }) {
  const keyring = createKeyring({
    apiKeys: { known: async () => undefined, used: async () => undefined },
    configured: () => [{ name: 'ops', secret: TOKEN }],
    clock: { nowMs: () => 0 },
    log: () => undefined,
  });
  return guard({ keyring, takeTurn: async () => undefined, needsKey: () => needsKey });
}

export const PARSERS: readonly Parser[] = [
  {
    reads: "the API's Authorization header",
    files: ['starter/http/guard.ts'],
    read: (text) => request(aGuard({ needsKey: true }), { headers: { authorization: headerOf(text) } }),
  },
  {
    reads: 'the name of an API key',
    files: ['contract/api-key.ts'],
    read: (text) => KEY_NAME.test(text),
  },
  {
    reads: 'a cursor of the audit list',
    files: ['ledger/keys/audit.ts'],
    read: (text) => readAuditCursor(text),
  },
  {
    reads: 'an API key',
    files: ['starter/keys/key-text.ts'],
    read: (text) => keyIdOf(text) ?? keyIdOf(`ep_${text}`),
  },
  {
    reads: "the API's Host and Origin headers",
    files: ['starter/http/guard.ts'],
    read: (text) => request(aGuard({ needsKey: false }), { headers: { host: headerOf(text), origin: headerOf(text) } }),
  },
  {
    reads: "a notification's Authorization header",
    files: ['webhooks/authorization.ts'],
    read: (text) => isAuthorized(text, [TOKEN, new Secret('Basic x')]),
  },
  {
    reads: "what Temporal's dev server writes",
    files: ['tools/local-temporal/server-output.ts'],
    read: (text) => [
      saysThatItListens(text),
      namesTakenPort(text),
      errorLine(text),
      errorLine(`Error: ${text}`),
      lastLines(text),
    ],
  },
  {
    reads: 'a JSON body',
    files: ['starter/http/read-request.ts'],
    read: (text) => request(async (c) => c.json((await readJson(c)) === null), { body: text }),
  },
  {
    reads: 'an Idempotency-Key',
    files: ['starter/http/read-request.ts', 'contract/schemas.ts'],
    read: (text) =>
      request((c) => c.text(readIdempotencyKey(c).slice(0, 1)), { headers: { 'idempotency-key': headerOf(text) } }),
  },
  ...(['listMessages', 'planCampaign', 'listRecipients', 'listSuppressions'] as const).map((name) => {
    const query: z.ZodObject = ROUTES[name].query;
    return {
      reads: `the query of ${name}`,
      files: ['starter/http/routes/campaigns.ts', 'starter/http/routes/recipients.ts', 'contract/schemas.ts'],
      read: (text: string) => {
        const path = `?${Object.keys(query.shape)
          .map((field) => `${field}=${encodeURIComponent(Buffer.from(text).toString())}`)
          .join('&')}`;
        return request((c) => c.text(readQuery(c, query) === undefined ? '' : 'read'), { path });
      },
    };
  }),
  {
    reads: 'a path',
    files: ['starter/http/router.ts', 'starter/ids.ts', 'contract/campaign-ids.ts'],
    read: (text) => {
      methodsOf(`/v1/campaigns/${text}/start`);
      for (const is of [isMessageId, isEditId, isCampaignId]) is(text);
    },
  },
  {
    reads: 'a cursor',
    files: ['ledger/page-cursor.ts'],
    read: (text) => readCursor(Buffer.from(text).toString('base64url')),
  },
  {
    reads: 'a cursor of events',
    files: ['ledger/events/stored-events.ts'],
    read: (text) => readEventCursor(Buffer.from(text).toString('base64url')),
  },
  {
    reads: 'an id of an event',
    files: ['ledger/events/stored-events.ts'],
    read: sequenceOf,
  },
  {
    reads: 'an event endpoint',
    files: ['starter/http/routes/events.ts'],
    read: (text) =>
      readInput(newEndpointSchema, { instance: text, url: text, events: [text], authorization: text }, 'It'),
  },
  {
    reads: 'a cursor of templates',
    files: ['contract/temporal.ts'],
    read: (text) => readTemplateCursor(Buffer.from(text).toString('base64url')),
  },
  {
    reads: 'the beginning of an id',
    files: ['starter/find-id.ts', 'contract/short-id.ts'],
    read: async (text) => {
      const findId = findIdWith({
        ledger: { ids: { beginningWith: async () => [], instanceOf: async () => undefined } },
      });
      await findId.message(`msg_${text}`);
      await findId.operation('readChat', text);
      await findId.campaign(text);
    },
  },
  {
    reads: 'a cell of a table',
    files: ['cli/table.ts'],
    read: (text) => table([{ header: 'TEXT', value: () => text }], [text]),
  },
  {
    reads: 'the name of a campaign',
    files: ['contract/schemas.ts'],
    read: (text) => campaignNameSchema.safeParse(text),
  },
  {
    reads: 'text that the ledger may not be able to store',
    files: ['contract/well-formed.ts'],
    read: (text) => [wellFormed(text), wellFormedJson(text), wellFormedJson(JSON.stringify(text))],
  },
  {
    reads: 'the input of a workflow',
    files: ['contract/workflow-schemas.ts', 'contract/schemas.ts'],
    read: (text) => messageInputSchema.safeParse({ instance: text, to: text, key: text, content: parsedOr(text) }),
  },
  {
    reads: 'the input of an update',
    files: ['workflows/refusals.ts', 'contract/sendable-text.ts'],
    read: (text) => [
      checkEdit({ text, key: text }),
      checkChange({ deadline: text }),
      checkRetry({ scopes: [text], reasons: [text], deadline: text }),
    ],
  },
  {
    reads: 'a recipient',
    files: ['contract/schemas.ts'],
    read: (text) => recipientSchema.safeParse(text),
  },
  {
    reads: 'sending windows and limits',
    files: ['contract/schemas.ts', 'contract/sending-hours.ts'],
    read: (text) => {
      const windows = [{ days: [text], from: text, until: text }];
      const hours = { timezone: text, windows, holidays: [text, `2026-${text}`] };
      offlineSchema.safeParse(text);
      localHoursSchema.safeParse(hours);
      sendingWindowsSchema.safeParse(hours);
      instanceLimitsSchema.safeParse({ timezone: text, warmUp: { firstDay: text, perDay: text, growthPercent: text } });
      campaignLimitsSchema.safeParse({ perDay: text, jitter: { minMs: text, maxMs: text, seed: text } });
    },
  },
  ...messages('').map((_, at) => ({
    reads: `a message (${KINDS[at]})`,
    files: ['starter/message-request.ts', 'contract/schemas.ts', 'starter/content-fields.ts', 'gateway/text-fields.ts'],
    read: (text: string) =>
      readMessageRequest(
        {
          instance: 'main',
          to: '15551234567',
          reference: text,
          expiresAt: text,
          statusCallback: text,
          content: messages(text)[at],
        },
        CHECKS,
      ),
  })),
  {
    reads: 'a message of any shape',
    files: ['starter/message-request.ts'],
    read: (text) => readMessageRequest({ instance: 'main', content: parsedOr(text) }, CHECKS),
  },
  ...messages('').map((_, at) => ({
    reads: `a campaign (${KINDS[at]})`,
    files: ['starter/campaigns/read-campaign.ts', 'domain/render-content.ts'],
    read: (text: string) =>
      readCampaign(
        { instance: 'main', defaultCountry: text, reference: text, deadline: text, content: messages(text)[at] },
        CHECKS,
      ),
  })),
  {
    reads: 'a campaign of any shape',
    files: ['starter/campaigns/read-campaign.ts'],
    read: (text) => {
      const value = parsedOr(text);
      readCampaign({ instance: 'main', content: { kind: 'text', text: 'a', more: value } }, CHECKS);
    },
  },
  {
    reads: 'a campaign of any fields',
    files: ['starter/campaigns/read-campaign.ts'],
    read: (text) => readCampaign(parsedOr(text), CHECKS),
  },
  {
    reads: 'variables, and a value for them',
    files: ['domain/render-content.ts'],
    read: (text) => {
      const template = { kind: 'text', text } as const;
      requiredVariables(template);
      hasBrokenVariable(text);
      renderContent(template, { a: text });
      renderContent({ kind: 'location', latitude: text } as never, { a: text });
    },
  },
  {
    reads: 'a template',
    files: ['domain/template-rules.ts', 'gateway/operations/create-template.ts'],
    read: (text) => validateTemplate(TEMPLATE(text)),
  },
  {
    reads: 'a template of any shape',
    files: ['domain/template-rules.ts'],
    read: (text) => validateTemplate(parsedOr(text)),
  },
  {
    reads: 'a template beside one that is known',
    files: ['ledger/templates/template-differences.ts', 'activities/templates/same-template.ts'],
    read: (text) => {
      templateDifferences(TEMPLATE(text) as never, TEMPLATE(`${text}x`) as never);
      differingFields(TEMPLATE(text) as never, { ...TEMPLATE(`${text}x`), containerMeta: text });
      readingOf({ ...TEMPLATE(text), reason: parsedOr(text), status: text });
    },
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
    files: [
      'gateway/chat-id.ts',
      'gateway/text-fields.ts',
      'gateway/operations/create-template.ts',
      'gateway/operations/send-contact.ts',
      'gateway/operations/send-file-by-url.ts',
      'gateway/operations/send-text-status.ts',
    ],
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
    reads: 'recipients as CSV',
    files: [
      'audience/csv-head.ts',
      'audience/csv-records.ts',
      'audience/classify-line.ts',
      'audience/read-recipients.ts',
    ],
    read: (text) => recipients(text, 'csv', 64 * 1024),
  },
  {
    reads: 'recipients as CSV, a byte at a time',
    files: ['audience/csv-head.ts', 'audience/csv-records.ts'],
    read: (text) => recipients(text, 'csv', 16),
  },
  {
    reads: 'recipients as CSV behind a head, a byte at a time',
    files: ['audience/csv-head.ts', 'audience/csv-records.ts'],
    read: (text) => recipients(`phone,text\n${text}`, 'csv', 16),
  },
  {
    reads: 'recipients as NDJSON',
    files: ['audience/read-recipients.ts'],
    read: (text) => recipients(text, 'ndjson', 64 * 1024),
  },
  {
    reads: 'recipients as NDJSON, a byte at a time',
    files: ['audience/read-recipients.ts'],
    read: (text) => recipients(text, 'ndjson', 16),
  },
  {
    reads: 'values of recipients as NDJSON',
    files: ['audience/read-recipients.ts'],
    read: (text) => recipients(`{"phone":"15551234567","a":${text.slice(0, 60_000)}}\n`, 'ndjson', 64 * 1024),
  },
  {
    reads: 'a list of numbers',
    files: ['audience/phone-number.ts'],
    read: (text) => recipients(text, 'list', 64 * 1024),
  },
  {
    reads: 'a phone number',
    files: ['audience/phone-number.ts'],
    read: (text) => {
      for (const country of [undefined, 'DE', 'US'] as const) readNumber(text, country);
      readNumber(`+${text}`);
      readNumber(`00${text}`);
    },
  },
  {
    reads: "a recipient's timezone",
    files: ['audience/recipient-timezones.ts'],
    read: (text) => recipientTimezones(0, undefined)('15550000001@c.us', text),
  },
  { reads: 'a cell for CSV', files: ['starter/http/csv-response.ts'], read: (text) => csvLine([text, text]) },
  {
    reads: 'a notification',
    files: ['webhooks/raw-body.ts'],
    read: async (text) => readNotification((await readRawBody(Buffer.from(text))).body, 0, RECIPIENT),
  },
  {
    reads: 'the texts of a notification',
    files: ['domain/reconcile/shown-content.ts', 'domain/reconcile/sameness.ts', 'domain/reconcile/comparable-text.ts'],
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
    files: ['domain/reconcile/shown-content.ts', 'domain/reconcile/sameness.ts', 'domain/reconcile/precede.ts'],
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
    files: ['domain/reconcile/comparable-text.ts'],
    read: (text) => comparableText(text),
  },
  {
    reads: 'a value whose hash is made',
    files: ['contract/canonical-json.ts'],
    read: (text) => jsonHash(parsedOr(text)),
  },
  { reads: 'words that may say STOP', files: ['domain/opt-out.ts'], read: (text) => optOutWord(VOCABULARY, text) },
  {
    reads: "the gateway's response",
    files: ['gateway/read-response.ts', 'gateway/gateway-text.ts', 'gateway/classify.ts', 'gateway/redact.ts'],
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
    files: [
      'gateway/read-response.ts',
      'gateway/operations/get-group-data.ts',
      'gateway/operations/template-response.ts',
    ],
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
    files: ['activities/without-secrets.ts'],
    read: (text) => withoutSecrets(rawBody(Buffer.from(text))),
  },
  {
    reads: 'a text that may hold a token',
    files: ['gateway/redact.ts'],
    read: (text) => redact(text, [TOKEN, new Secret('%25a"<2f'), new Secret('aaaaaaaaaaaaaaaaaaaaaaab')]),
  },
  {
    reads: 'Retry-After and Date',
    files: ['gateway/retry-after.ts'],
    read: (text) => {
      retryAfterMs(text, text, 0);
      retryAfterMs(headerOf(text), headerOf(text), 0);
    },
  },
  {
    reads: 'an address',
    files: ['domain/public-address.ts'],
    read: (text) => {
      isPublicAddress(text);
      if (URL.canParse(text)) namesPrivateHost(new URL(text));
    },
  },
  {
    reads: 'times of a calendar',
    files: ['domain/calendar.ts'],
    read: (text) => {
      cronProblem(text);
      cronProblem(`${text} * * * ${text}`);
      calendarRanges({ minute: text, hour: text, dayOfMonth: text, month: text, dayOfWeek: text, year: text });
      isTimezone(text);
      sameLocalTime({ cron: [text] }, 0, []);
    },
  },
  {
    reads: 'a schedule',
    files: ['starter/schedules/read-schedule.ts'],
    read: (text) => {
      const campaign = { instance: text, content: { kind: 'text', text }, name: text };
      const connection = [{ env: text }, { file: text }];
      for (const source of [
        { file: text, delimiter: text },
        { url: `https://example.com/${text}` },
        { group: text },
        ...connection.map((place) => ({ connection: place, query: text })),
      ]) {
        const times = { cron: [text], calendars: [{ hour: text }], timezone: text, jitter: text, startAt: text };
        orRefused(() =>
          readSchedule(
            { id: text, campaign, recipients: source, ...times, graceTime: text, note: text },
            { checkOperation: () => ({ warnings: [] }), instances: NO_INSTANCES, allowPrivate: false },
          ),
        );
      }
    },
  },
  { reads: 'a duration', files: ['contract/duration.ts'], read: (text) => orRefused(() => parseDurationMs(text)) },
  {
    reads: 'the environment',
    files: ['config/variables.ts', 'config/load-config.ts'],
    read: (text) => {
      for (const name of [
        'EVERPOST_API_URL',
        'EVERPOST_PUBLIC_URL',
        'DATABASE_URL',
        'EVERPOST_HTTP_PORT',
        'EVERPOST_SETTLE_TIME',
        'EVERPOST_API_KEYS',
        'EVERPOST_API_KEYS_FILE',
        'EVERPOST_LOG_LEVEL',
      ]) {
        loadConfig({ [name]: text }, { cwd: tmpdir() });
      }
    },
  },
  {
    reads: 'an instances file',
    files: ['config/instances-file.ts'],
    read: (text) => withFile('instances.json', text, (file) => readInstancesFile(file, { env: {} })),
  },
  {
    reads: 'the fields of an instances file',
    files: ['config/instances-file.ts'],
    read: (text) => {
      const instance = {
        baseUrl: text,
        mediaUrl: text,
        idInstance: text,
        apiTokenInstance: text,
        allowedRecipients: [text],
        responses: { [text]: 'refused' },
        optOut: { stop: [text], start: [text] },
      };
      return withFile('instances.json', JSON.stringify({ main: instance, [text]: instance }), (file) =>
        readInstancesFile(file, { env: {} }),
      );
    },
  },
  {
    reads: "a campaign's file in YAML",
    files: ['client/files/definition-file.ts'],
    read: (text) => withFile('campaign.yaml', text, (file) => readDefinitionFile(file, '/')),
  },
  {
    reads: "a campaign's file in JSON",
    files: ['client/files/definition-file.ts'],
    read: (text) => withFile('campaign.json', text, (file) => readDefinitionFile(file, '/')),
  },
  {
    reads: "a template's file in YAML",
    files: ['client/files/structured-file.ts', 'client/files/parse-yaml.ts'],
    read: (text) => withFile('template.yaml', text, (file) => readStructuredFile(file, '/', "The template's file")),
  },
  {
    reads: 'a JSON option',
    files: ['cli/json-option.ts'],
    read: (text) => readJsonOption('--body', text, terminal()),
  },
  {
    reads: 'the beginning of a file of recipients',
    files: ['cli/commands/campaign/recipients-source.ts'],
    read: async (text) => {
      const source = await openRecipients('-', terminal(text), { mayBeList: true });
      for await (const chunk of source.body) void chunk;
    },
  },
  {
    reads: 'a template that the simulator has',
    files: ['simulator/templates.ts'],
    read: (text) => {
      const instance = {
        templates: [{ id: '1', status: 'APPROVED', request: { content: text } }],
      };
      orRefused(() => fillTemplate(instance as never, '1', []));
    },
  },
];
