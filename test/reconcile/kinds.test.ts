/** Lost responses of polls, locations, contacts and forwards, from the POST to the phone. */
import { afterEach, describe, expect, test } from 'vitest';
import { SEND_OPERATION, type MessageContent, type MessageSnapshot } from '../../src/contract/index.js';
import type { Settings } from '../../src/simulator/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { ALICE, RECONCILE_MS, aWorld, proveAbsent, type World } from './world.js';

const BOB = '15550000002@c.us';
const WORDS = 'the first leaves at once';
const LOST_RESPONSE = { kind: 'lose-answer', accepted: true };
const LOST_REQUEST = { kind: 'reset', accepted: false };
/** Long enough for every item to leave the queue: one a minute. */
const ALL_LEFT_MS = 5 * 60_000;

const ledger = useLedger();
let world: World;
/** A message that was sent to Alice first, and can be forwarded. */
let original: string;
afterEach(() => world.close());

/** A world in which one message has left, so that later ones wait in the queue for a minute. */
async function aWorldWithOriginal(settings: Partial<Settings> = {}): Promise<void> {
  world = await aWorld(ledger, { pollMessageWebhook: 'yes', ...settings });
  await world.send(WORDS);
  await world.pass(1_000);
  original = world.simulator.delivered()[0]?.idMessage ?? '';
}

type Kind = 'poll' | 'location' | 'contact' | 'forward';

/** A message of each kind, and one that a reader could confuse with it. */
const MESSAGES: Readonly<Record<Kind, (other?: true) => MessageContent>> = {
  poll: (other) => ({
    kind: 'poll',
    message: 'Tea or coffee?',
    options: ['Tea', other ? 'Cocoa' : 'Coffee'].map((optionName) => ({ optionName })),
    multipleAnswers: true,
  }),
  location: (other) => ({
    kind: 'location',
    latitude: 44.9370129,
    longitude: other ? 34.2 : 34.1,
    nameLocation: 'Square',
  }),
  contact: (other) => ({
    kind: 'contact',
    contact: { phoneContact: other ? 15557654322 : 15557654321, firstName: 'Ann', lastName: 'Lee; ünd Co' },
  }),
  forward: (other) => ({ kind: 'forward', chatIdFrom: ALICE, messages: [other ? 'BAE5OTHER' : original] }),
};
const KINDS = Object.keys(MESSAGES) as Kind[];

async function sendAndLose(fault: object, content: MessageContent): Promise<MessageSnapshot> {
  await world.fault({ ...fault, method: SEND_OPERATION[content.kind] });
  const row = await world.send(content, { chatId: BOB });
  expect(row.state).toBe('unknown');
  return row;
}

/** Another tool sends through the same account. */
async function sendUnmatched(method: string, body: object): Promise<void> {
  const response = await fetch(`${world.simulator.url}/waInstance1101000001/${method}/simulator-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chatId: BOB, ...body }),
  });
  expect(response.status).toBe(200);
}

/** The operation's request: for these kinds its field names are those of the content. */
function wireBody({ kind: _, ...body }: MessageContent): object {
  return body;
}

function atBob(): unknown[] {
  return world.simulator.delivered().filter(({ chatId }) => chatId === BOB);
}

describe.each(KINDS)('a lost response of a %s that was accepted', (kind) => {
  test('is found in the queue', async () => {
    await aWorldWithOriginal();
    const { id } = await sendAndLose(LOST_RESPONSE, MESSAGES[kind]());

    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
    await world.pass(ALL_LEFT_MS);

    expect(await world.view(id)).toMatchObject({ state: 'delivered', attempts: [{ outcome: 'accepted' }] });
    const adopted = (await world.view(id)).evidence.find(({ what }) => what === 'adopted');
    expect(adopted?.witness).toBe('showMessagesQueue');
    expect(atBob()).toMatchObject([{ kind }]);
  });

  test('is found by its notification', async () => {
    await aWorldWithOriginal();
    const { id } = await sendAndLose(LOST_RESPONSE, MESSAGES[kind]());
    await world.pass(ALL_LEFT_MS);

    // A copy can be recognised only by its original, which only the gateway has.
    expect((await world.view(id)).state).toBe(kind === 'forward' ? 'unknown' : 'delivered');
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
    const adopted = (await world.view(id)).evidence.find(({ what }) => what === 'adopted');
    expect(adopted?.witness).toBe('outgoingAPIMessageReceived');
    expect(atBob()).toHaveLength(1);
  });

  test('is found in the journal when notifications are off', async () => {
    await aWorldWithOriginal({ outgoingWebhook: 'no', outgoingAPIMessageWebhook: 'no' });
    const { id } = await sendAndLose(LOST_RESPONSE, MESSAGES[kind]());
    await world.pass(ALL_LEFT_MS);

    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
    const adopted = (await world.view(id)).evidence.find(({ what }) => what === 'adopted');
    expect(adopted?.witness).toBe('lastOutgoingMessages');
  });
});

describe.each(KINDS)('a lost request of a %s', (kind) => {
  test('adopts no other message of its kind, and its absence is not proved beside one', async () => {
    await aWorldWithOriginal();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST, MESSAGES[kind]());
    await sendUnmatched(SEND_OPERATION[kind], wireBody(MESSAGES[kind](true)));

    await world.pass(RECONCILE_MS);
    expect(await world.reconcile(id)).toContain('unaccounted_item_in_queue');
    await world.pass(ALL_LEFT_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
  });

  test('is proved absent by an earlier item that is still queued, and posted again', async () => {
    await aWorldWithOriginal();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST, MESSAGES[kind]());

    expect(await proveAbsent(world, id)).toMatchObject({ state: 'pending' });
    expect(await world.sendAgain(id)).toMatchObject({ state: 'accepted' });
    await world.pass(ALL_LEFT_MS);
    expect(atBob()).toMatchObject([{ kind }]);
  });
});

describe('a lost request of a forward', () => {
  test('adopts no copy with other words', async () => {
    await aWorldWithOriginal();
    await world.send('something else');
    await world.pass(ALL_LEFT_MS);
    const other = world.simulator.delivered().find(({ text }) => text === 'something else')?.idMessage;
    const { id } = await sendAndLose(LOST_REQUEST, MESSAGES.forward());
    await sendUnmatched('forwardMessages', { chatIdFrom: ALICE, messages: [other] });

    await world.pass(ALL_LEFT_MS);
    expect(atBob()).toMatchObject([{ kind: 'forward', text: 'something else' }]);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
  });

  test('stays unknown while the gateway cannot show the original', async () => {
    await aWorldWithOriginal();
    const { id } = await sendAndLose(LOST_RESPONSE, MESSAGES.forward());
    await world.pass(ALL_LEFT_MS);
    await world.control('POST', 'faults', { method: 'getMessage', kind: 'status', status: 429, times: 9 });

    expect(await world.reconcile(id)).toContain('nothing_precedes');
    await world.control('DELETE', 'faults');
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test('delays a second one to the same chat, since their copies look alike', async () => {
    await aWorldWithOriginal();
    const { id } = await sendAndLose(LOST_RESPONSE, MESSAGES.forward());

    expect(await world.send(MESSAGES.forward(true), { chatId: BOB })).toMatchObject({ state: 'pending' });
    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
  });
});
