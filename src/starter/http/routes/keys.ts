import { z } from 'zod';
import { AppError, KEY_NAME, SCOPES, parseDurationMs, present } from '../../../contract/index.js';
import { apiKeySchema, auditEntrySchema, durationSchema } from '../../../contract/schemas.js';
import { hashOf, newKeyId, newKeyText, witnessOf } from '../../keys/keyring.js';
import { pageFields, pageOf } from '../fields.js';
import { reply, route } from '../route.js';

const MOST_PER_SECOND = 10_000;
const DEFAULT_OVERLAP = '24h';

const nameSchema = z
  .string()
  .regex(KEY_NAME, 'must be letters, digits, ., - and _, at most 63, and begin with a letter or digit');

const distinct = (list: readonly string[]) => new Set(list).size === list.length;

const issuedKeySchema = apiKeySchema
  .extend({ key: z.string().describe('The key itself. It is shown this once') })
  .meta({ id: 'IssuedApiKey' });

const newKeySchema = z
  .strictObject({
    name: nameSchema.describe('The witness in evidence and in the audit list; never given to another key'),
    scopes: z.array(z.enum(SCOPES)).min(1).refine(distinct, 'names a scope twice').describe('None includes another'),
    instances: z
      .array(z.string().min(1))
      .min(1)
      .max(1_000)
      .refine(distinct, 'names an instance twice')
      .exactOptional()
      .describe('What else there is does not exist for the key. Default: every instance'),
    ratePerSecond: z.number().min(0.001).max(MOST_PER_SECOND).exactOptional().describe('Default: no limit'),
    expiresIn: durationSchema.exactOptional().describe('e.g. 90d. Default: never'),
  })
  .meta({ id: 'NewApiKey' });

const rotateSchema = z
  .strictObject({
    overlap: durationSchema
      .default(DEFAULT_OVERLAP)
      .describe(`How long the key before is valid as well. Default: ${DEFAULT_OVERLAP}`),
  })
  .meta({ id: 'ApiKeyRotation' });

export const KEY_ROUTES = {
  createKey: route({
    method: 'post',
    path: '/v1/keys',
    access: ['admin', 'everything'],
    summary: 'Create an API key',
    description: 'The response shows the key, and nothing shows it again: only a hash of it is kept.',
    body: newKeySchema,
    bodyName: 'The key',
    responses: { 201: { description: 'Created', schema: issuedKeySchema } },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'KEY_EXISTS'],
    async handle({ body, caller: { witness } }, { ledger, clock, keyring, instances: directory }) {
      const { name, scopes, instances, ratePerSecond, expiresIn } = body;
      for (const instance of instances ?? []) directory.get(instance);
      if (keyring.configuredNames().includes(name)) throw isConfigured(name);
      const [id, nowMs] = [newKeyId(), clock.nowMs()];
      const key = newKeyText(id);
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
  listKeys: route({
    method: 'get',
    path: '/v1/keys',
    access: ['admin', 'everything'],
    summary: 'List API keys, revoked ones too',
    responses: { 200: { description: 'All of them', schema: z.object({ items: z.array(apiKeySchema) }) } },
    problems: [],
    handle: async (_request, { ledger }) => reply(200, { items: await ledger.apiKeys.list() }),
  }),
  getKey: route({
    method: 'get',
    path: '/v1/keys/{name}',
    access: ['admin', 'everything'],
    summary: 'An API key, without the key itself',
    responses: { 200: { description: 'As it stands', schema: apiKeySchema } },
    problems: ['KEY_NOT_FOUND'],
    handle: async ({ params: { name } }, { ledger }) => reply(200, await ledger.apiKeys.view(name)),
  }),
  rotateKey: route({
    method: 'post',
    path: '/v1/keys/{name}/rotate',
    access: ['admin', 'everything'],
    summary: 'Give an API key another secret',
    description: 'The key before stays valid for the overlap; one that was still valid from an earlier rotation ends.',
    body: rotateSchema,
    bodyName: 'The rotation of {name}',
    responses: { 200: { description: 'With the new key', schema: issuedKeySchema } },
    problems: ['INPUT_INVALID', 'KEY_NOT_FOUND'],
    async handle({ params: { name }, body: { overlap } }, { ledger, clock, keyring }) {
      const { id } = await ledger.apiKeys.view(name);
      const key = newKeyText(id);
      const rotated = await ledger.apiKeys.rotate(name, hashOf(key), clock.nowMs() + parseDurationMs(overlap));
      keyring.forget(id);
      return reply(200, { ...rotated, key });
    },
  }),
  revokeKey: route({
    method: 'post',
    path: '/v1/keys/{name}/revoke',
    access: ['admin', 'everything'],
    summary: 'Revoke an API key for good',
    description: 'It is refused at once by the process that answers, and within 2 seconds by every other.',
    responses: { 200: { description: 'It is revoked', schema: apiKeySchema } },
    problems: ['KEY_NOT_FOUND'],
    async handle({ params: { name } }, { ledger, clock, keyring }) {
      const revoked = await ledger.apiKeys.revoke(name, clock.nowMs());
      keyring.forget(revoked.id);
      return reply(200, revoked);
    },
  }),
  listAudit: route({
    method: 'get',
    path: '/v1/audit',
    access: ['admin', 'named'],
    summary: 'Requests that changed something, or were refused it, newest first',
    description: 'Without bodies. A send is no entry: each message names who asked for it.',
    query: z.strictObject({
      key: nameSchema.exactOptional().describe('Only those of the key of this name'),
      instance: z.string().exactOptional(),
      since: z.iso.datetime({ offset: true }).exactOptional().describe('ISO 8601'),
      ...pageFields,
    }),
    responses: {
      200: {
        description: 'One page; `cursor` leads to the next',
        schema: pageOf(auditEntrySchema, 'AuditList'),
      },
    },
    problems: ['INPUT_INVALID'],
    async handle({ query: { key, ...filter }, caller: { instances } }, { ledger }) {
      const witness = key === undefined ? undefined : witnessOf(key);
      return reply(200, await ledger.audit.list({ ...filter, ...present({ witness, instances }) }));
    },
  }),
} as const;

function isConfigured(name: string): AppError {
  return new AppError(
    'KEY_EXISTS',
    `There is a key ${name} among EVERPOST_API_KEYS: two witnesses would have one name. Choose another name.`,
  );
}
