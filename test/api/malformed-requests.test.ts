/** Every route with requests that it must refuse; the API's parts check that each response is documented. */
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/contract/schemas.js';
import type { Route } from '../../src/api/route.js';
import { useApi, refusal } from './api-parts.js';
import { ALL, pathOf, TAKING_A_QUERY, TAKING_JSON } from './every-route.js';

const parts = useApi();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const WITH_AN_ID = ALL.filter(
  ({ route }) => route.path.includes('{') && route.body === undefined && typeof route.access !== 'string',
);

describe('every route that accepts JSON', () => {
  it.each(TAKING_JSON)('refuses invalid JSON: $name', async ({ route }) => {
    const response = await parts.call(route.method.toUpperCase(), pathOf(route), '{', JSON_TYPE);
    expect(response).toMatchObject(refusal(400, 'INPUT_INVALID'));
  });

  it.each(TAKING_JSON)('refuses an array instead of an object: $name', async ({ route }) => {
    const response = await parts.call(route.method.toUpperCase(), pathOf(route), '[]', JSON_TYPE);
    expect(response).toMatchObject(refusal(422, 'INPUT_INVALID'));
  });

  it.each(TAKING_JSON.filter(({ route }) => route.rawBodies === undefined))(
    'refuses a body of another type: $name',
    async ({ route }) => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/csv; charset=utf-8']) {
        const response = await parts.call(route.method.toUpperCase(), pathOf(route), '{}', { 'Content-Type': type });
        expect(response).toMatchObject(refusal(415, 'MEDIA_TYPE_UNSUPPORTED'));
      }
    },
  );

  it.each(TAKING_JSON)('refuses a body over the limit: $name', async ({ route }) => {
    const body = JSON.stringify({ text: 'x'.repeat(MAX_BODY_BYTES) });
    const response = await parts.call(route.method.toUpperCase(), pathOf(route), body, JSON_TYPE);
    expect(response).toMatchObject(refusal(413, 'INPUT_TOO_LARGE'));
    expect(response.body.detail).toMatch(/^request entity too large/);
  });
});

describe('every route with an id in its path', () => {
  it.each(WITH_AN_ID)('answers 404 for an unknown one: $name', async ({ route }) => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const path = pathOf(route).replace(/\/(?:main|15550000001)\b/, '/none');
    const { status, body } = await parts.call(route.method.toUpperCase(), path, undefined, headers);
    expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
  });
});

describe('every route with a query', () => {
  it.each(TAKING_A_QUERY)('refuses a repeated parameter: $name', async ({ route }) => {
    const response = await parts.call(route.method.toUpperCase(), `${pathOf(route)}?a=1&a=2`, bodyFor(route));
    expect([400, 404]).toContain(response.status);
  });

  it.each(TAKING_A_QUERY)('refuses an unknown parameter: $name', async ({ route }) => {
    const response = await parts.call(route.method.toUpperCase(), `${pathOf(route)}?colour=red`, bodyFor(route));
    expect([422, 404]).toContain(response.status);
  });
});

function bodyFor({ body }: Route): object | undefined {
  return body === undefined ? undefined : {};
}

describe('every response', () => {
  it.each(ALL)('is kept by no cache, and taken for its own type: $name', async ({ route }) => {
    const { headers } = await parts.call(route.method.toUpperCase(), pathOf(route), bodyFor(route));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
