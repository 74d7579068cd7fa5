import { z } from 'zod';
import { AppError, KEY_NAME, SCOPES, parseDurationMs, present } from '../../contract/index.js';
import { apiKeySchema, auditEntrySchema, durationSchema, pageFields, timeSchema } from '../../contract/schemas.js';
import { hashOf, newKeyId, newKeyText, witnessOf } from '../keyring.js';
import { reply, route, instanceFilter, onePage } from '../route.js';

const MOST_PER_SECOND = 10_000;
const DEFAULT_OVERLAP = '24h';

const nameSchema = z
  .string()
  .regex(KEY_NAME, 'must be letters, digits, ., - and _, at most 63, and begin with a letter or digit');

const distinct = (list: readonly string[]) => new Set(list).size === list.length;

const issuedKeySchema = apiKeySchema
  .extend({ key: z.string().describe('The key. It is shown only once') })
  .meta({ id: 'IssuedApiKey' });

const newKeySchema = z
  .strictObject({
    name: nameSchema.describe('Witness in evidence and in the audit list. A name is never used for another key'),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .refine(distinct, 'contains a scope twice')
      .describe('Rights of the key. No scope includes another'),
    instances: z
      .array(z.string().min(1))
      .min(1)
      .max(1_000)
      .refine(distinct, 'contains an instance twice')
      .exactOptional()
      .describe(
        'Instances that the key may use. Objects of other instances do not exist for it. Default: every instance',
      ),
    ratePerSecond: z
      .number()
      .min(0.001)
      .max(MOST_PER_SECOND)
      .exactOptional()
      .describe('Requests per second. Default: the rate of EVERPOST_KEY_LIMITS (500)'),
    expiresIn: durationSchema
      .exactOptional()
      .describe('When the key expires, as a duration from now, e.g. 90d. Default: never'),
  })
  .meta({ id: 'NewApiKey' });

const rotateSchema = z
  .strictObject({
    overlap: durationSchema
      .default(DEFAULT_OVERLAP)
      .describe(`How long the previous key stays valid. Default: ${DEFAULT_OVERLAP}`),
  })
  .meta({ id: 'ApiKeyRotation' });

const callerSchema = z
  .object({
    name: z.string().describe('Witness in evidence and in the audit list: `key:<name>`, or `loopback` without a key'),
    scopes: z.array(z.enum(SCOPES)).describe('Rights of the key'),
    instances: z.array(z.string()).optional().describe('Instances that the key may use. Absent: every instance'),
  })
  .meta({ id: 'Caller' });

export const KEY_ROUTES = {
  getCaller: route('GET /v1/caller', {
    access: 'any',
    summary: 'Show what the API key of the request may do',
    responses: { 200: { description: 'The caller', schema: callerSchema } },
    handle: async ({ caller: { witness, scopes, instances } }) =>
      reply(200, { name: witness, scopes: [...scopes], ...present({ instances }) }),
  }),
  createKey: route('POST /v1/keys', {
    access: ['admin', 'everything'],
    summary: 'Create an API key',
    description: 'Only this response shows the key: only a hash of it is stored.',
    body: newKeySchema,
    bodyName: 'The key',
    responses: { 201: { description: 'The new key', schema: issuedKeySchema } },
    problems: ['INSTANCE_NOT_FOUND', 'KEY_EXISTS'],
    async handle({ body, caller: { witness } }, { ledger, clock, keyring, instances: directory }) {
      const { name, scopes, instances, ratePerSecond, expiresIn } = body;
      for (const instance of instances ?? []) directory.get(instance);
      if (keyring.configuredNames().includes(name))
        throw new AppError(
          'KEY_EXISTS',
          `The key ${name} is refused: EVERPOST_API_KEYS has a key of this name, and two witnesses would have one name. Choose another name.`,
        );
      const [id, nowMs] = [newKeyId(), clock.nowMs()];
      const key = newKeyText(id, ledger.digest);
      const created = await ledger.apiKeys.create({
        id,
        name,
        hash: hashOf(key),
        scopes,
        instances,
        ratePerSecond,
        expiresAtMs: expiresIn === undefined ? undefined : nowMs + parseDurationMs(expiresIn),
        createdBy: witness,
        nowMs,
      });
      return reply(201, { ...created, key });
    },
  }),
  listKeys: route('GET /v1/keys', {
    access: ['admin', 'everything'],
    summary: 'List API keys, also revoked ones',
    responses: { 200: { description: 'All keys', schema: z.object({ items: z.array(apiKeySchema) }) } },
    handle: async (_request, { ledger }) => reply(200, { items: await ledger.apiKeys.list() }),
  }),
  getKey: route('GET /v1/keys/{name}', {
    access: ['admin', 'everything'],
    summary: 'Retrieve an API key',
    responses: { 200: { description: "The key's data, without the key itself", schema: apiKeySchema } },
    problems: ['KEY_NOT_FOUND'],
    handle: async ({ params: { name } }, { ledger }) => reply(200, await ledger.apiKeys.view(name)),
  }),
  rotateKey: route('POST /v1/keys/{name}/rotate', {
    access: ['admin', 'everything'],
    summary: 'Rotate the secret of an API key',
    description:
      'The previous key stays valid for the overlap. An even older key, still valid from an earlier rotation, becomes invalid.',
    body: rotateSchema,
    bodyName: 'The rotation of {name}',
    responses: { 200: { description: "The key's data, with the new key", schema: issuedKeySchema } },
    problems: ['KEY_NOT_FOUND'],
    async handle({ params: { name }, body: { overlap } }, { ledger, clock, keyring }) {
      const { id } = await ledger.apiKeys.view(name);
      const key = newKeyText(id, ledger.digest);
      const rotated = await ledger.apiKeys.rotate(name, hashOf(key), clock.nowMs() + parseDurationMs(overlap));
      keyring.forget(id);
      return reply(200, { ...rotated, key });
    },
  }),
  revokeKey: route('POST /v1/keys/{name}/revoke', {
    access: ['admin', 'everything'],
    summary: 'Revoke an API key permanently',
    description: 'The process that responds refuses the key at once, every other process within 2 seconds.',
    responses: { 200: { description: 'The key is revoked', schema: apiKeySchema } },
    problems: ['KEY_NOT_FOUND'],
    async handle({ params: { name } }, { ledger, clock, keyring }) {
      const revoked = await ledger.apiKeys.revoke(name, clock.nowMs());
      keyring.forget(revoked.id);
      return reply(200, revoked);
    },
  }),
  listAudit: route('GET /v1/audit', {
    access: ['admin', 'named'],
    summary: 'List audited requests, newest first',
    description:
      'Requests that changed something or were rejected, without their bodies. Sends are not listed, since each message names its requester.',
    query: z.strictObject({
      key: nameSchema.exactOptional().describe('Only requests with the key of this name. Default: all'),
      instance: instanceFilter,
      since: timeSchema.exactOptional().describe('Only requests from this time on. Default: all'),
      ...pageFields,
    }),
    responses: onePage(auditEntrySchema, 'AuditList'),
    async handle({ query: { key, ...filter }, caller: { instances } }, { ledger }) {
      const witness = key === undefined ? undefined : witnessOf(key);
      return reply(200, await ledger.audit.list({ ...filter, ...present({ witness, instances }) }));
    },
  }),
} as const;
