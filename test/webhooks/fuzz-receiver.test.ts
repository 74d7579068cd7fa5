/** Whatever the receiver gets, later notifications are applied: a STOP, and a delivered message. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyLateEvidence } from '../../src/activities/index.js';
import { createIncoming } from '../../src/webhooks/index.js';
import { someApi, type ApiDependencies } from '../api/api-parts.js';
import { eventually } from '../support/eventually.js';
import { useWorld, type World } from './world.js';
import { runsEverything, runs } from '../support/runs.js';

const CHAT = '15550000001@c.us';
const RECIPIENT = '15550000077@c.us';

const theWorld = useWorld();
let the: World;
let api: ApiDependencies;
let url: string;

beforeAll(async () => {
  the = theWorld();
  const { ledger, instances, instance } = the;
  const clock = { nowMs: () => the.nowMs };
  const log = () => undefined;
  const receiver = the.receiver({
    incoming: createIncoming({ ledger, instances, clock, log }),
    lateEvidence: (...told) => applyLateEvidence({ ledger, clock }, ...told),
  });
  api = await someApi({ ledger, instances, clock, receiver });
  const listening = await api.api.listen({ host: '127.0.0.1', port: 0 });
  url = `${listening.url}/webhooks/${instance}`;
});
afterAll(async () => {
  await the.close();
  await api.close();
});

async function post(body: string | Uint8Array): Promise<number> {
  const headers = { Authorization: 'Bearer old-token', 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) });
  await response.arrayBuffer();
  return response.status;
}

/** An input may have been a yellow card, which blocks every claim while it pauses. */
async function resume(): Promise<void> {
  const { ledger, instance, nowMs } = the;
  await ledger.instanceStates.record({ instance, state: 'authorized', atMs: nowMs });
  await ledger.instances.resume(instance, 'operator', nowMs);
}

/** A STOP of a recipient and a delivery of a message, which the test checks. */
async function whatMustBeHeard(): Promise<{
  readonly stop: object;
  readonly delivered: object;
  isHeard(): Promise<object>;
}> {
  the.nowMs += 5_000;
  await resume();
  const [name, idMessage] = [randomUUID(), randomUUID()];
  const message = await the.accepted(name);
  const stop = the.notification('incomingMessageReceived', {
    idMessage,
    senderData: { chatId: RECIPIENT, sender: RECIPIENT },
    messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'STOP' } },
  });
  return {
    stop,
    delivered: the.status(name, 'delivered'),
    async isHeard() {
      const { items } = await the.ledger.suppressions.list({ instance: the.instance, chatId: RECIPIENT });
      const { waiting } = await the.summary();
      return {
        state: await the.state(message),
        isSuppressed: items.some((entry) => entry.idMessage === idMessage),
        waiting,
      };
    },
  };
}

const HEARD = { state: 'delivered', isSuppressed: true, waiting: 0 };

/** Posts the inputs, then the notifications that must be applied. */
async function survives(...bodies: readonly (string | Uint8Array)[]): Promise<void> {
  for (const body of bodies) expect(await post(body)).toBe(200);
  // Applied, so that a yellow card among them does not come after the account was resumed.
  await eventually(async () => expect((await the.summary()).waiting).toBe(0));
  const must = await whatMustBeHeard();
  expect(await post(JSON.stringify(must.stop))).toBe(200);
  expect(await post(JSON.stringify(must.delivered))).toBe(200);
  await eventually(async () => expect(await must.isHeard()).toEqual(HEARD));
}

/** JSON texts with numbers that JavaScript cannot write, and repeated keys. */
const LARGE = ['1e300', '1e400', '-1e400', '9223372036854775808', '99999999999999', '8640000000000001'];
const NUMBERS = [...LARGE, '-1', '0', '-0', '1e-300', '1.5', '2147483648', '253402300800'];
const UNSTORABLE = ['"\\u0000"', '"\\ud800"', '"a\\udc00b"', '"\\u0000\\ud83d\\ude00"'];
const ODD_TEXTS = [...UNSTORABLE, '"__proto__"', '"constructor"', '"STOP"', '"START"', '""'];
const ODD_VALUES = ['null', '{}', '[]', 'true', '{"toString":1,"valueOf":1}', '{"__proto__":null}'];
const odd = fc.constantFrom(...ODD_TEXTS, ...ODD_VALUES);
const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => JSON.stringify(value));
const long = fc.integer({ min: 200, max: 300_000 }).map((length) => JSON.stringify(randomText(length)));
const deep = fc.integer({ min: 1, max: 30_000 }).map((levels) => `${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`);
const number = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc
    .double()
    .map(String)
    .filter((value) => !/[IN]/.test(value)),
);
const scalar = fc.oneof(
  { weight: 4, arbitrary: odd },
  { weight: 3, arbitrary: number },
  { weight: 3, arbitrary: text },
  long,
  deep,
);
const field = fc.tuple(fc.oneof(fc.constantFrom(...ODD_TEXTS), text), scalar).map(([key, value]) => `${key}:${value}`);
const anyJson = fc.oneof(
  fc.json(),
  scalar,
  fc.array(field, { maxLength: 6 }).map((fields) => `{${fields.join(',')}}`),
);

/** Incompressible, since an index accepts longer texts that compress. */
function randomText(length: number): string {
  let words = '';
  while (words.length < length) words += randomUUID();
  return words.slice(0, length);
}

/** One real notification of each kind. */
function realNotifications(): object[] {
  const original = the.idOf('one of ours');
  const message = (typeWebhook: string, idMessage: string, chatId: string, typeMessage: string, data: object) => {
    const senderData = { chatId, sender: chatId, senderName: 'Ann', chatName: 'Ann' };
    return the.notification(typeWebhook, { idMessage, senderData, messageData: { typeMessage, ...data } });
  };
  const said = { textMessageData: { textMessage: 'START' } };
  const linked = (words: string) => ({ extendedTextMessageData: { text: words } });
  const edited = { editedMessageData: { textMessage: 'New', stanzaId: original } };
  const deleted = { deletedMessageData: { stanzaId: original } };
  const quotaData = { method: 'sendMessage', used: 3, total: 3, status: 'QUOTE_EXCEEDED', description: 'd' };
  return [
    the.status('one of ours', 'sent', { chatId: CHAT, sendByApi: true, description: 'on its way' }),
    the.status('one of ours', 'failed', { chatId: CHAT, description: 'SWE004' }),
    the.status('one of ours', 'yellowCard', { chatId: CHAT }),
    message('incomingMessageReceived', 'I1', RECIPIENT, 'textMessage', said),
    message('incomingMessageReceived', 'I2', RECIPIENT, 'extendedTextMessage', linked('STOP')),
    message('outgoingAPIMessageReceived', 'O1', CHAT, 'extendedTextMessage', linked('Hello')),
    message('outgoingAPIMessageReceived', 'O2', CHAT, 'editedMessage', edited),
    message('outgoingMessageReceived', 'O3', CHAT, 'deletedMessage', deleted),
    the.notification('stateInstanceChanged', { stateInstance: 'yellowCard' }),
    the.notification('statusInstanceChanged', { statusInstance: 'online' }),
    the.notification('quotaExceeded', { quotaData }),
    the.notification('incomingCall', { idMessage: 'C1', from: RECIPIENT, status: 'offer' }),
  ];
}

/** Every position in a notification, as the JSON text of its value. */
function placesIn(value: unknown): string[] {
  const own = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return [own];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${JSON.stringify(key)}:${JSON.stringify(inner)}`,
    ...placesIn(inner),
  ]);
}

interface Change {
  readonly at: number;
  readonly how: 'replace' | 'drop' | 'twice';
  readonly by: string;
}

const change = fc.record<Change>({
  at: fc.nat(200),
  how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'twice'),
  by: scalar,
});

/** A real notification with a few values replaced, dropped or repeated. */
function mutated(real: object, changes: readonly Change[]): string {
  let json = JSON.stringify(real);
  const places = placesIn(real).filter((place) => /^"[^"]*":/.test(place));
  for (const { at, how, by } of changes) {
    const place = places[at % places.length] ?? '';
    const key = place.slice(0, place.indexOf('":') + 2);
    if (how === 'replace') json = json.replace(place, () => `${key}${by}`);
    if (how === 'twice') json = json.replace(place, () => `${place},${key}${by}`);
    if (how === 'drop') json = json.replace(place, () => '"dropped":1');
  }
  return json;
}

const options = { numRuns: runs(40), endOnFailure: true } as const;
const LONG = 300_000;
/** Even the shorter one is longer than an index entry. */
const LENGTH = runsEverything ? 900_000 : 30_000;

describe('a STOP and a delivery are applied after', () => {
  it('any JSON, of any depth, size, numbers and keys', { timeout: LONG }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyJson, { minLength: 1, maxLength: 4 }), (bodies) => survives(...bodies)),
      options,
    );
  });

  it('any bytes', { timeout: LONG }, async () => {
    const bytes = fc.uint8Array({ maxLength: 2_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 4 }), (bodies) => survives(...bodies)),
      options,
    );
  });

  it('real notifications with changed values', { timeout: LONG }, async () => {
    await the.accepted('one of ours');
    const several = fc.array(fc.tuple(fc.nat(100), fc.array(change, { minLength: 1, maxLength: 3 })), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(several, async (list) => {
        const real = realNotifications();
        await survives(...list.map(([which, changes]) => mutated(real[which % real.length] ?? {}, changes)));
      }),
      options,
    );
    expect(await the.summary()).toMatchObject({ waiting: 0, failed: 0 });
  });

  it.each(NUMBERS)('the time %s in each kind', { timeout: LONG }, async (timestamp) => {
    await survives(
      ...realNotifications().map((real) =>
        JSON.stringify({ ...real, timestamp: 0, n: randomUUID() }).replace('"timestamp":0', `"timestamp":${timestamp}`),
      ),
    );
    expect(await the.summary()).toMatchObject({ failed: 0 });
  });

  it(`${LENGTH} letters as any value of any kind`, { timeout: LONG }, async () => {
    const huge = JSON.stringify(randomText(LENGTH));
    for (const real of realNotifications()) {
      const places = placesIn(real).filter((place) => /^"[^"]*":"/.test(place));
      await survives(...places.map((_, at) => mutated(real, [{ at, how: 'replace', by: huge }])));
    }
    expect(await the.summary()).toMatchObject({ failed: 0 });
  });
});
