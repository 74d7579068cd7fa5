/** Lost responses whose evidence shows the recipient's chat under another id than the one that was posted to. */
import { randomInt } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { WITNESS_PATIENCE_MS } from '../../src/contract/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { SECOND } from '../support/stack.js';
import {
  ALICE,
  LOST_REQUEST,
  LOST_RESPONSE,
  NO_NOTICES,
  RECONCILE_MS,
  aWorld,
  sendAndLose,
  type World,
} from './world.js';

const TEXT = 'Your table is ready';
const POSTED = '525512345678@c.us';
const LID = '98765432101234@lid';
const FORMS = ['5215512345678@c.us', '525512345678:3@c.us', '5215512345678@s.whatsapp.net', '5215512345678@C.US'];
/** Digits alone, as some gateways show a chat. */
const ALL_FORMS = [...FORMS, '5215512345678'];

const ledger = useLedger();
let world: World;
afterEach(() => world.close());

const show = (shownAs: Record<string, string>) => world.control('POST', 'instances/1101000001/accounts', { shownAs });
const withoutJournal = () => world.control('POST', 'instances/1101000001/accounts', { journal: false });

describe('the evidence under another form of the chat id', () => {
  test.each(ALL_FORMS)('is found in a notification that shows %s', async (shown) => {
    world = await aWorld(ledger);
    await show({ [POSTED]: shown });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: POSTED });
    await world.pass(SECOND);
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test.each(ALL_FORMS)('is found in the journal that shows %s', async (shown) => {
    world = await aWorld(ledger, NO_NOTICES);
    await show({ [POSTED]: shown });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: POSTED });
    await world.pass(SECOND);
    expect(await world.reconcile(id)).toMatchObject({ state: 'accepted' });
    expect((await world.view(id)).evidence.find(({ what }) => what === 'adopted')?.witness).toBe(
      'lastOutgoingMessages',
    );
  });

  test('is found through a receipt whose message the journal has under that form', async () => {
    world = await aWorld(ledger, { outgoingAPIMessageWebhook: 'no' });
    await world.control('POST', 'faults', { method: 'lastOutgoingMessages', kind: 'status', status: 403, times: 9 });
    await show({ [POSTED]: '5215512345678@c.us' });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: POSTED });
    await world.pass(SECOND);
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test('is found late, when the message is already unresolved', async () => {
    world = await aWorld(ledger, { stateWebhook: 'no' });
    await show({ [POSTED]: '5215512345678:3@c.us' });
    await withoutJournal();
    await world.control('POST', 'notifications/faults', { kind: 'delay', ms: 3_600_000, times: 9 });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: POSTED });
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
    await world.pass(3_600_000);
    expect((await world.view(id)).state).toBe('delivered');
  });
});

describe('the evidence in the chat of a lid that is known to belong to the number', () => {
  const aLid = () => `${randomInt(10 ** 13)}@lid`;
  const learn = (lid: string, chatId: string) => ledger.lids.learn([{ lid, chatId }], 'group', 0);

  test('is found in a notification', async () => {
    const lid = aLid();
    world = await aWorld(ledger);
    await learn(lid, POSTED);
    await show({ ['5215512345678@c.us']: lid });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: '5215512345678@c.us' });
    await world.pass(SECOND);
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test('is found of a message to the lid that is shown under the number', async () => {
    const lid = aLid();
    world = await aWorld(ledger);
    await learn(lid, POSTED);
    await show({ [lid]: '5215512345678@c.us' });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: lid });
    await world.pass(SECOND);
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test('is found through a receipt whose message the journal has under the lid', async () => {
    const lid = aLid();
    world = await aWorld(ledger, { outgoingAPIMessageWebhook: 'no' });
    await world.control('POST', 'faults', { method: 'lastOutgoingMessages', kind: 'status', status: 403, times: 9 });
    await learn(lid, POSTED);
    await show({ [POSTED]: lid });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: POSTED });
    await world.pass(SECOND);
    expect(await world.reconcile(id)).toMatchObject({ state: 'delivered' });
  });

  test('is found by a late notification, and when the lid is learned late', async () => {
    const [lid, other] = [aLid(), aLid()];
    world = await aWorld(ledger, { stateWebhook: 'no' });
    await withoutJournal();
    await world.control('POST', 'notifications/faults', { kind: 'delay', ms: 3_600_000, times: 99 });
    await show({ [POSTED]: lid, [ALICE]: other });
    const late = await sendAndLose(world, LOST_RESPONSE, TEXT, { chatId: POSTED });
    const learned = await sendAndLose(world, LOST_RESPONSE, TEXT);
    await learn(lid, POSTED);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    for (const { id } of [late, learned]) expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
    await world.pass(3_600_000);
    expect((await world.view(late.id)).state).toBe('delivered');
    expect((await world.view(learned.id)).state).toBe('unresolved');
    await learn(other, ALICE);
    expect(await world.reconcile(learned.id)).toMatchObject({ state: 'delivered' });
    expect((await world.view(learned.id)).possibleMatches).toBeUndefined();
  });
});

/** Proves ADOPT-5. */
describe('the evidence in the chat of an unknown lid', () => {
  async function anUnresolved() {
    world = await aWorld(ledger);
    await show({ [ALICE]: LID });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT);
    await world.pass(SECOND);
    await world.pass(RECONCILE_MS + WITNESS_PATIENCE_MS);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
    const { possibleMatches = [] } = await world.view(id);
    return { id, possibleMatches };
  }

  test('is shown once to the operator, with the command that gives its id to the message', async () => {
    const { id, possibleMatches } = await anUnresolved();
    const [match, ...more] = possibleMatches;
    const { idMessage = '' } = match ?? {};
    expect(more).toEqual([]);
    expect(match).toMatchObject({
      chatId: LID,
      text: `id ${idMessage}, same content, chat ${LID}. If it is this message: everpost message resolve ${id} --as accepted --id-message ${idMessage}`,
    });
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
    expect((await world.story(id)).filter((what) => what === 'possible_match')).toHaveLength(1);
  });

  test('applies its parked receipts when the operator resolves the message with its id', async () => {
    const { id, possibleMatches } = await anUnresolved();
    const { idMessage = '' } = possibleMatches[0] ?? {};
    const accepted = { outcome: 'accepted', witness: 'loopback', idMessage } as const;
    for (const _ of ['first', 'repeated']) {
      expect(await ledger.reconciling.resolve(id, accepted, 0)).toMatchObject({ state: 'delivered', idMessage });
    }
    expect((await world.view(id)).possibleMatches).toBeUndefined();
    await expect(ledger.reconciling.resolve(id, { ...accepted, idMessage: 'OTHER' }, 0)).rejects.toMatchObject({
      code: 'RESOLVE_NOT_POSSIBLE',
    });
    expect(world.delivered(TEXT)).toBe(1);
  });

  test('is refused for a second message', async () => {
    const { id, possibleMatches } = await anUnresolved();
    const { idMessage = '' } = possibleMatches[0] ?? {};
    // Lost before the gateway had it: no evidence can decide it meanwhile.
    const other = await sendAndLose(world, LOST_REQUEST, 'Another text', { chatId: POSTED });
    const accepted = { outcome: 'accepted', witness: 'loopback', idMessage } as const;
    await ledger.reconciling.resolve(id, accepted, 0);
    await expect(ledger.reconciling.resolve(other.id, accepted, 0)).rejects.toThrow(`belongs to message ${id}`);
    expect((await world.view(other.id)).state).toBe('unknown');
  });

  test('is not sent again by a presumption', async () => {
    world = await aWorld(ledger);
    await show({ [ALICE]: LID });
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT, { onUnknown: 'auto' });
    await world.pass(RECONCILE_MS + 12 * 60_000);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved' });
    expect(world.delivered(TEXT)).toBe(1);
  });
});
