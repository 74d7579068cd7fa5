/** Lost responses and requests of each kind that the queue lists, from the POST to the phone. */
import { afterEach, describe, expect, test } from 'vitest';
import { SEND_OPERATION, type MessageContent, type MessageId, type MessageSnapshot } from '../../src/contract/index.js';
import type { Settings } from '../../src/simulator/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import {
  ALICE,
  LOST_REQUEST,
  LOST_RESPONSE,
  NO_NOTICES,
  RECONCILE_MS,
  aWorld,
  proveAbsent,
  type World,
} from './world.js';

const BOB = '15550000002@c.us';
const WORDS = 'the first leaves at once';
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

type Kind = 'text' | 'poll' | 'location' | 'contact' | 'forward';

/** A message of each kind, and one that a reader could confuse with it. */
const MESSAGES: Readonly<Record<Kind, (other?: true) => MessageContent>> = {
  text: (other) => ({ kind: 'text', text: other ? 'Your table is taken' : 'Your table is ready' }),
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

/** The operation's request: for all these kinds but one its field names are those of the content. */
function wireBody({ kind: _, ...body }: MessageContent): object {
  return 'text' in body ? { message: body.text } : body;
}

async function adoptedBy(id: MessageId): Promise<string | undefined> {
  return (await world.view(id)).evidence.find(({ what }) => what === 'adopted')?.witness;
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
    expect(await world.story(id)).toEqual(['claimed', 'unknown', 'adopted', 'sent', 'delivered']);
    expect(await adoptedBy(id)).toBe('showMessagesQueue');
    expect(atBob()).toMatchObject([{ kind }]);
  });

  test('is found by its notification', async () => {
    await aWorldWithOriginal();
    const { id } = await sendAndLose(LOST_RESPONSE, MESSAGES[kind]());
    await world.pass(ALL_LEFT_MS);

    // A copy can be recognised only by its original, which only the gateway has.
    expect((await world.view(id)).state).toBe(kind === 'forward' ? 'unknown' : 'delivered');
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
    expect(await adoptedBy(id)).toBe('outgoingAPIMessageReceived');
    expect(atBob()).toHaveLength(1);
  });

  test('is found in the journal when notifications are off', async () => {
    await aWorldWithOriginal(NO_NOTICES);
    const { id } = await sendAndLose(LOST_RESPONSE, MESSAGES[kind]());
    await world.pass(ALL_LEFT_MS);

    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
    expect(await adoptedBy(id)).toBe('lastOutgoingMessages');
  });
});

describe.each(KINDS)('a lost request of a %s', (kind) => {
  test('adopts no other message of its kind, and its absence is not proved beside one', async () => {
    await aWorldWithOriginal();
    await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST, MESSAGES[kind]());
    await world.post(SEND_OPERATION[kind], { chatId: BOB, ...wireBody(MESSAGES[kind](true)) });

    await world.pass(RECONCILE_MS);
    expect(await world.reconcile(id)).toContain('unaccounted_item_in_queue');
    await world.pass(ALL_LEFT_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
  });

  test('is proved absent by an earlier item that is still queued, and posted again', async () => {
    await aWorldWithOriginal();
    const older = await world.send('an older message that waits in the queue');
    const { id } = await sendAndLose(LOST_REQUEST, MESSAGES[kind]());

    expect(await world.reconcile(id)).toContain('too_early');
    expect(await proveAbsent(world, id)).toMatchObject({ state: 'pending' });
    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      what: 'absent',
      witness: 'showMessagesQueue',
      detail: { preceding: [older.idMessage] },
    });
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
    await world.post('forwardMessages', { chatId: BOB, chatIdFrom: ALICE, messages: [other] });

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
