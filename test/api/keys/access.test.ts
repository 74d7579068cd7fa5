/** ACCESS-1 and ACCESS-2 for every route: a new route is included automatically. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '../../../src/contract/index.js';
import type { Access, Route } from '../../../src/api/route.js';
import { ROUTES } from '../../../src/api/routes/routes.js';
import { aLedger } from '../../support/ledger/ledger.js';
import { ALICE } from '../api-parts.js';
import { BEGINNING, OPS, aKey, aWorld, objectsOf, type Objects, type World } from './two-worlds.js';

let shared: World;
let alone: World;
let foreign: Objects;
/** Limited to main, with every scope. */
let limited: string;
const keyWithout = new Map<Scope, string>();

beforeAll(async () => {
  shared = await aWorld({ others: true });
  alone = await aWorld({ others: false, ledger: { ...(await aLedger()), digest: shared.ledger.digest } });
  foreign = await objectsOf(shared, 'other');
  await shared.with(OPS, 'POST', '/v1/suppressions', { to: ALICE });
  const ledgers = [shared.ledger, alone.ledger];
  limited = await aKey(ledgers, SCOPES, ['main']);
  for (const scope of SCOPES) {
    const others = SCOPES.filter((one) => one !== scope);
    keyWithout.set(scope, await aKey(ledgers, others));
  }
});
afterAll(() => Promise.all([shared.close(), alone.close()]));

interface Guarded {
  readonly name: string;
  readonly route: Route;
  readonly scope: Scope;
  readonly reach: Exclude<Access, string>[1];
}

const GUARDED: readonly Guarded[] = Object.entries<Route>(ROUTES).flatMap(([name, route]) =>
  typeof route.access === 'string' ? [] : [{ name, route, scope: route.access[0], reach: route.access[1] }],
);
const reaching = (...reaches: readonly string[]) => GUARDED.filter(({ reach }) => reaches.includes(reach));
const OF_PATHS = GUARDED.filter(({ reach }) => !['nothing', 'everything', 'named'].includes(reach));

/** The path of an object of the other instance. */
function pathOf({ path }: Route): string {
  const place = Object.keys(foreign).find((beginning) => path.startsWith(`${beginning}/`)) ?? '';
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(foreign[place]?.[name] ?? 'none'));
}

const ask = (world: World, key: string, { route }: Guarded, path = pathOf(route), body: unknown = {}) =>
  world.with(key, route.method.toUpperCase(), path, route.method === 'get' ? undefined : body);

/** The parts of a response by which a caller could tell two of them apart. */
const seen = ({ status, body }: Awaited<ReturnType<typeof ask>>) => ({ status, body });

describe('every route', () => {
  it('declares its access, or does not compile', () => {
    const undecided = {
      method: 'get',
      path: '/v1/new',
      summary: 'A route without its access',
      responses: { 200: { description: 'Nothing' } },
      problems: [],
      handle: () => Promise.reject(new Error('never called')),
    } as const;
    // @ts-expect-error -- ACCESS-1
    const route: Route = undecided;
    expect(route).not.toHaveProperty('access');
  });

  it('is in docs/keys.md, with its access', () => {
    const rows = readFileSync(new URL('../../../docs/keys.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');
    const missing = GUARDED.map(
      ({ route: { method, path, alsoNeeds }, scope, reach }) =>
        `| \`${method.toUpperCase()} ${path}\` | \`${scope}\`${alsoNeeds === undefined ? '' : `, \`${alsoNeeds}\``} | ${reach} |`,
    ).filter((row) => !rows.includes(row));
    expect(missing).toEqual([]);
  });

  it.each(GUARDED)('refuses a key without its scope: $name', async (guarded) => {
    const { status, body } = await ask(shared, keyWithout.get(guarded.scope) ?? '', guarded);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'KEY_SCOPE_MISSING' });
    expect(body.detail).toContain(`the scope ${guarded.scope}`);
  });

  it.each(GUARDED)('refuses an invalid key: $name', async (guarded) => {
    expect(await ask(shared, limited.slice(0, -1), guarded)).toMatchObject({ status: 401 });
  });

  it.each(reaching('everything'))('about the whole installation refuses a limited key: $name', async (guarded) => {
    expect(await ask(shared, limited, guarded)).toMatchObject({ status: 403, body: { code: 'KEY_INSTANCES_LIMITED' } });
  });
});

describe('an object of another instance', () => {
  it.each(OF_PATHS.filter(({ route }) => route.method === 'get'))('exists for other keys: $name', async (guarded) => {
    expect((await ask(shared, OPS, guarded)).status).toBeLessThan(300);
  });

  it.each(OF_PATHS)('is not found with a limited key: $name', async (guarded) => {
    const found = await ask(shared, limited, guarded);
    expect(found.status).toBe(404);
    // To define a missing campaign is to create it.
    if (guarded.reach !== 'campaignOrNew') expect(seen(found)).toEqual(seen(await ask(alone, limited, guarded)));
  });

  it.each(OF_PATHS.filter(({ route }) => route.problems?.includes('ID_AMBIGUOUS')))(
    'is not found by its prefix: $name',
    async (guarded) => {
      const path = pathOf(guarded.route).replace(/(msg|op)_(\w{6})\w+|(cmp_\w{6})\w+/, '$2$3');
      const found = await ask(shared, limited, guarded, path);
      expect(seen(found)).toEqual(seen(await ask(alone, limited, guarded, path)));
    },
  );

  it.each(reaching('named').filter(({ route }) => route.method === 'get'))('is in no list: $name', async (guarded) => {
    for (const query of ['', '?instance=other']) {
      const path = guarded.route.path + query;
      expect(seen(await ask(shared, limited, guarded, path))).toEqual(seen(await ask(alone, limited, guarded, path)));
    }
    expect(JSON.stringify(await ask(shared, limited, guarded, guarded.route.path))).not.toContain('other');
  });

  it.each(reaching('named').filter(({ route }) => route.method !== 'get'))(
    'is not begun by a limited key: $name',
    async (guarded) => {
      const { name, route } = guarded;
      const body = BEGINNING[name];
      if (body === undefined) throw new Error(`Say in BEGINNING what ${name} is asked with.`);
      const path =
        route.path.replace('{method}', 'getSettings') + (route.rawBodies === undefined ? '' : '?instance=other');
      const found = await ask(shared, limited, guarded, path, body('other'));
      expect(seen(found)).toEqual(seen(await ask(alone, limited, guarded, path, body('other'))));
      // Without an instance it would concern all of them.
      const { instance: _, ...everywhere } = body('other') as { instance?: string };
      const all = await ask(shared, limited, guarded, route.path.replace('{method}', 'getSettings'), everywhere);
      expect(all.status).toBe(422);
    },
  );

  it('takes no place on a page', async () => {
    const key = await aKey([shared.ledger], ['read'], ['main', 'elsewhere']);
    for (const instance of ['main', 'other', 'main', 'other', 'other']) {
      await shared.with(OPS, 'POST', '/v1/messages', BEGINNING['sendMessage']?.(instance));
    }
    const { items, cursor } = (await shared.with(key, 'GET', '/v1/messages?limit=1')).body;
    const second = (await shared.with(key, 'GET', `/v1/messages?limit=1&cursor=${cursor}`)).body;
    expect([...items, ...second.items]).toMatchObject([{ instance: 'main' }, { instance: 'main' }]);
    expect(second.cursor).toBeUndefined();
  });

  it('is in no schedule of messages, and its schedules are in no list', async () => {
    const schedule = (instance: string, id: string) => {
      const message = { instance, content: { kind: 'status', text: 'Open' } };
      return { id, message, cron: ['0 9 * * *'] };
    };
    await shared.with(OPS, 'POST', '/v1/schedules', schedule('other', 'of-other'));
    const [refused, begun] = await Promise.all(
      ['other', 'main'].map((name) => shared.with(limited, 'POST', '/v1/schedules', schedule(name, `from-${name}`))),
    );
    expect([refused?.body.code, begun?.status]).toEqual(['INSTANCE_NOT_FOUND', 201]);
    expect((await shared.with(limited, 'GET', '/v1/schedules/of-other')).status).toBe(404);
    const { body } = await shared.with(limited, 'GET', '/v1/schedules');
    const ids = body.items.map(({ id }: { readonly id: string }) => id);
    expect([ids.includes('from-main'), ids.includes('of-other')]).toEqual([true, false]);
  });

  it("is in no schedule's connection string: a variable of the worker is only for keys of every instance", async () => {
    const recipients = { connection: { env: 'EVERPOST_SOURCE_CRM' }, query: 'select 1 as phone' };
    const schedule = { ...BEGINNING['createSchedule']?.('main'), recipients };
    const [refused, begun] = [
      await shared.with(limited, 'POST', '/v1/schedules', schedule),
      await shared.with(OPS, 'POST', '/v1/schedules', schedule),
    ];
    expect([refused.status, refused.body.errors?.[0].path]).toEqual([422, 'recipients.connection.env']);
    expect(begun.status).toBe(201);
  });

  it('does not occupy an Idempotency-Key', async () => {
    const used = { 'idempotency-key': 'shared' };
    for (const name of ['sendMessage', 'beginCampaign', 'createSchedule', 'beginReplay'] as const) {
      const { path } = ROUTES[name];
      const begun = await shared.with(limited, 'POST', path, BEGINNING[name]?.('main'), used);
      expect(begun.status, `${name} ${JSON.stringify(begun.body)}`).toBeLessThan(300);
      expect(begun.headers.get('idempotent-replayed')).toBeNull();
    }
  });

  it('is removed from no suppression list', async () => {
    const body = BEGINNING['removeSuppression']?.('main');
    expect(await shared.with(limited, 'POST', '/v1/suppressions/remove', body)).toMatchObject({
      status: 200,
      body: { removed: [], left: [] },
    });
    expect((await shared.with(OPS, 'GET', '/v1/suppressions')).body.items).toHaveLength(2);
  });
});
