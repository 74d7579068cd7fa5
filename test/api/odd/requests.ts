/** Requests made from openapi.json: a good one for each operation, and every place in it that takes a value. */
import { readFileSync } from 'node:fs';
import { OPERATIONS, type OperationName } from '../../../src/contract/index.js';
import type { OpenApiDocument, OpenApiOperation } from '../../../src/api/openapi/document.js';
import { GOOD } from '../../conformance/good-requests.js';
import type { Objects } from '../keys/two-worlds.js';
import { ALICE } from '../api-parts.js';

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;

/** One request, before its values become a path, a query and JSON. */
export interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Absent: the operation takes none. */
  readonly body?: unknown;
  readonly type?: string;
}

/** The path with its parameters, and the query. */
export function urlOf({ path, params, query }: Wanted): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** A place in a request, and the request with a value there. */
export interface Place {
  readonly name: string;
  readonly takes: 'text' | 'json';
  readonly kind: 'time' | 'cursor' | 'id' | 'number' | 'other';
  with(value: unknown): Wanted;
}

export interface Operation {
  readonly name: string;
  readonly good: Wanted;
  /** The types of bodies other than JSON. */
  readonly rawTypes: readonly string[];
  readonly places: readonly Place[];
}

/** @param objects  parts of paths that name an object, by the beginning of the path */
export function operationsOf(objects: Objects): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.operationId === 'beginOperation'
        ? Object.keys(OPERATIONS).map((name) => gatewayOperation(path, operation, name as OperationName))
        : [anOperation(method, path, operation, objects)],
    ),
  );
}

function anOperation(method: string, path: string, operation: OpenApiOperation, objects: Objects): Operation {
  const beginning = Object.keys(objects).find((one) => path.startsWith(`${one}/`)) ?? '';
  const params = Object.fromEntries(namesIn(path).map((name) => [name, objects[beginning]?.[name] ?? nameOf(name)]));
  const { type, schema, rawTypes } = bodyOf(operation);
  const good: Wanted = {
    method,
    path,
    params,
    query: queryOf(operation),
    ...(type === undefined ? {} : { type }),
    ...(schema === undefined ? {} : { body: type === JSON_TYPE ? goodValue(schema) : GOOD_LINES }),
  };
  const fields = type === JSON_TYPE && schema !== undefined ? fieldsOf(schema) : [];
  const inBody = fields.map((field): Place => ({
    name: `body ${field.path}`,
    takes: 'json',
    kind: field.kind,
    with: (value) => ({ ...good, body: field.with(value) }),
  }));
  return { name: operation.operationId, good, rawTypes, places: [...inPathAndQuery(operation, good), ...inBody] };
}

function gatewayOperation(path: string, operation: OpenApiOperation, method: OperationName): Operation {
  const { request } = GOOD[method];
  const body = { instance: 'main', request: Object.keys(request).length === 0 ? {} : request };
  const good: Wanted = { method: 'post', path, params: { method }, query: { timeoutMs: '0' }, body, type: JSON_TYPE };
  const schema = document.components.schemas[`operation.${method}`] ?? {};
  const inBody = fieldsOf(schema, request).map((field): Place => ({
    name: `body request${field.path}`,
    takes: 'json',
    kind: field.kind,
    with: (value) => ({ ...good, body: { ...body, request: field.with(value) } }),
  }));
  return {
    name: `beginOperation ${method}`,
    good,
    rawTypes: [],
    places: [...inPathAndQuery(operation, good), ...inBody],
  };
}

const JSON_TYPE = 'application/json';

function inPathAndQuery(operation: OpenApiOperation, good: Wanted): Place[] {
  return operation.parameters.flatMap(({ name, in: where, schema }): Place[] => {
    if (where === 'header') return [];
    const given = where === 'path' ? 'params' : 'query';
    return [
      {
        name: `${where} ${name}`,
        takes: 'text',
        kind: where === 'path' ? 'id' : kindOf(schema, name),
        with: (value) => ({ ...good, [given]: { ...good[given], [name]: String(value) } }),
      },
    ];
  });
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function nameOf(name: string): string {
  if (name === 'to') return ALICE;
  return name === 'name' || name === 'instance' ? 'main' : 'none';
}

function queryOf({ parameters }: OpenApiOperation): Readonly<Record<string, string>> {
  return parameters.some(({ name, in: where }) => where === 'query' && name === 'timeoutMs') ? { timeoutMs: '0' } : {};
}

const GOOD_LINES = 'phone\n15550000009\n';

function bodyOf({ requestBody }: OpenApiOperation) {
  const content = Object.entries((requestBody?.['content'] ?? {}) as Record<string, { readonly schema: Json }>);
  const [type, { schema } = { schema: undefined }] = content.find(([one]) => one === JSON_TYPE) ?? content[0] ?? [];
  const rawTypes = content.flatMap(([one]) => (one === JSON_TYPE ? [] : [one.replace('*/*', 'image/jpeg')]));
  return { type: type?.replace('*/*', 'image/jpeg'), schema, rawTypes };
}

function kindOf({ type, format }: Json, name: string): Place['kind'] {
  if (name === 'cursor') return 'cursor';
  if (format === 'date-time' || format === 'date') return 'time';
  if (type === 'number' || type === 'integer') return 'number';
  return /id$/i.test(name) || name === 'event' ? 'id' : 'other';
}

interface Field extends Pick<Place, 'kind'> {
  readonly path: string;
  with(value: unknown): unknown;
}

/** Every field of a value, the value itself included, by its path. */
function fieldsOf(schema: Json, whole: unknown = goodValue(schema), path = '', name = ''): Field[] {
  const { properties, items, anyOf, oneOf, ...own } = resolved(schema);
  const itself: Field = { path, kind: kindOf(own, name), with: (value) => value };
  const variants = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as Json[]) : []));
  if (variants.length > 0) return [itself, ...variants.flatMap((one) => fieldsOf(one, goodValue(one), path).slice(1))];
  const ofProperties = Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([one, property]) => {
    const before = typeof whole === 'object' && whole !== null ? (whole as Json) : {};
    return fieldsOf(property, before[one] ?? goodValue(property, one), `${path}.${one}`, one).map((field): Field => ({
      ...field,
      with: (value) => ({ ...before, [one]: field.with(value) }),
    }));
  });
  const ofItems =
    typeof items === 'object' && items !== null
      ? fieldsOf(items as Json, Array.isArray(whole) ? whole[0] : undefined, `${path}[0]`).map((field): Field => ({
          ...field,
          with: (value) => [field.with(value)],
        }))
      : [];
  const unknown: Field[] =
    own['type'] === 'object' && path === ''
      ? [{ path: '.colour', kind: 'other', with: (value) => ({ ...(whole as Json), colour: value }) }]
      : [];
  return [itself, ...ofProperties, ...ofItems, ...unknown];
}

function resolved(schema: Json): Json {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return schema;
  return { ...document.components.schemas[$ref.slice('#/components/schemas/'.length)], ...own };
}

/** A value that the schema and everpost's own rules allow. */
function goodValue(schema: Json, name = ''): unknown {
  const { $ref } = schema;
  const id = typeof $ref === 'string' ? $ref.slice('#/components/schemas/'.length) : '';
  if (id in COMPONENTS) return COMPONENTS[id];
  const {
    const: only,
    enum: words,
    anyOf,
    oneOf,
    type,
    format,
    properties,
    items,
    required,
    minimum,
  } = resolved(schema);
  if (only !== undefined) return only;
  if (Array.isArray(words)) return words[0];
  const [variant] = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as Json[]) : []));
  if (variant !== undefined) return goodValue(variant, name);
  switch (type) {
    case 'object': {
      const names = (required ?? []) as string[];
      return Object.fromEntries(
        names.map((one) => [one, goodValue((properties as Record<string, Json>)[one] ?? {}, one)]),
      );
    }
    case 'array':
      return [goodValue(items as Json, name)];
    case 'integer':
    case 'number':
      return name === 'phoneContact' ? 15550000003 : Math.max(1, Number(minimum ?? 1));
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return TEXTS[name] ?? (format === 'date-time' ? '2026-03-02T10:00:00Z' : format === 'uri' ? URL_TEXT : 'text');
  }
}

const URL_TEXT = 'https://example.com/hook';

/** Texts that a rule besides the schema's type has to accept, by the name of their field. */
const TEXTS: Readonly<Record<string, string>> = {
  instance: 'main',
  instances: 'main',
  to: ALICE,
  chatIdFrom: ALICE,
  participants: ALICE,
  defaultCountry: 'DE',
  group: '120363043968066561@g.us',
  groupId: '120363043968066561@g.us',
  timezone: 'Europe/Lisbon',
  defaultTimezone: 'Europe/Lisbon',
  cron: '0 9 * * MON',
  file: 'list.csv',
  env: 'EVERPOST_SOURCE_LIST',
  query: 'select 1 as phone',
  typing: '3s',
  graceTime: '1h',
  repliesFor: '72h',
  holdOut: '10%',
  share: '50%',
  expiresIn: '1h',
  jitter: '1m',
  overlap: '1h',
  keepFormerFor: '1h',
  holidays: '2026-12-25',
  events: '*',
  since: '2026-03-01T09:00:00Z',
  from: '2026-03-01T09:00:00Z',
  until: '17:00',
  status: 'APPROVED',
  data: 'aGk=',
  backgroundColor: '#228B22',
  font: 'SERIF',
  quotedMessageId: 'BAE5000000000001',
};

/** Objects with rules between their fields, by the id of their schema. */
const COMPONENTS: Readonly<Record<string, unknown>> = {
  FileContent: { kind: 'file', url: URL_TEXT, fileName: 'a.pdf' },
  TemplateContent: { kind: 'template', templateId: '4c4b' },
  NewCampaign: { instance: 'main', content: { kind: 'text', text: 'Hello' } },
  DailyWindow: { from: '09:00', until: '17:00' },
  NewSchedule: {
    campaign: { instance: 'main', content: { kind: 'text', text: 'Hello' } },
    recipients: { file: 'list.csv' },
    cron: ['0 9 * * MON'],
    timezone: 'Europe/Lisbon',
  },
  UpdateCampaign: { name: 'Spring' },
  EventReplay: { from: '2026-03-01T09:00:00Z' },
  EventEndpointChange: { description: 'Ours' },
  TemplateDefinition: GOOD.createTemplate.request,
  ContentTemplate: { kind: 'text', text: 'Hello' },
  SendRequest: { instance: 'main', to: ALICE, content: { kind: 'text', text: 'Hello' } },
  TestSend: { to: ALICE, line: 2 },
  BackfillSchedule: { from: '2026-03-01T09:00:00Z', to: '2026-03-01T09:30:00Z' },
  RetryCampaign: { scopes: ['failed'] },
  ReadChat: { instance: 'main', to: ALICE, until: '2026-03-01T09:00:00Z' },
};
