/**
 * ACCESS-2: a request of a limited key that names an object of another instance, in its path, query or body, has the
 * same response as in a world without that object. The places are those of openapi.json: a new one is included
 * automatically.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationsOf, urlOf, type Operation, type Place, type Wanted } from '../odd/requests.js';
import { jsonOf } from '../odd/odd-values.js';
import { OTHER_KEY, markOf, numbersOf, twoWorlds, type Objects, type Seen } from './two-worlds.js';

let worlds: Awaited<ReturnType<typeof twoWorlds>>;
beforeAll(async () => {
  worlds = await twoWorlds();
});
afterAll(() => worlds.close());

/** Fields that may name an object, besides those whose names end in id. */
const NAMES = /\b(?:instances?|to|reference|event|group|file|elementName|key|cursor|template)(?:\[0\])?$/;

/** Ids that callers choose are unique in the whole installation: docs/keys.md says so. */
const CHOSEN_IDS = ['beginCampaign body .id', 'createSchedule body .id', 'defineCampaign path id'];

/** @param isOfGateway  the gateway gets the field, and of ours nothing is looked up but ids of messages and chats */
function foreignValues(foreign: Objects, isOfGateway: boolean): readonly string[] {
  if (isOfGateway) return [`${markOf('other')}-N1`, `${numbersOf('other')}01@c.us`, 'welcome-other'];
  const { id: message = '' } = foreign['/v1/messages'] ?? {};
  const cursor = Buffer.from(JSON.stringify(['messages', '0', message])).toString('base64url');
  const names = ['other', OTHER_KEY, markOf('other'), `${numbersOf('other')}01`, `${numbersOf('other')}04@c.us`];
  const derived = ['callbacks-other', 'template:other:welcome-other', message.slice(0, 10), cursor];
  return [...new Set([...Object.values(foreign).flatMap((parts) => Object.values(parts)), ...names, ...derived])];
}

const isNaming = ({ kind, name }: Place) => kind === 'id' || kind === 'cursor' || NAMES.test(name);
const turnOf = ({ good: { method } }: Operation) => ['get', 'post', 'patch', 'put', 'delete'].indexOf(method);
const ordered = ({ own }: Seen) => operationsOf(own).toSorted((one, other) => turnOf(one) - turnOf(other));

/** Two worlds have different random ids and secrets, and events and commands are numbered in the whole installation. */
function comparable(text: string): string {
  return (
    text
      .replaceAll(/\b(pos|sup|op)_\w{16}\b/g, '$1')
      .replaceAll(/"(nextTryAt|waitingSince)":"[^"]+"/g, '"$1"')
      .replaceAll(/whsec_[\w+/=]+/g, 'whsec')
      .replaceAll(/"commandSequence":\d+/g, '"commandSequence"')
      .replaceAll(/"evt_\d+"/g, '"evt"')
      // Temporal is away: its client reports a refused connection or a timeout.
      .replaceAll(/\(gRPC \d+\)/g, '')
      .replaceAll(/"cursor":"[\w-]+"/g, '"cursor"')
  );
}

async function ask(seen: Seen, wanted: Wanted, key: string): Promise<{ status: number; text: string }> {
  const { method, body, type } = wanted;
  const request = new Request(`http://127.0.0.1${urlOf(wanted)}`, {
    method: method.toUpperCase(),
    headers: {
      host: '127.0.0.1',
      authorization: `Bearer ${worlds.limited}`,
      'idempotency-key': key,
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(method === 'get' || body === undefined ? {} : { body: jsonOf(body) }),
  });
  const response = await seen.world.uncompared.fetch(request);
  return { status: response.status, text: comparable(await response.text()) };
}

it('tells a limited key nothing of the objects that it names', { timeout: 600_000 }, async () => {
  const { shared, alone, foreign } = worlds;
  const [here, there] = [ordered(shared), ordered(alone)];
  const differing: string[] = [];
  let requests = 0;
  for (const [at, { name, places }] of here.entries()) {
    const values = foreignValues(foreign, name.startsWith('beginOperation'));
    for (const [index, place] of places.entries()) {
      const what = `${name} ${place.name}`;
      if (!isNaming(place) || CHOSEN_IDS.includes(what)) continue;
      for (const value of values) {
        const key = `request ${++requests}`;
        const found = await ask(shared, place.with(value), key);
        const without = await ask(alone, there[at]!.places[index]!.with(value), key);
        if (found.status === without.status && found.text === without.text) continue;
        differing.push(`${what}: ${value}\n${JSON.stringify([found, without], null, 1)}`);
      }
    }
  }
  expect(differing.slice(0, 20).join('\n')).toBe('');
  expect(requests).toBeGreaterThan(1_000);
});
