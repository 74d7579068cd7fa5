/** Pauses and resumes of an account as the workflows see them. Stories of hours are in test/dispatch/outages. */
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import { test } from './in-world.js';
import { posts } from './raw-start.js';
import type { World } from './world.js';

async function getsYellowCardForAMoment(world: World): Promise<void> {
  await world.control('PATCH', 'instances/1101000001', { state: 'yellowCard' });
  await world.control('PATCH', 'instances/1101000001', { state: 'authorized' });
  await world.settle();
}

/** Refused until the notification of the authorized account was applied. */
async function resumes({ ledger, clock, wake }: World): Promise<void> {
  await eventually(() => ledger.instances.resume('main', 'operator', clock.nowMs()));
  wake('main');
}

describe('a paused account', () => {
  test('delays a single message after a yellow card has passed, and releases it when it is resumed', ({ inWorld }) =>
    inWorld(async (world) => {
      await getsYellowCardForAMoment(world);
      const run = await world.start({ kind: 'text', text: 'When you are ready' });
      await eventually(async () => {
        const view = await world.ledger.views.message(run.id, Date.now());
        expect(view).toMatchObject({ state: 'pending', waiting: { code: 'INSTANCE_PAUSED' } });
      });
      expect(posts(world)).toBe(0);

      await resumes(world);
      await run.reaches('delivered');
      expect(posts(world)).toBe(1);
    }));

  test('delays a message while the phone is off, until it is authorized', ({ inWorld }) =>
    inWorld(async (world) => {
      await world.control('PATCH', 'instances/1101000001', { state: 'sleepMode' });
      await world.settle();
      const expiresAt = new Date(world.clock.nowMs() + 4 * 60 * 60_000).toISOString();
      const run = await world.start({ kind: 'text', text: 'Today only' }, { expiresAt });
      await eventually(async () => {
        const view = await world.ledger.views.message(run.id, Date.now());
        expect(view).toMatchObject({ waiting: { code: 'INSTANCE_NOT_AUTHORIZED', text: 'sleepMode' } });
      });
      expect(posts(world)).toBe(0);
      await world.control('PATCH', 'instances/1101000001', { state: 'authorized' });
      await run.reaches('delivered');
    }));
});
