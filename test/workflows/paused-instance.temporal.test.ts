/** What pauses an account and lets it go again, through the workflows, over hours. */
import { describe, expect } from 'vitest';
import { createCampaignWaker } from '../../src/starter/index.js';
import { test } from '../support/temporal.js';
import { aCampaignRun } from './campaign-world.js';
import { aWorld, passTime, passTimeUntil, type World } from './world.js';
import { eventually } from '../support/eventually.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function getsYellowCardForAMoment(world: World): Promise<void> {
  await world.control('PATCH', 'instances/1101000001', { state: 'yellowCard' });
  await world.control('PATCH', 'instances/1101000001', { state: 'authorized' });
  await world.settle();
}

const posts = ({ simulator }: World): number =>
  simulator.requests().filter(({ method }) => method === 'sendMessage').length;

describe('a paused account', () => {
  test('a single message waits behind a yellow card that has passed, and leaves once it is resumed', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await getsYellowCardForAMoment(world);
      const run = await world.start({ kind: 'text', text: 'When you are ready' });
      await eventually(async () => {
        const view = await world.ledger.messages.view(run.id);
        expect(view).toMatchObject({ state: 'pending', waiting: { code: 'INSTANCE_PAUSED' } });
      });
      await passTime(world, timeSkipping, HOUR);
      expect(await run.snapshot()).toMatchObject({ state: 'pending' });
      expect(posts(world)).toBe(0);

      await world.ledger.instances.resume('main', 'operator', world.clock.nowMs());
      await passTimeUntil(world, timeSkipping, 2 * MINUTE, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
      expect(posts(world)).toBe(1);
    });
  });

  test('a campaign stands still behind a yellow card that has passed, and goes on once it is resumed', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await getsYellowCardForAMoment(world);
      const run = await aCampaignRun(world, timeSkipping, taskQueue, 6);
      await eventually(async () => expect((await run.progress()).waiting?.code).toBe('INSTANCE_PAUSED'));
      const since = (await run.progress()).waiting?.since;
      await passTime(world, timeSkipping, 3 * HOUR);
      expect((await run.progress()).waiting).toMatchObject({ code: 'INSTANCE_PAUSED', since });
      expect(posts(world)).toBe(0);

      await world.ledger.instances.resume('main', 'operator', world.clock.nowMs());
      const wake = createCampaignWaker({
        client: timeSkipping.plainClient,
        taskQueue,
        campaigns: world.ledger.campaigns,
        log: () => undefined,
      });
      await wake('main');
      await run.hasPosted(6);
      await passTimeUntil(world, timeSkipping, 5 * MINUTE, async () => {
        expect(await run.progress()).toMatchObject({ state: 'completed', counts: { delivered: 6 } });
      });
    });
  });

  test('a message waits for a phone that is off, and leaves when it is authorized', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await world.control('PATCH', 'instances/1101000001', { state: 'sleepMode' });
      const expiresAt = new Date(world.clock.nowMs() + 4 * HOUR).toISOString();
      const run = await world.start({ kind: 'text', text: 'Today only' }, { expiresAt });
      await eventually(async () => {
        const view = await world.ledger.messages.view(run.id);
        expect(view).toMatchObject({ waiting: { code: 'MESSAGE_NOT_ADMITTED', text: 'instance sleepMode' } });
      });
      await passTime(world, timeSkipping, HOUR);
      expect(posts(world)).toBe(0);
      await world.control('PATCH', 'instances/1101000001', { state: 'authorized' });
      await passTimeUntil(world, timeSkipping, 2 * MINUTE, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
    });
  });
});
