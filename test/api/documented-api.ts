/**
 * Compares every exchange with the API with its OpenAPI document: status, content type, body, and the request's body.
 */
import { appendFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { MAX_BODY_BYTES } from '../../src/contract/schemas.js';
import { operationContracts } from '../../src/gateway/index.js';
import { isLoopback } from '../../src/contract/index.js';
import { listen, type Listening } from '../../src/api/server/listen.js';
import { problemResponses } from '../../src/api/openapi/openapi.js';
import type { Route } from '../../src/api/route.js';
import { ROUTES } from '../../src/api/routes/routes.js';
import { openApiDocument, type Api } from '../../src/api/index.js';
import { recordUndocumented } from '../support/undocumented.js';

export interface Exchange {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly requestType: string;
  /** Absent: it was too large to keep, or a stream. */
  readonly requestBody?: string | undefined;
  readonly status: number;
  readonly responseType: string;
  /** Absent: it was a stream of another type than JSON. */
  readonly responseBody?: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument({ version: '0.0.0-test', operations: operationContracts });
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(document, 'openapi');
const compiled = new Map<string, ValidateFunction>();

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM_SCHEMA = ['components', 'schemas', 'Problem'];

/** The same API with every exchange compared. A test that has an undocumented exchange fails. */
export function documentedApi(api: Api): Api {
  const servers: Listening[] = [];
  const fetch = (request: Request): Promise<Response> => observed(request, (it) => api.fetch(it));
  return {
    fetch,
    async listen(address) {
      // A refused request is the API's own decision.
      if (!isLoopback(address.host)) return api.listen(address);
      const server = await listen(fetch, { ...address, portSetting: 'EVERPOST_HTTP_PORT, or --http-port' });
      servers.push(server);
      return server;
    },
    async close() {
      await api.close();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Sends the request, and records every undocumented part of the exchange. */
export async function observed(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  // A browser sends this preflight before a page's request.
  if (request.method === 'OPTIONS') return send(request);
  const path = new URL(request.url).pathname;
  const isJson = routeOf(request.method, path)?.[1].body !== undefined && isShort(request);
  const requestBody = isJson ? await request.arrayBuffer() : undefined;
  const { method, headers, signal } = request;
  const kept =
    requestBody === undefined ? request : new Request(request.url, { method, headers, signal, body: requestBody });
  const response = await send(kept);
  const responseType = mediaType(response.headers);
  const responseBody = responseType.endsWith('json') ? await response.text() : undefined;
  const exchange: Exchange = {
    method,
    path,
    requestType: mediaType(headers),
    requestBody: requestBody === undefined ? undefined : new TextDecoder().decode(requestBody),
    status: response.status,
    responseType,
    responseBody,
  };
  recordUndocumented(undocumentedIn(exchange));
  return responseBody === undefined ? response : new Response(responseBody, response);
}

/** A JSON body that is not refused for its length before it is read. */
function isShort(request: Request): boolean {
  const isStream = /csv|ndjson|jsonl/.test(mediaType(request.headers));
  return !isStream && Number(request.headers.get('content-length') ?? 0) <= MAX_BODY_BYTES;
}

/** All undocumented parts of an exchange, as text. */
export function undocumentedIn(exchange: Exchange): string[] {
  const { method, path, status } = exchange;
  const found = routeOf(method, path);
  const title = `${method} ${path} → ${status}`;
  if (found === undefined) return unknownRoute(exchange).map((problem) => `${title}: ${problem}`);
  const [name, route] = found;
  markExercised(`${name} ${status}`);
  const problems = status in route.responses ? responseProblems(route, exchange) : problemProblems(route, exchange);
  return [...problems, ...requestProblems(route, exchange)].map((problem) => `${title}: ${problem}`);
}

/** Those with the fewest parameters first, as a router prefers. */
const BY_PARAMETERS = Object.entries<Route>(ROUTES)
  .map(([name, route]) => ({ name, route, pattern: patternOf(route) }))
  .toSorted((one, other) => one.route.path.split('{').length - other.route.path.split('{').length);

function routeOf(method: string, path: string): [string, Route] | undefined {
  const asked = method.toLowerCase();
  const found = BY_PARAMETERS.find(({ route, pattern }) => route.method === asked && pattern.test(path));
  return found && [found.name, found.route];
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function unknownRoute({ status, responseType, responseBody }: Exchange): string[] {
  if (status !== 404 && status !== 405 && status !== 401) return ['a status without a documented route'];
  return responseType === PROBLEM_TYPE ? schemaProblems(PROBLEM_SCHEMA, responseBody) : ['no problem document'];
}

function responseProblems(route: Route, { status, responseType, responseBody }: Exchange): string[] {
  const response = route.responses[status];
  const documented = [...(response?.schema === undefined ? [] : [JSON_TYPE]), ...(response?.rawTypes ?? [])];
  if (documented.length === 0) return responseType === '' ? [] : [`a body of type ${responseType} is not documented`];
  if (!documented.includes(responseType)) return [`type ${responseType || 'none'} is not documented`];
  if (responseType !== JSON_TYPE) return [];
  return schemaProblems(
    [...operationPath(route), 'responses', String(status), 'content', JSON_TYPE, 'schema'],
    responseBody,
  );
}

function problemProblems(route: Route, { status, responseType, responseBody }: Exchange): string[] {
  const codes = problemResponses(route).get(status);
  if (codes === undefined) return [`status is not documented: ${responseBody}`];
  if (responseType !== PROBLEM_TYPE) return [`type ${responseType || 'none'} is not documented`];
  const problems = schemaProblems(PROBLEM_SCHEMA, responseBody);
  const { code } = JSON.parse(responseBody ?? '{}') as Json;
  return codes.some((known) => known === code) ? problems : [...problems, `code ${String(code)} is not documented`];
}

/** An accepted request must be allowed. Without a content type it is read as JSON. */
function requestProblems(route: Route, { requestType, requestBody, status }: Exchange): string[] {
  if (status >= 300 || requestBody === undefined || route.body === undefined) return [];
  if (requestBody === '' && 'mayOmitBody' in route) return [];
  if (requestType in (route.rawBodies ?? {})) return [];
  const schema = [...operationPath(route), 'requestBody', 'content', JSON_TYPE, 'schema'];
  return schemaProblems(schema, requestBody).map((problem) => `the request's body: ${problem}`);
}

function operationPath({ path, method }: Route): string[] {
  return ['paths', path, method];
}

function schemaProblems(pointer: readonly string[], body: string | undefined): string[] {
  const validate = validatorAt(pointer);
  if (validate(JSON.parse(body ?? ''))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
}

function validatorAt(pointer: readonly string[]): ValidateFunction {
  const key = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const known = compiled.get(key) ?? ajv.compile({ $ref: `openapi#/${key}` });
  compiled.set(key, known);
  return known;
}

function mediaType(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  return type.trim();
}

const exercised = new Set<string>();

/** For `scripts/check-exercised.js`, which reads the exchanges of a whole run. */
function markExercised(what: string): void {
  const file = process.env['EXERCISED_FILE'];
  if (file === undefined || exercised.has(what)) return;
  exercised.add(what);
  appendFileSync(file, `${what}\n`);
}
