import { afterEach, describe, expect, test } from 'vitest';
import { LONGEST_UNKNOWN_MS, WITNESS_PATIENCE_MS, type MessageSnapshot } from '../../src/contract/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import {
  ALICE,
  LOST_REQUEST,
  LOST_RESPONSE,
  NO_NOTICES,
  RECONCILE_MS,
  aBusyWorld,
  aWorld,
  sendAndLose,
  type World,
} from './world.js';

const TEXT = 'Your table is ready';

const ledger = useLedger();
let world: World;
afterEach(() => world.close());

describe('the witnesses', () => {
  test('serve all waiting messages with one reading of the queue', async () => {
    world = await aBusyWorld(ledger);
    await world.patch({ state: 'notAuthorized' });
    const rows: MessageSnapshot[] = [];
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six'])
      rows.push(await sendAndLose(world, LOST_RESPONSE, text));
    // Slow enough for all other messages to ask while the first reading is under way.
    await world.fault({ method: 'showMessagesQueue', kind: 'late-answer', ms: 1_000 });

    const found = await Promise.all(rows.map(({ id }) => world.reconcile(id)));

    expect(found.map((row) => typeof row !== 'string' && row.state)).toEqual(rows.map(() => 'accepted'));
    const readings = world.simulator.requests().filter(({ method }) => method === 'showMessagesQueue');
    expect(readings.length).toBeLessThanOrEqual(2);
  });

  test('are asked again when a queue cannot be read now, and not when it can never be read', async () => {
    world = await aWorld(ledger);
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT);
    await world.pass(RECONCILE_MS);
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 503 });
    expect(await world.reconcile(id)).toContain('no_reading');

    await world.pass(WITNESS_PATIENCE_MS);
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 503 });
    expect(await world.reconcile(id)).toContain('no_reading');
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 404 });
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'no_reading' });
  });

  test.each([
    ['showMessagesQueue', 403, 'GATEWAY_UNAUTHORIZED', 'no_reading'],
    ['showMessagesQueue', 466, 'GATEWAY_PLAN_LIMIT', 'no_reading'],
    ['showMessagesQueue', 503, 'GATEWAY_OUTCOME_UNKNOWN', 'no_reading'],
    ['showMessagesQueue', 429, 'GATEWAY_BUSY', 'no_reading'],
    ['lastOutgoingMessages', 403, 'GATEWAY_UNAUTHORIZED', 'nothing_precedes'],
    ['lastOutgoingMessages', 466, 'GATEWAY_PLAN_LIMIT', 'nothing_precedes'],
    ['lastOutgoingMessages', 502, 'GATEWAY_OUTCOME_UNKNOWN', 'nothing_precedes'],
  ])('keep a message unknown for an hour at most when %s always answers %d', async (witness, status, code, why) => {
    world = await aWorld(ledger, NO_NOTICES);
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT);
    await world.fault({ method: witness, kind: 'status', status, times: 9 });
    await world.pass(RECONCILE_MS + LONGEST_UNKNOWN_MS - 1);
    expect(await world.reconcile(id)).toMatch(new RegExp(`${why}.*2026-03-01T11:00:09`));
    await world.pass(1);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: why });

    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      what: 'unresolved',
      detail: { why, unavailable: [{ witness, code, httpStatus: status }] },
    });
  });

  test('keep a message unknown for an hour at most when another sender’s item waits behind it', async () => {
    world = await aBusyWorld(ledger);
    await world.patch({ state: 'sleepMode' });
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT);
    await world.post('sendMessage', { chatId: ALICE, message: 'from another tool' });

    await world.pass(RECONCILE_MS + LONGEST_UNKNOWN_MS - 1);
    expect(await world.reconcile(id)).toContain('unaccounted_item_in_queue');
    await world.pass(1);
    expect(await world.reconcile(id)).toMatchObject({ state: 'unresolved', reason: 'unaccounted_item_in_queue' });
  });

  test('end a poll in time when they never answer, so that the message is unresolved', async () => {
    world = await aWorld(ledger);
    const { id } = await sendAndLose(world, LOST_REQUEST, TEXT);
    await world.pass(RECONCILE_MS + LONGEST_UNKNOWN_MS);

    expect(await world.reconcileWithDeafWitnesses(id)).toMatchObject({ state: 'unresolved', reason: 'no_reading' });

    expect((await world.view(id)).evidence.at(-1)).toMatchObject({
      detail: {
        unavailable: [
          { witness: 'showMessagesQueue', code: 'GATEWAY_OUTCOME_UNKNOWN' },
          { witness: 'lastOutgoingMessages', code: 'GATEWAY_OUTCOME_UNKNOWN' },
        ],
      },
    });
  });

  test.each([
    ['agree with', undefined, 'accepted'],
    ['are overruled by', 'OURS', 'adopted_another'],
  ])('%s a response that comes after an adoption, with the id %s', async (_, otherId, recorded) => {
    world = await aBusyWorld(ledger);
    const { id } = await sendAndLose(world, LOST_RESPONSE, TEXT);
    await world.reconcile(id);
    const { attempts, idMessage: adopted = '' } = await world.view(id);
    const idMessage = otherId ?? adopted;

    await ledger.dispatch.recordOutcomes([
      { token: attempts[0]!.token, outcome: { kind: 'accepted', idMessage, httpStatus: 200 }, atMs: Date.now() },
    ]);

    expect(await world.view(id)).toMatchObject({ state: 'accepted', idMessage });
    expect(await world.story(id)).toEqual([
      'claimed',
      'unknown',
      'adopted',
      'accepted',
      ...(otherId ? [recorded] : []),
    ]);
  });
});
