/**
 * ACCESS-2: what a key that is limited to one instance learns of another. Two worlds have the same objects of `main`, and
 * one of them also has objects of `other`: every response to the key is the same in both.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { present } from '../../../src/contract/index.js';
import type { Route } from '../../../src/api/route.js';
import { ROUTES } from '../../../src/api/routes/routes.js';
import { ALICE } from '../api-parts.js';
import { OPS, OTHER_KEY, markOf, numbersOf, twoWorlds, type Objects, type Seen } from './two-worlds.js';

let worlds: Awaited<ReturnType<typeof twoWorlds>>;
let shared: Seen;
let alone: Seen;

beforeAll(async () => {
  worlds = await twoWorlds();
  ({ shared, alone } = worlds);
});
afterAll(() => worlds.close());

const READING = Object.entries<Route>(ROUTES).flatMap(([name, route]) =>
  route.method !== 'get' || typeof route.access === 'string' || route.access[1] === 'everything'
    ? []
    : [{ name, route, reach: route.access[1] }],
);
const LISTS = READING.filter(({ reach }) => reach === 'named');

const ofPath = (objects: Objects, { path }: Route): Readonly<Record<string, string>> =>
  objects[Object.keys(objects).find((beginning) => path.startsWith(`${beginning}/`)) ?? ''] ?? {};

/** The path of an object of main. */
const pathIn = ({ own }: Seen, route: Route) =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ofPath(own, route)[name] ?? 'none'));

async function ask(seen: Seen, route: Route, query: Readonly<Record<string, string>> = {}, key = worlds.limited) {
  const search = new URLSearchParams(query).toString();
  const path = pathIn(seen, route) + (search === '' ? '' : `?${search}`);
  const { status, body } = await seen.world.with(key, 'GET', path, undefined, { 'x-request-id': 'asked' });
  return { status, text: comparable(body), body };
}

/**
 * Without what differs between any two worlds: random ids, times of the database's clock, and numbers of the whole
 * installation, which docs/keys.md names.
 */
function comparable(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 1);
  return text
    .replaceAll(/"cursor": "([\w-]+)"/g, (_, cursor: string) => {
      const [list, ...parts] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, ...string[]];
      return `"cursor": ${JSON.stringify([list, ...(['events', 'audit'].includes(list) ? [] : parts)])}`;
    })
    .replaceAll(/"(nextTryAt|waitingSince)": "[^"]+"/g, '"$1"')
    .replaceAll(/"commandSequence": ?\d+/g, '"commandSequence"')
    .replaceAll(/\bevt_\d+/g, 'evt')
    .replaceAll(/\b(pos|sup)_\w{16}\b/g, '$1');
}

/** What a query may name of the other instance. Other parameters name nothing. */
const FOREIGN_QUERY: Readonly<Record<string, readonly string[]>> = {
  instance: ['other'],
  to: [`${numbersOf('other')}01`, `${numbersOf('other')}04`, `${numbersOf('other')}06`, ALICE],
  reference: [markOf('other')],
  idMessage: [`${markOf('other')}-N1`],
  reason: [markOf('other')],
  key: [OTHER_KEY],
};
const NAMING_NOTHING =
  'cursor limit state source scope removed all unread failing type since from wait timeoutMs defaultCountry sampleLines startAt by offline timezone columns delimiter unwell response order'.split(
    ' ',
  );

describe.each(READING)('the response of $name to a limited key', ({ name, route }) => {
  it('shows its own objects, and nothing of another instance', async () => {
    const [found, without] = [await ask(shared, route), await ask(alone, route)];
    expect(found.status, found.text).toBe(200);
    expect(found.text).toBe(without.text);
    expect(found.text).not.toMatch(/other|155500002/);
    expect(found.text).toMatch(/main|155500001/);
  });

  it('is the same whatever of the other instance its query names', async () => {
    for (const parameter of Object.keys(route.query?.shape ?? {})) {
      const values = NAMING_NOTHING.includes(parameter) ? [] : FOREIGN_QUERY[parameter];
      if (values === undefined) throw new Error(`Say in FOREIGN_QUERY what ${parameter} of ${name} can name.`);
      for (const value of values) {
        const query = { [parameter]: value };
        const [found, without] = [await ask(shared, route, query), await ask(alone, route, query)];
        expect({ query, ...found }).toMatchObject({ query, status: without.status, text: without.text });
      }
    }
  });
});

describe.each(LISTS)('the list $name', ({ name, route }) => {
  it('has objects of both instances', async () => {
    const { text } = await ask(shared, route, {}, OPS);
    expect([text.includes('main'), text.includes('other')]).toEqual([true, true]);
  });

  it('has the same pages and cursors without the other instance, also from a cursor of it', async () => {
    const { limit, cursor: takesCursor } = route.query?.shape ?? {};
    if (limit === undefined || takesCursor === undefined) return;
    const cursors: { shared?: string; alone?: string } = {};
    for (let pages = 0; pages < 20; pages += 1) {
      const [found, without] = [
        await ask(shared, route, { limit: '1', ...present({ cursor: cursors.shared }) }),
        await ask(alone, route, { limit: '1', ...present({ cursor: cursors.alone }) }),
      ];
      expect(found.text).toBe(without.text);
      if (found.body.cursor === undefined || found.body.items.length === 0) break;
      Object.assign(cursors, { shared: found.body.cursor, alone: without.body.cursor });
    }
    // The places of rows in these lists are random ids, or numbers of the whole installation.
    if (['listSuppressions', 'listPossibleOptOuts', 'listEvents', 'listAudit'].includes(name)) return;
    const theirs = await ask(shared, route, { limit: '1' }, OPS);
    const query = { cursor: theirs.body.cursor };
    expect((await ask(shared, route, query)).text).toBe((await ask(alone, route, query)).text);
  });
});
