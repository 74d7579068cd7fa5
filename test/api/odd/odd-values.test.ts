/** Every parameter of every operation in openapi.json with odd values; a new one is included automatically. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isErrorCode } from '../../../src/contract/index.js';
import { Random } from '../../support/random.js';
import { runs } from '../../support/runs.js';
import { OPS, aWorld, objectsOf, type Objects, type World } from '../keys/two-worlds.js';
import {
  ODD_BODIES,
  ODD_BODY_VALUES,
  ODD_CURSORS,
  ODD_FILES,
  ODD_HEADERS,
  ODD_IDS,
  ODD_NUMBERS,
  ODD_NUMERALS,
  ODD_PATHS,
  ODD_QUERIES,
  ODD_QUERY_VALUES,
  ODD_TIMES,
  jsonOf,
} from './odd-values.js';
import { operationsOf, type Operation, type Place, type Wanted } from './requests.js';

let shared: Prepared;

beforeAll(async () => {
  shared = await aPreparedWorld();
});
afterAll(() => shared.world.close());

/** A world with one object of each kind, and the operations on them. */
async function aPreparedWorld() {
  const world = await aWorld({ others: true, temporalTimeoutMs: 5 });
  const operations = operationsOf({ ...(await objectsOf(world, 'other')), ...(await objectsOfAll(world)) });
  // What replaces or ends an object comes after everything that needs it.
  return { world, operations: operations.toSorted((one, other) => turnOf(one) - turnOf(other)) };
}

type Prepared = Awaited<ReturnType<typeof aPreparedWorld>>;

function turnOf({ name, good: { method } }: Operation): number {
  return name === 'revokeKey' ? 5 : ['get', 'post', 'patch', 'put', 'delete'].indexOf(method);
}

/** Objects that belong to no instance, and a recipient of the campaign. */
async function objectsOfAll({ with: ask }: World): Promise<Objects> {
  await ask(OPS, 'POST', '/v1/keys', { name: 'spare', scopes: ['read'] });
  const erasure = await ask(OPS, 'POST', '/v1/recipients/erasures', { to: '15550000008' });
  const [{ id }] = (await ask(OPS, 'GET', '/v1/campaigns')).body.items;
  await ask(OPS, 'PUT', `/v1/campaigns/${id}/recipients`, 'phone\n15550000009\n', { 'content-type': 'text/csv' });
  return { '/v1/keys': { name: 'spare' }, '/v1/recipients/erasures': { id: erasure.body.id } };
}

/** Without these a value would wait for a change that never comes. */
const LONGEST_MS = 100;

interface Sending extends Wanted {
  /** In place of the filled path. */
  readonly rawPath?: string;
  /** In place of the query's values. */
  readonly rawQuery?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

async function send({ api }: World, { method, path, params, query, body, type, headers = {}, ...raw }: Sending) {
  const filled = raw.rawPath ?? path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name] ?? ''));
  const search =
    raw.rawQuery ??
    Object.entries(query)
      .map(([name, value]) => `${name}=${encoded(value)}`)
      .join('&');
  const text = raw.text ?? (body === undefined ? undefined : jsonOf(body));
  const sent = new Headers({ host: '127.0.0.1', authorization: `Bearer ${OPS}` });
  if (type !== undefined) sent.set('content-type', type);
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  const request = new Request(`http://127.0.0.1${filled}${search === '' ? '' : `?${search}`}`, {
    method: method.toUpperCase(),
    headers: sent,
    signal: AbortSignal.timeout(LONGEST_MS),
    ...(method === 'get' || text === undefined ? {} : { body: text }),
  });
  const response = await api.fetch(request);
  const answer = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  const isProblem = contentType === 'application/problem+json';
  const code: unknown = isProblem ? (JSON.parse(answer) as { readonly code: unknown }).code : undefined;
  return { status: response.status, contentType, code, answer };
}

/** A lone surrogate has no UTF-8: its bytes are sent as they are. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

type Answer = Awaited<ReturnType<typeof send>>;

/** Only Temporal is away in this world. */
function isHonest({ status, code, contentType }: Answer): boolean {
  if (status < 400) return true;
  if (contentType !== 'application/problem+json' || !isErrorCode(code)) return false;
  return status < 500 || (status === 503 && code === 'TEMPORAL_UNAVAILABLE');
}

const random = new Random(29);

function someOf<One>(all: readonly One[], most: number): readonly One[] {
  return all.length <= runs(most) ? all : Array.from({ length: runs(most) }, () => random.pick(all));
}

/** Every value of the place's own kind, and some of all others. */
function oddValuesOf({ kind, takes }: Place): readonly unknown[] {
  const own = { time: ODD_TIMES, cursor: ODD_CURSORS, id: ODD_IDS, number: NUMBERS_BY_PLACE[takes], other: [] }[kind];
  return [...own, ...someOf(takes === 'text' ? ODD_QUERY_VALUES : ODD_BODY_VALUES, 8)];
}

const NUMBERS_BY_PLACE = { text: ODD_NUMERALS, json: ODD_NUMBERS };

interface Named {
  readonly what: string;
  readonly sending: Sending;
}

function named(what: string, sending: Sending): Named {
  return { what: what.slice(0, 150), sending };
}

function oddAt(takes: Place['takes']): Named[] {
  return shared.operations.flatMap(({ name, places }) =>
    places
      .filter((place) => place.takes === takes)
      .flatMap((place) =>
        oddValuesOf(place).map((value) => named(`${name} ${place.name} ${jsonOf(value)}`, place.with(value))),
      ),
  );
}

/** Routes, without repeating one for each operation of the gateway. */
function routes(): readonly Operation[] {
  const paths = shared.operations.map(({ good: { method, path } }) => `${method} ${path}`);
  return shared.operations.filter((_, at) => paths.indexOf(paths[at] ?? '') === at);
}

/** All that were not answered honestly. */
async function faultsOf(all: readonly Named[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { what, sending } of all) {
    const answer = await send(shared.world, sending);
    if (!isHonest(answer))
      faults.push(`${what}: ${answer.status} ${answer.contentType} ${answer.answer.slice(0, 200)}`);
  }
  return faults;
}

describe('every operation', () => {
  it('accepts the request that the odd ones are made from', async () => {
    const { world, operations } = await aPreparedWorld();
    onTestFinished(() => world.close());
    const refused = [];
    for (const { name, good } of operations) {
      const { status, answer } = await send(world, good);
      if ([400, 404, 415, 422].includes(status)) refused.push(`${name}: ${status} ${answer}`);
    }
    expect(refused).toEqual([]);
  });

  it('refuses or takes an odd value of any path or query parameter', async () => {
    expect(await faultsOf(oddAt('text'))).toEqual([]);
  });

  it('refuses or takes an odd value of any field of its body', async () => {
    expect(await faultsOf(oddAt('json'))).toEqual([]);
  });

  it('refuses an odd path, query, body and file', async () => {
    const sendings = routes().flatMap(({ name, good, rawTypes }) => [
      ...(good.path.includes('{') ? someOf(ODD_PATHS, 8) : []).map((text) =>
        named(`${name} path ${text}`, { ...good, rawPath: good.path.replaceAll(/\{\w+\}/g, text) }),
      ),
      ...someOf(ODD_QUERIES, 4).map((text) => named(`${name} query ${text}`, { ...good, rawQuery: text })),
      ...(good.body === undefined ? [] : someOf(ODD_BODIES, 8)).map((text) =>
        named(`${name} body ${text}`, { ...good, text }),
      ),
      ...rawTypes.flatMap((type) =>
        ODD_FILES.map((text) =>
          named(`${name} ${type} ${text}`, { ...good, query: { ...good.query, instance: 'main' }, type, text }),
        ),
      ),
    ]);
    expect(await faultsOf(sendings)).toEqual([]);
  });

  it('refuses or ignores an odd header', async () => {
    const sendings = routes().flatMap(({ name, good }) =>
      Object.entries(ODD_HEADERS).flatMap(([header, values]) =>
        someOf(values, 3).map((value) =>
          named(`${name} ${header}: ${value}`, { ...good, headers: { [header]: value } }),
        ),
      ),
    );
    expect(await faultsOf(sendings)).toEqual([]);
  });
});
