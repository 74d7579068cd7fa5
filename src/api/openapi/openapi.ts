import { z } from 'zod';
import { ERROR_NEXT, OPERATIONS, type OperationName, type ErrorCode, present } from '../../contract/index.js';
import { idempotencyKeySchema } from '../../contract/schemas.js';
import type { Access, RouteDefinition } from '../route.js';
import { problemSchema, statusesOf } from '../problem.js';
import { IDEMPOTENCY_KEY } from '../read-request.js';
import { ROUTES } from '../routes/routes.js';
import type { OpenApiDocument, Json, OpenApiOperation, OpenApiParameter, OperationDocs } from './document.js';

/** The OpenAPI document of the API. The same input gives the same document, so that a stored one can be compared. */
export function openApiDocument({
  version,
  operations,
}: {
  readonly version: string;
  readonly operations: OperationDocs;
}): OpenApiDocument {
  const schemas = new Map<string, Json>();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [operationId, route] of Object.entries<RouteDefinition>(ROUTES)) {
    paths[route.path] = { ...paths[route.path], [route.method]: describe(operationId, route, schemas) };
  }
  for (const [name, { description, request }] of Object.entries(operations)) {
    const { durability, scopes, ...rest } = OPERATIONS[name as OperationName];
    const requires = scopes.length === 1 ? '' : ` Requires the scopes ${scopes.join(', ')}.`;
    schemas.set(`operation.${name}`, {
      ...schemaOf(request, 'input', schemas),
      description: `${description} (${durability}${'beta' in rest ? ', beta' : ''})${requires}`,
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'everpost',
      version,
      description:
        'Durable messages through an HTTP gateway. Errors are RFC 9457 problem documents with a stable code.',
    },
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key that everpost key create has created, or one of EVERPOST_API_KEYS. Each operation names the scope that it requires',
        },
        webhook: {
          type: 'http',
          scheme: 'bearer',
          description: "The instance's webhook token. Basic is accepted, too",
        },
      },
    },
  };
}

function describe(operationId: string, route: RouteDefinition, schemas: Map<string, Json>): OpenApiOperation {
  const { summary, access, body, rawBodies = {} } = route;
  const description = [route.description, scopeText(route)].filter((text) => text !== undefined).join(' ');
  const content = unlessEmpty(contentOf(body, rawBodies, 'input', schemas));
  const problem = { 'application/problem+json': { schema: schemaOf(problemSchema, 'output', schemas) } };
  const responses = Object.entries(route.responses).map(([status, response]) => {
    const raw = Object.fromEntries((response.rawTypes ?? []).map((type) => [type, undefined]));
    const shown = unlessEmpty(contentOf(response.schema, raw, 'output', schemas));
    return [status, { description: response.description, ...present({ content: shown }) }];
  });
  const problems = [...problemResponses(route)].map(([status, codes]) => {
    const names = codes.map((code) => `${code} (${ERROR_NEXT[code]})`).join(', ');
    return [status, { description: names, content: problem }];
  });
  return {
    operationId,
    summary,
    ...(description === '' ? {} : { description }),
    security: securityOf(access),
    parameters: parametersOf(route, schemas),
    ...(content && { requestBody: { required: route.mayOmitBody !== true, content } }),
    responses: {
      ...Object.fromEntries(responses),
      ...Object.fromEntries(problems),
      default: {
        description: 'Another problem: a later version may use codes that are not listed here',
        content: problem,
      },
    },
  };
}

function securityOf(access: Access): readonly Json[] {
  if (access === 'none') return [];
  if (access === 'any') return [{ apiKey: [] }];
  return access === 'gateway' ? [{ webhook: [] }] : [{ apiKey: [access[0]] }];
}

function scopeText({ access, alsoNeeds }: RouteDefinition): string | undefined {
  if (typeof access === 'string') return undefined;
  const [scope, reach] = access;
  const scopes = alsoNeeds === undefined ? `Scope: ${scope}` : `Scopes: ${scope} and ${alsoNeeds}`;
  return `${scopes}${reach === 'everything' ? '; the key must be valid for every instance' : ''}.`;
}

/** JSON of the schema, and bodies of other types. */
function contentOf(schema: z.ZodType | undefined, raw: Json, io: 'input' | 'output', schemas: Map<string, Json>): Json {
  return {
    ...Object.fromEntries(
      Object.entries(raw).map(([type, description]) => [
        type,
        { schema: { type: 'string', ...present({ description }) } },
      ]),
    ),
    ...(schema && { 'application/json': { schema: schemaOf(schema, io, schemas) } }),
  };
}

/** Absent if a body has no content. */
function unlessEmpty(content: Json): Json | undefined {
  return Object.keys(content).length === 0 ? undefined : content;
}

/** Path parameters that may be the beginning of an id if the route can respond with ID_AMBIGUOUS. */
const FOUND_BY_BEGINNING: readonly string[] = ['id', 'elementName'];

/** Path parameters that name another object than the part of the path before them. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  instance: 'Name of the configured instance',
  elementName: 'Name of the template',
  editId: 'Id of the edit',
  groupId: "The group's chat id, which ends in @g.us",
  method: "The gateway's name of the operation, e.g. readChat",
};

/** Those of the path, the header and the query. */
function parametersOf(route: RouteDefinition, schemas: Map<string, Json>): OpenApiParameter[] {
  const { path, problems = [], takesKey, query } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): OpenApiParameter => {
    // `/v1/messages/{id}` → "Id of the message".
    const before = path.slice(0, path.indexOf(`{${name}}`)).match(/[a-z][\w-]*(?=\/)/g) ?? [];
    const object = before.at(-1)?.replaceAll('-', ' ').replace(/s$/, '');
    const words = PATH_PARAMETERS[name] ?? `${name === 'id' ? 'Id' : 'Name'} of the ${object}`;
    const takesBeginning = problems.includes('ID_AMBIGUOUS') && FOUND_BY_BEGINNING.includes(name);
    const description = `${words}${takesBeginning ? ', or its beginning: at least 4 characters that begin no other' : ''}`;
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
  const key = described(toJsonSchema(idempotencyKeySchema, 'input'));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, field]): OpenApiParameter => ({
    name,
    in: 'query',
    required: false,
    ...described(schemaOf(field as z.ZodType, 'input', schemas)),
  }));
  return [
    ...inPath,
    ...(takesKey === true ? [{ name: IDEMPOTENCY_KEY, in: 'header', required: false, ...key } as const] : []),
    ...inQuery,
  ];
}

/** Moves a parameter's description beside its schema. */
function described({ description, ...schema }: Json): Pick<OpenApiParameter, 'description' | 'schema'> {
  return { ...(typeof description === 'string' ? { description } : {}), schema };
}

/** A schema with an id becomes a component, and others refer to it. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Map<string, Json>): Json {
  const { $defs = {}, ...own } = toJsonSchema(schema, io);
  for (const [id, definition] of Object.entries($defs as Record<string, Json>)) {
    keepSchema(schemas, id, definition);
  }
  const { id } = own;
  if (typeof id !== 'string') return withComponentRefs(own);
  keepSchema(schemas, id, own);
  return { $ref: `#/components/schemas/${id}` };
}

/** A schema that differs between request and response needs two ids, since a component has one definition. */
function keepSchema(schemas: Map<string, Json>, id: string, { id: _, ...schema }: Json): void {
  const component = withComponentRefs(schema);
  const known = schemas.get(id);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
    throw new Error(
      `The schema ${id} differs between requests and responses in openapi.json. Give one of them another id.`,
    );
  }
  schemas.set(id, component);
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return own;
}

function withComponentRefs(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

/** Problems of every route, by its kind of access. */
const COMMON: Readonly<Record<'api' | 'any' | 'gateway' | 'none', readonly ErrorCode[]>> = {
  api: [
    'API_UNAUTHORIZED',
    'AUTHENTICATION_THROTTLED',
    'KEY_RATE_LIMITED',
    'KEY_SCOPE_MISSING',
    'LEDGER_UNAVAILABLE',
    'TEMPORAL_UNAVAILABLE',
    'TEMPORAL_SETUP_NEEDED',
    'INTERNAL',
  ],
  any: ['API_UNAUTHORIZED', 'AUTHENTICATION_THROTTLED', 'KEY_RATE_LIMITED', 'LEDGER_UNAVAILABLE', 'INTERNAL'],
  gateway: ['LEDGER_UNAVAILABLE', 'INTERNAL'],
  none: ['INTERNAL'],
};

/** The problems of a route, its own and the common ones, by HTTP status. */
export function problemResponses(route: RouteDefinition): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Set([
    ...inputProblems(route),
    ...(route.problems ?? []),
    ...COMMON[typeof route.access === 'string' ? route.access : 'api'],
    ...(route.takesLong ? (['KEY_BUSY'] as const) : []),
    ...(route.access[1] === 'everything' ? (['KEY_INSTANCES_LIMITED'] as const) : []),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].toSorted(([one], [other]) => one - other));
}

/** Problems of a request that are found before its handler runs. */
function inputProblems({ body, rawBodies, query, takesKey }: RouteDefinition): readonly ErrorCode[] {
  if (body !== undefined && rawBodies === undefined)
    return ['INPUT_INVALID', 'INPUT_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'];
  if (body !== undefined) return ['INPUT_INVALID', 'INPUT_TOO_LARGE'];
  return query !== undefined || takesKey === true ? ['INPUT_INVALID'] : [];
}
