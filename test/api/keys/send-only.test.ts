/** What a key with the scope `send` alone can do, and that it is shown no text and no number of others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, OPERATION_NAMES } from '../../../src/contract/index.js';
import { ROUTES } from '../../../src/api/routes/routes.js';
import type { Route } from '../../../src/api/route.js';
import { operationContracts } from '../../../src/gateway/index.js';
import { operationsOf, urlOf, type Wanted } from '../odd/requests.js';
import { aKey, aWorld, objectsOf, type Objects, type World } from './two-worlds.js';

let world: World;
let own: Objects;
let sender: string;

beforeAll(async () => {
  world = await aWorld({ others: false, temporalTimeoutMs: 5 });
  own = await objectsOf(world, 'main');
  sender = await aKey([world.ledger], ['send']);
});
afterAll(() => world.close());

const ask = (wanted: Wanted) => {
  const { method, body, type = 'application/json' } = wanted;
  const headers = { 'content-type': type, 'idempotency-key': 'sent' };
  return world.with(sender, method.toUpperCase(), urlOf(wanted), method === 'get' ? undefined : body, headers);
};

describe('a key that may only send', () => {
  it.each(OPERATION_NAMES)('runs the operation %s only if it shows nothing of others', async (method) => {
    const good = operationsOf(own).find(({ name }) => name === `beginOperation ${method}`)?.good;
    if (good === undefined) throw new Error(`There is no request for ${method}.`);
    const { status, body } = await ask(good);
    const [, second] = OPERATIONS[method].scopes as readonly string[];
    if (second === undefined) return expect(status).not.toBe(403);
    expect([status, body.code]).toEqual([403, 'KEY_SCOPE_MISSING']);
    expect(body.detail).toContain(`requires the scope ${second}`);
  });

  it('runs no operation that is described as reading', () => {
    const reading = OPERATION_NAMES.filter((name) => /^(?:Read|List|Fetch)/.test(operationContracts[name].description));
    expect(reading.length).toBeGreaterThan(9);
    expect(reading.filter((name) => !(OPERATIONS[name].scopes as readonly string[]).includes('read'))).toEqual([]);
  });

  it('is shown no text and no number that it has not sent', async () => {
    const shown: string[] = [];
    let done = 0;
    const commands = operationsOf(own).filter(({ name }) => {
      const { access, alsoNeeds }: Route = ROUTES[name as keyof typeof ROUTES] ?? ROUTES.beginOperation;
      return typeof access !== 'string' && access[0] === 'send' && alsoNeeds === undefined;
    });
    for (const { name, good } of commands) {
      // The number of an entry that exists, with a text of its own.
      const body = name === 'addSuppression' ? { instance: 'main', to: '15550000104' } : good.body;
      const { status, body: answer } = await ask({ ...good, ...(body === undefined ? {} : { body }) });
      if (status >= 300) continue;
      done += 1;
      const text = JSON.stringify(answer).replaceAll('15550000104', 'given');
      if (/(?:Hello|Bye|Sorry|stop|number of) mark|155500001|"note":"mark/.test(text)) shown.push(`${name}: ${text}`);
    }
    expect(shown).toEqual([]);
    expect(done).toBeGreaterThan(15);
  });
});
