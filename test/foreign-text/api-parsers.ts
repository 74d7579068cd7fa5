import type { z } from 'zod';
import {
  calendarRanges,
  cronProblem,
  isPublicAddress,
  namesPrivateHost,
  sameLocalTime,
  hasBrokenVariable,
  validateTemplate,
  readInput,
  renderContent,
  requiredVariables,
} from '../../src/domain/index.js';
import { differingFields } from '../../src/activities/templates/submit-template.js';
import { readingOf } from '../../src/activities/templates/template-lookup.js';
import { parseDurationMs } from '../../src/contract/values/values.js';
import {
  AppError,
  KEY_NAME,
  isCampaignId,
  parseEncryptionKeys,
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
  setTemplateReviewSchema,
} from '../../src/contract/schemas.js';
import { messageInputSchema } from '../../src/contract/workflow-schemas.js';
import { checkRequest } from '../../src/gateway/check-request.js';
import { readEventCursor, sequenceOf } from '../../src/ledger/events/stored-events.js';
import { newEndpointSchema } from '../../src/starter/http/routes/events/event-endpoints.js';
import { payloadCodec } from '../../src/codec/index.js';
import { errorOf, jsonOrNothing } from '../../src/http-client/request.js';
import { jsonHash } from '../../src/ledger/index.js';
import { readCursor } from '../../src/ledger/storage/pages.js';
import { readTemplateCursor } from '../../src/ledger/templates/template-row.js';
import { templateDifferences } from '../../src/ledger/templates/templates.js';
import { readCampaign } from '../../src/starter/campaigns/read-campaign.js';
import { csvLine } from '../../src/starter/http/routes/recipients.js';
import { readAuditCursor } from '../../src/ledger/keys/audit.js';
import { guard } from '../../src/starter/http/server/guard.js';
import { createKeyring, keyIdOf } from '../../src/starter/keyring.js';
import { readIdempotencyKey, readJson, readQuery } from '../../src/starter/http/read-request.js';
import { methodsOf } from '../../src/starter/http/router.js';
import { ROUTES } from '../../src/starter/http/routes.js';
import { readSchedule } from '../../src/starter/schedules/schedules.js';
import { readMessageRequest } from '../../src/starter/messages/message-request.js';
import { checkChange, checkEdit, checkRetry } from '../../src/workflows/refusals.js';
import { TOKEN, request, headerOf, TEMPLATE, orRefused, type Parser } from './parser.js';
import { findIdWith } from '../../src/starter/find-id.js';
import { isEditId, isMessageId } from '../../src/starter/ids.js';

/** A message of each kind, with the text distributed over its fields. */
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

const NO_INSTANCES = {
  names: () => [],
  get: () => {
    throw new AppError('INSTANCE_NOT_FOUND', 'There is no such instance.');
  },
};

const INSTANCE = {
  name: 'main',
  baseUrl: 'http://127.0.0.1:9',
  idInstance: '1101000001',
  apiTokenInstance: TOKEN,
};

const INSTANCES = { names: () => ['main'], get: () => INSTANCE };

const CHECKS = { checkOperation: checkRequest, instances: INSTANCES };

const KINDS = ['text', 'file', 'status', 'poll', 'location', 'contact', 'forward', 'template'] as const;

/** A body as the code gets it: read by the API's own parser. */
function parsedOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
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

/** Text from callers of the API, and what is stored of it. */
export const API_PARSERS: readonly Parser[] = [
  {
    reads: "the API's Authorization header",
    files: ['starter/http/server/guard.ts'],
    read: (text) => request(aGuard({ needsKey: true }), { headers: { authorization: headerOf(text) } }),
  },
  {
    reads: 'the name of an API key',
    files: ['contract/values/secret.ts'],
    read: (text) => KEY_NAME.test(text),
  },
  {
    reads: 'a cursor of the audit list',
    files: ['ledger/keys/audit.ts'],
    read: (text) => readAuditCursor(text),
  },
  {
    reads: 'an API key',
    files: ['starter/keyring.ts'],
    read: (text) => keyIdOf(text) ?? keyIdOf(`ep_${text}`),
  },
  {
    reads: "the API's Host and Origin headers",
    files: ['starter/http/server/guard.ts'],
    read: (text) => request(aGuard({ needsKey: false }), { headers: { host: headerOf(text), origin: headerOf(text) } }),
  },
  {
    reads: 'a JSON body',
    files: ['starter/http/read-request.ts'],
    read: (text) => request(async (c) => c.json((await readJson(c)) === null), { body: text }),
  },
  {
    reads: 'an Idempotency-Key',
    files: ['starter/http/read-request.ts', 'contract/schemas/message.ts'],
    read: (text) =>
      request((c) => c.text(readIdempotencyKey(c).slice(0, 1)), { headers: { 'idempotency-key': headerOf(text) } }),
  },
  ...(['listMessages', 'planCampaign', 'listRecipients', 'listSuppressions'] as const).map((name) => {
    const query: z.ZodObject = ROUTES[name].query;
    return {
      reads: `the query of ${name}`,
      files: ['starter/http/routes/campaigns.ts', 'starter/http/routes/recipients.ts'],
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
    files: ['starter/http/router.ts', 'starter/ids.ts', 'contract/values/ids.ts'],
    read: (text) => {
      methodsOf(`/v1/campaigns/${text}/start`);
      for (const is of [isMessageId, isEditId, isCampaignId]) is(text);
    },
  },
  {
    reads: 'a cursor',
    files: ['ledger/storage/pages.ts'],
    read: (text) => readCursor(Buffer.from(text).toString('base64url')),
  },
  {
    reads: 'a cursor of templates',
    files: ['contract/temporal.ts'],
    read: (text) => readTemplateCursor(Buffer.from(text).toString('base64url')),
  },
  {
    reads: 'the beginning of an id',
    files: ['starter/find-id.ts', 'contract/values/ids.ts'],
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
    reads: 'the name of a campaign, and the word of a review',
    files: ['contract/schemas/campaign.ts', 'contract/schemas/message.ts'],
    read: (text) => [campaignNameSchema.safeParse(text), setTemplateReviewSchema.safeParse({ status: text })],
  },
  {
    reads: 'text that the ledger may not be able to store',
    files: ['contract/values/json.ts'],
    read: (text) => [wellFormed(text), wellFormedJson(text), wellFormedJson(JSON.stringify(text))],
  },
  {
    reads: 'the input of a workflow',
    files: ['contract/workflow-schemas.ts', 'contract/schemas/message.ts', 'contract/schemas/sending-hours.ts'],
    read: (text) => messageInputSchema.safeParse({ instance: text, to: text, key: text, content: parsedOr(text) }),
  },
  {
    reads: 'the input of an update',
    files: ['workflows/refusals.ts', 'contract/values/values.ts'],
    read: (text) => [
      checkEdit({ text, key: text }),
      checkChange({ deadline: text }),
      checkRetry({ scopes: [text], reasons: [text], deadline: text }),
    ],
  },
  { reads: 'a recipient', files: ['contract/schemas/message.ts'], read: (text) => recipientSchema.safeParse(text) },
  {
    reads: 'sending windows and limits',
    files: ['contract/schemas/sending-hours.ts', 'contract/schedule.ts'],
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
    files: [
      'starter/messages/message-request.ts',
      'starter/messages/content-fields.ts',
      'gateway/operations/fields.ts',
    ],
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
    files: ['starter/messages/message-request.ts'],
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
    files: [
      'domain/template-rules/validate-template.ts',
      'domain/template-rules/texts.ts',
      'domain/template-rules/texts.ts',
      'gateway/operations/templates.ts',
    ],
    read: (text) => validateTemplate(TEMPLATE(text)),
  },
  {
    reads: 'a template of any shape',
    files: ['domain/template-rules/validate-template.ts'],
    read: (text) => validateTemplate(parsedOr(text)),
  },
  {
    reads: 'a template beside one that is known',
    files: ['ledger/templates/templates.ts', 'activities/templates/submit-template.ts'],
    read: (text) => {
      templateDifferences(TEMPLATE(text) as never, TEMPLATE(`${text}x`) as never);
      differingFields(TEMPLATE(text) as never, { ...TEMPLATE(`${text}x`), containerMeta: text });
      readingOf({ ...TEMPLATE(text), reason: parsedOr(text), status: text });
    },
  },
  { reads: 'a cell for CSV', files: ['starter/http/routes/recipients.ts'], read: (text) => csvLine([text, text]) },
  {
    reads: 'a value whose hash is made',
    files: ['contract/values/json.ts'],
    read: (text) => jsonHash(parsedOr(text)),
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
    files: ['starter/schedules/schedules.ts', 'contract/schemas/schedule.ts'],
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
            { checkOperation: () => ({ warnings: [] }), instances: NO_INSTANCES, allowPrivateCallbacks: false },
          ),
        );
      }
    },
  },
  {
    reads: 'a response of the API, by @everpost/client',
    files: ['http-client/request.ts'],
    read: (text) => {
      jsonOrNothing(text);
      for (const status of [200, 503]) {
        errorOf(new Response('', { status, headers: { 'retry-after': headerOf(text) } }), text, undefined);
      }
    },
  },
  {
    reads: 'keys of encryption',
    files: ['contract/values/secret.ts'],
    read: (text) => orRefused(() => parseEncryptionKeys(text)),
  },
  {
    reads: 'an encrypted payload',
    files: ['codec/payload-codec.ts'],
    read: async (text) => {
      const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(text) };
      await payloadCodec(undefined).decode([{ metadata, data: Buffer.from(text) }]);
    },
  },
  {
    reads: 'a cursor of events',
    files: ['ledger/events/stored-events.ts'],
    read: (text) => readEventCursor(Buffer.from(text).toString('base64url')),
  },
  { reads: 'an id of an event', files: ['ledger/events/stored-events.ts'], read: sequenceOf },
  {
    reads: 'an event endpoint',
    files: ['starter/http/routes/events/event-endpoints.ts'],
    read: (text) =>
      readInput(newEndpointSchema, { instance: text, url: text, events: [text], authorization: text }, 'It'),
  },
  { reads: 'a duration', files: ['contract/values/values.ts'], read: (text) => orRefused(() => parseDurationMs(text)) },
];
