/** Every route, asked for what it must refuse; that each answer is documented is looked at by the API's parts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/contract/schemas.js';
import { messageId } from '../../src/index.js';
import { ENDPOINTS, type Endpoint } from '../../src/starter/http/endpoints.js';
import { someApi, type ApiDependencies } from './api-parts.js';

let parts: ApiDependencies;
beforeAll(async () => {
  parts = await someApi();
});
afterAll(() => parts.close());

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Paths that begin well, so that what comes after is looked at. */
const KNOWN = { method: 'getStateInstance', name: 'main', instance: 'main' } as const;

function pathOf({ path }: Endpoint): string {
  // A message's id is looked at before the request: it has to be one.
  const before = path.replace('/v1/messages/{id}', `/v1/messages/${messageId('main', 'unknown')}`);
  return before.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name in KNOWN ? KNOWN[name as keyof typeof KNOWN] : 'none',
  );
}

const ROUTES = Object.entries<Endpoint>(ENDPOINTS).map(([name, endpoint]) => ({ name, endpoint }));
const TAKING_JSON = ROUTES.filter(({ endpoint }) => endpoint.body !== undefined);
const WITH_AN_ID = ROUTES.filter(
  ({ endpoint }) => endpoint.path.includes('{') && endpoint.body === undefined && endpoint.auth === undefined,
);
const TAKING_A_QUERY = ROUTES.filter(({ endpoint }) => endpoint.query !== undefined);

describe('every route that takes JSON', () => {
  it.each(TAKING_JSON)('refuses what is none: $name', async ({ endpoint }) => {
    const response = await parts.call(endpoint.method.toUpperCase(), pathOf(endpoint), '{', JSON_TYPE);
    expect(response).toMatchObject({ status: 400, body: { code: 'INPUT_INVALID' } });
  });

  it.each(TAKING_JSON)('refuses a list in place of an object: $name', async ({ endpoint }) => {
    const response = await parts.call(endpoint.method.toUpperCase(), pathOf(endpoint), '[]', JSON_TYPE);
    expect(response).toMatchObject({ status: 422, body: { code: 'INPUT_INVALID' } });
  });

  it.each(TAKING_JSON)('refuses more than a body may hold: $name', async ({ endpoint }) => {
    const body = JSON.stringify({ text: 'x'.repeat(MAX_BODY_BYTES) });
    const response = await parts.call(endpoint.method.toUpperCase(), pathOf(endpoint), body, JSON_TYPE);
    expect(response).toMatchObject({ status: 413, body: { code: 'INPUT_TOO_LARGE' } });
  });
});

describe('every route with an id in its path', () => {
  it.each(WITH_AN_ID)('answers one that is unknown: $name', async ({ endpoint }) => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const { status, body } = await parts.call(
      endpoint.method.toUpperCase(),
      pathOf(endpoint).replace(/\/main\b/, '/none'),
      undefined,
      headers,
    );
    expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
  });
});

describe('every route that takes a query', () => {
  it.each(TAKING_A_QUERY)('refuses a parameter that is given twice: $name', async ({ endpoint }) => {
    const response = await parts.call(endpoint.method.toUpperCase(), `${pathOf(endpoint)}?a=1&a=2`, bodyFor(endpoint));
    expect([400, 404]).toContain(response.status);
  });

  it.each(TAKING_A_QUERY)('refuses a parameter that it does not know: $name', async ({ endpoint }) => {
    const response = await parts.call(
      endpoint.method.toUpperCase(),
      `${pathOf(endpoint)}?colour=red`,
      bodyFor(endpoint),
    );
    expect([422, 404]).toContain(response.status);
  });
});

function bodyFor({ body }: Endpoint): object | undefined {
  return body === undefined ? undefined : {};
}
