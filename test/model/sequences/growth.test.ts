/** Rows and memory are bounded: months of the same traffic leave no more behind than the first weeks. */
import { Session } from 'node:inspector/promises';
import { expect, test } from 'vitest';
import type { EditId, MessageRequest } from '../../../src/contract/index.js';
import { Random } from '../../support/random.js';
import { chatOf, processOf } from './command.js';
import { INSTANCES, configOf } from './instances.js';
import { World } from './world.js';

const WEEKS_MS = 20 * 24 * 60 * 60_000;
const ROUND_MS = 70_000;
const MESSAGES = 6;
/** Readings of a queue differ in number. */
const ROWS_MORE = 5;
/** Less than one for each message of the second part. */
const ENTRIES_MORE = 2 * MESSAGES;

/** By the getter of each class; what only has such a prototype has no size. */
const SUM = `function () {
  const size = (one) => { try { return Number(one.size) || 0 } catch { return 0 } };
  return this.reduce((sum, one) => sum + size(one), 0);
}`;

/** The entries of all maps and sets of this thread. */
async function entries(session: Session): Promise<number> {
  const sums = ['Map', 'Set'].map(async (kind) => {
    const { result } = await session.post('Runtime.evaluate', { expression: `${kind}.prototype` });
    const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId! });
    const sum = await session.post('Runtime.callFunctionOn', {
      objectId: objects.objectId!,
      functionDeclaration: SUM,
      returnByValue: true,
    });
    await session.post('Runtime.releaseObject', { objectId: objects.objectId! });
    return Number(sum.result.value);
  });
  return (await Promise.all(sums)).reduce((sum, one) => sum + one, 0);
}

/** Messages, lost responses, an edit and a cleared queue; then weeks in which nothing happens. */
async function traffic(world: World, round: number): Promise<void> {
  world.gateway.postFaults.push('lost', 'lost_absent', 'busy_2');
  for (let one = 0; one < MESSAGES; one += 1) {
    const key = `k${round}-${one}`;
    const content = { kind: 'text', text: `m${key}` } as const;
    const request: MessageRequest = { instance: 'main', chatId: chatOf(one), content };
    const messageId = await world.send(key, request);
    const { ledger, clock, wake } = processOf(world);
    const editId = `edt_${key}` as EditId;
    if (one === 0) await ledger.edits.open({ editId, messageId, text: 'edited', nowMs: clock.nowMs() });
    await wake('main');
  }
  await world.pass(5_000);
  await world.order('main', 'clearMessagesQueue', `c${round}`);
  await world.pass(ROUND_MS);
  world.clock.jump(WEEKS_MS);
  await world.pass(ROUND_MS);
  // The gateway and the measurement are the world's own, and remember all.
  world.gateway.requests.length = 0;
}

test('nothing grows with the time that passes', async () => {
  const session = new Session();
  session.connect();
  const world = await World.open(new Random(1));
  try {
    for (const name of INSTANCES) world.file.set(name, configOf(name));
    await world.start();
    // The first measurement loads what it needs itself.
    await entries(session);
    const seen: { readonly rows: readonly (readonly [string, number])[]; readonly entries: number }[] = [];
    for (let round = 0; round < 4; round += 1) {
      await traffic(world, round);
      if (round % 2 === 1) seen.push({ rows: [...(await world.copies.sizes())], entries: await entries(session) });
    }
    const [before, after] = seen;
    for (const [at, [table, rows]] of after!.rows.entries()) {
      expect(rows, table).toBeLessThanOrEqual((before!.rows[at]?.[1] ?? 0) + ROWS_MORE);
    }
    expect(after!.entries - before!.entries).toBeLessThanOrEqual(ENTRIES_MORE);
  } finally {
    await world.close();
    session.disconnect();
  }
}, 300_000);
