import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  canonicalTimezone,
  clockChange,
  cronProblem,
  isPublicAddress,
  namesPrivateHost,
  hasBrokenVariable,
  validateTemplate,
  unsendableTexts,
  withButtonList,
  readInput,
  renderContent,
  requiredVariables,
} from '../../src/domain/index.js';
import { differingFields } from '../../src/activities/submit-template.js';
import { readingOf } from '../../src/activities/template-lookup.js';
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
  templateKeyOf,
} from '../../src/contract/index.js';
import {
  campaignLimitsSchema,
  campaignNameSchema,
  campaignVariantSchema,
  instanceLimitsSchema,
  localHoursSchema,
  offlineSchema,
  recipientSchema,
  sendingWindowsSchema,
  setTemplateReviewSchema,
} from '../../src/contract/schemas.js';
import { messageInputSchema } from '../../src/contract/workflow-schemas.js';
import { checkRequest } from '../../src/gateway/check-request.js';
import { sequenceOf } from '../../src/ledger/events/stored-events.js';
import { spanContextOf } from '../../src/tracing/trace-context.js';
import { newEndpointSchema } from '../../src/api/routes/events/event-endpoints.js';
import { atRest, payloadCodec } from '../../src/codec/index.js';
import { errorOf, jsonOrNothing } from '../../src/http-client/request.js';
import { jsonHash } from '../../src/ledger/index.js';
import { MAX_BIGINT, cursorsOf, digitsPart, textPart, timePart } from '../../src/ledger/storage/cursors.js';
import { templateDifferences } from '../../src/ledger/templates/templates.js';
import { readCampaign } from '../../src/starter/campaigns/read-campaign.js';
import { csvLine } from '../../src/api/write-csv.js';
import { guard, isFromThisMachine } from '../../src/api/server/guard.js';
import { addressOf, createRefusals } from '../../src/api/refusals.js';
import { createKeyring, keyIdOf } from '../../src/api/keyring.js';
import { readIdempotencyKey, readJson, readQuery } from '../../src/api/read-request.js';
import { methodsOf } from '../../src/api/server/router.js';
import { ROUTES } from '../../src/api/routes/routes.js';
import { readSchedule } from '../../src/api/schedules.js';
import { readMessageRequest } from '../../src/starter/messages/message-request.js';
import { checkChange, checkEdit, checkRetry } from '../../src/workflows/refusals.js';
import { TOKEN, request, headerOf, TEMPLATE, orRefused, parser, type Parser } from './parser.js';
import { findIdWith } from '../../src/api/find-id.js';
import { isEditId, isMessageId } from '../../src/starter/ids.js';

/** A message of each kind, with the text distributed over its fields. */
function messages(whole: string) {
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

/** A body as the code gets it: read by the API's own parser. */
function parsedOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

function aGuard({ needsKey }: { readonly needsKey: boolean }) {
  const keyring = createKeyring({
    apiKeys: { known: async () => undefined, used: async () => undefined },
    digest,
    configured: () => [{ name: 'ops', secret: TOKEN }],
    clock: { nowMs: () => 0 },
    log: () => undefined,
  });
  const clock = { nowMs: () => 0 };
  const refusals = createRefusals({ audit: { record: async () => undefined }, clock, log: () => undefined });
  const operationOf = () => 'none';
  return guard({
    keyring,
    limits: { takeTurn: async () => undefined },
    refusals,
    operationOf,
    isTrusted: (c) => !needsKey && isFromThisMachine(c),
  });
}

/** Text from callers of the API, and what is stored of it. */
export const API_PARSERS: readonly Parser[] = [
  parser("the API's Authorization header", ['api/server/guard.ts'], (text) =>
    request(aGuard({ needsKey: true }), { headers: { authorization: headerOf(text) } }),
  ),
  parser('the name of an API key', ['contract/values/secret.ts'], (text) => KEY_NAME.test(text)),
  parser('an API key', ['api/keyring.ts'], (text) => keyIdOf(text, digest) ?? keyIdOf(`ep_${text}`, digest)),
  parser("the API's Host and Origin headers", ['api/server/guard.ts', 'contract/values/loopback.ts'], (text) =>
    request(aGuard({ needsKey: false }), { headers: { host: headerOf(text), origin: headerOf(text) } }),
  ),
  parser('X-Forwarded-For', ['api/refusals.ts'], (text) =>
    request((c) => c.text(addressOf(c) ?? ''), { headers: { 'x-forwarded-for': headerOf(text) } }),
  ),
  parser('a JSON body', ['api/read-request.ts'], (text) =>
    request(async (c) => c.json((await readJson(c)) === null), { body: text }),
  ),
  parser('an Idempotency-Key', ['api/read-request.ts', 'contract/schemas/message.ts'], (text) =>
    request((c) => c.text(readIdempotencyKey(c).slice(0, 1)), { headers: { 'idempotency-key': headerOf(text) } }),
  ),
  ...(
    [
      'listMessages',
      'planCampaign',
      'listRecipients',
      'listSuppressions',
      'importRecipients',
      'importSuppressions',
    ] as const
  ).map((name) => {
    const query: z.ZodObject = ROUTES[name].query;
    return parser(
      `the query of ${name}`,
      ['api/routes/campaigns.ts', 'api/routes/recipients.ts', 'contract/schemas/list-file.ts'],
      (text) => {
        const path = `?${Object.keys(query.shape)
          .map((field) => `${field}=${encodeURIComponent(Buffer.from(text).toString())}`)
          .join('&')}`;
        return request((c) => c.text(readQuery(c, query) === undefined ? '' : 'read'), { path });
      },
    );
  }),
  parser('a path', ['api/server/router.ts', 'starter/ids.ts', 'contract/values/ids.ts'], (text) => {
    methodsOf(`/v1/campaigns/${text}/start`);
    for (const is of [isMessageId, isEditId, isCampaignId]) is(text);
  }),
  parser('a cursor', ['ledger/storage/cursors.ts'], (text) => {
    const cursors = cursorsOf('all', timePart, textPart, digitsPart(MAX_BIGINT));
    const written = JSON.stringify(['all', text, text, text]);
    for (const given of [text, written]) orRefused(() => cursors.read(Buffer.from(given).toString('base64url')));
  }),
  parser('the id of a workflow of a template', ['contract/temporal.ts'], (text) => templateKeyOf(`template:${text}`)),
  parser('the beginning of an id', ['api/find-id.ts', 'contract/values/ids.ts'], async (text) => {
    const findId = findIdWith({
      ledger: {
        ids: { beginningWith: async () => [], instanceOf: async () => undefined, instancesOfCampaign: async () => [] },
      },
    });
    await findId.message(`msg_${text}`);
    await findId.operation('readChat', text);
    await findId.campaign(text);
  }),
  parser(
    'the name of a campaign, a variant, and the word of a review',
    ['contract/schemas/campaign.ts', 'contract/schemas/campaign-content.ts', 'contract/schemas/message.ts'],
    (text) => [
      campaignNameSchema.safeParse(text),
      campaignVariantSchema.safeParse({ name: text, share: text, content: { kind: 'text' } }),
      setTemplateReviewSchema.safeParse({ status: text }),
    ],
  ),
  parser('the buttons of a template as a text', ['domain/template-rules/validate-template.ts'], (text) =>
    withButtonList({ buttons: text }),
  ),
  parser('text that cannot be sent unchanged', ['domain/read-input.ts'], (text) => unsendableTexts(parsedOr(text))),
  parser('text that the ledger may not be able to store', ['contract/json.ts'], (text) => [
    wellFormed(text),
    wellFormedJson(text),
    wellFormedJson(JSON.stringify(text)),
  ]),
  parser(
    'the input of a workflow',
    ['contract/workflow-schemas.ts', 'contract/schemas/message.ts', 'contract/schemas/sending-hours.ts'],
    (text) => messageInputSchema.safeParse({ instance: text, to: text, key: text, content: parsedOr(text) }),
  ),
  parser('the input of an update', ['workflows/refusals.ts', 'contract/values/values.ts'], (text) => [
    checkEdit({ text, key: text }),
    checkChange({ deadline: text }),
    checkRetry({ scopes: [text], reasons: [text], deadline: text }),
  ]),
  parser('a recipient', ['contract/schemas/message.ts'], (text) => recipientSchema.safeParse(text)),
  parser(
    'sending windows and limits',
    ['contract/schemas/sending-hours.ts', 'contract/sending-hours.ts', 'contract/schedule.ts'],
    (text) => {
      const windows = [{ days: [text], from: text, until: text }];
      const hours = { timezone: text, windows, holidays: [text, `2026-${text}`] };
      offlineSchema.safeParse(text);
      localHoursSchema.safeParse(hours);
      sendingWindowsSchema.safeParse(hours);
      instanceLimitsSchema.safeParse({ timezone: text, warmUp: { firstDay: text, perDay: text, growthPercent: text } });
      campaignLimitsSchema.safeParse({ perDay: text, jitter: { minMs: text, maxMs: text, seed: text } });
    },
  ),
  ...messages('').map(({ kind }, at) =>
    parser(
      `a message (${kind})`,
      ['starter/messages/message-request.ts', 'domain/message/gateway-fields.ts', 'gateway/operations/fields.ts'],
      (text) => {
        const texts = { reference: text, expiresAt: text, statusCallback: text, content: messages(text)[at] };
        return readMessageRequest({ instance: 'main', to: '15551234567', ...texts }, CHECKS);
      },
    ),
  ),
  parser('a message of any shape', ['starter/messages/message-request.ts'], (text) =>
    readMessageRequest({ instance: 'main', content: parsedOr(text) }, CHECKS),
  ),
  ...messages('').map(({ kind }, at) =>
    parser(`a campaign (${kind})`, ['starter/campaigns/read-campaign.ts', 'domain/render-content.ts'], (text) =>
      readCampaign(
        { instance: 'main', defaultCountry: text, reference: text, deadline: text, content: messages(text)[at] },
        CHECKS,
      ),
    ),
  ),
  parser('a campaign of any shape', ['starter/campaigns/read-campaign.ts'], (text) => {
    const value = parsedOr(text);
    readCampaign({ instance: 'main', content: { kind: 'text', text: 'a', more: value } }, CHECKS);
  }),
  parser('a campaign of any fields', ['starter/campaigns/read-campaign.ts'], (text) =>
    readCampaign(parsedOr(text), CHECKS),
  ),
  parser('variables, and a value for them', ['domain/render-content.ts'], (text) => {
    const template = { kind: 'text', text } as const;
    requiredVariables(template);
    hasBrokenVariable(text);
    renderContent(template, { a: text });
    renderContent({ kind: 'location', latitude: text } as never, { a: text });
  }),
  parser(
    'a template',
    [
      'domain/template-rules/validate-template.ts',
      'domain/template-rules/texts.ts',
      'domain/template-rules/texts.ts',
      'gateway/operations/templates.ts',
    ],
    (text) => validateTemplate(TEMPLATE(text)),
  ),
  parser('a template of any shape', ['domain/template-rules/validate-template.ts'], (text) =>
    validateTemplate(parsedOr(text)),
  ),
  parser(
    'a template beside one that is known',
    ['ledger/templates/templates.ts', 'activities/submit-template.ts'],
    (text) => {
      templateDifferences(TEMPLATE(text) as never, TEMPLATE(`${text}x`) as never);
      differingFields(TEMPLATE(text) as never, { ...TEMPLATE(`${text}x`), containerMeta: text });
      readingOf({ ...TEMPLATE(text), reason: parsedOr(text), status: text });
    },
  ),
  parser('a cell for CSV', ['api/write-csv.ts'], (text) => csvLine([text, text])),
  parser('a value whose hash is made', ['contract/json.ts'], (text) => jsonHash(parsedOr(text))),
  parser('an address', ['domain/public-address.ts'], (text) => {
    isPublicAddress(text);
    if (URL.canParse(text)) namesPrivateHost(new URL(text));
  }),
  parser('times of a schedule', ['domain/cron.ts'], (text) => {
    cronProblem(text);
    cronProblem(`${text} * * * ${text}`);
    canonicalTimezone(text);
    isTimezone(text);
    if (cronProblem(text) === undefined) clockChange({ cron: [text] }, 0, []);
  }),
  parser('a schedule', ['api/schedules.ts', 'contract/schemas/schedule.ts'], (text) => {
    const campaign = { instance: text, content: { kind: 'text', text }, name: text };
    const connection = [{ env: text }, { file: text }];
    for (const source of [
      { file: text, delimiter: text },
      { url: `https://example.com/${text}` },
      { group: text },
      ...connection.map((place) => ({ connection: place, query: text })),
    ]) {
      const may = { allowPrivateCallbacks: false, mayNameVariables: true, nowMs: 0 };
      const times = { cron: [text], timezone: text, jitter: text, startAt: text };
      orRefused(() =>
        readSchedule(
          { id: text, campaign, recipients: source, ...times, catchupWindow: text, note: text },
          { checkOperation: () => ({ warnings: [] }), instances: NO_INSTANCES, ...may },
        ),
      );
    }
  }),
  parser('a response of the API, by @everpost/client', ['http-client/request.ts'], (text) => {
    jsonOrNothing(text);
    for (const status of [200, 503]) {
      errorOf(new Response('', { status, headers: { 'retry-after': headerOf(text) } }), text, undefined);
    }
  }),
  parser('keys of encryption', ['contract/values/secret.ts'], (text) => orRefused(() => parseEncryptionKeys(text))),
  parser('a stored secret', ['codec/at-rest.ts', 'codec/aes.ts'], (text) => {
    for (const stored of [text, `enc:${text}`, `enc:${text}:${text}`])
      orRefused(() => atRest(undefined).open(stored, 'place'));
  }),
  parser('an encrypted payload', ['codec/payload-codec.ts', 'codec/aes.ts'], async (text) => {
    const metadata = { encoding: Buffer.from('binary/encrypted'), 'encryption-key-id': Buffer.from(text) };
    await payloadCodec(undefined).decode([{ metadata, data: Buffer.from(text) }]);
  }),
  parser('an id of an event', ['ledger/events/stored-events.ts'], sequenceOf),
  parser('an event endpoint', ['api/routes/events/event-endpoints.ts'], (text) =>
    readInput(newEndpointSchema, { instance: text, url: text, events: [text], authorization: text }, 'It'),
  ),
  parser('the trace of a caller', ['tracing/trace-context.ts'], (text) => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    for (const given of [{ traceparent: text }, { traceparent, tracestate: text }]) spanContextOf(given);
  }),
  parser('a duration', ['contract/values/values.ts'], (text) => orRefused(() => parseDurationMs(text))),
];
