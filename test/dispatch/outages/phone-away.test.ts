/** What becomes of messages while the phone is off, an account is paused, or the instance refuses us. */
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { watchedInstances } from '../../../src/config/instance-directory.js';
import { DAY, HOUR, MINUTE, SECOND, aRealWorld, FOR_DAYS, type RealWorld } from '../real-world.js';
import { aFolder } from '../../support/folder.js';

const MAIN = 'instances/1101000001';
const FEW = { highWater: 3 };
/** What runs by itself here has hours: what has to happen sooner is begun by a notification or a wake. */
const WITH_FEW_ROUNDS = { ...FOR_DAYS, jobsEveryMs: 20 * MINUTE };

const isAuthorized = ({ patch }: RealWorld, is: boolean): Promise<void> =>
  patch({ state: is ? 'authorized' : 'notAuthorized' });

async function getsYellowCardForAMoment({ patch }: RealWorld): Promise<void> {
  await patch({ state: 'yellowCard' });
  await patch({ state: 'authorized' });
}

/** Passes the time of a try of the activity that is under way. */
async function betweenTries(world: RealWorld): Promise<void> {
  for (let seconds = 0; world.retried === undefined && seconds < 60; seconds += 1) await world.pass(SECOND);
}

describe('a phone that is off', () => {
  test('for twenty hours delivers what the gateway has accepted, and what lives less than a day waits here', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await isAuthorized(world, false);
    const before = await world.single(3 * DAY, 'Good morning');
    const here = await world.single(22 * HOUR, 'Today only');
    await world.pass(20 * HOUR);
    expect(await world.view(before)).toMatchObject({ state: 'accepted' });
    expect(await world.view(here)).toMatchObject({ state: 'pending', attempts: [] });

    await isAuthorized(world, true);
    await world.pass(2 * MINUTE);
    expect(await world.view(before)).toMatchObject({ state: 'delivered' });
    expect(await world.view(here)).toMatchObject({ state: 'delivered' });
    expect(world.requests('sendMessage')).toBe(2);
  });

  test('for good lets an accepted message expire after a day and a quarter of an hour', async () => {
    const world = await aRealWorld(FOR_DAYS);
    await isAuthorized(world, false);
    const id = await world.single(3 * DAY, 'Into the void');
    await world.pass(DAY);
    expect(await world.view(id)).toMatchObject({ state: 'accepted' });
    await world.pass(HOUR);
    expect(await world.view(id)).toMatchObject({ state: 'expired', reason: 'never_authorized' });
    expect(world.simulator.delivered()).toEqual([]);
  });

  test('for twenty hours stops a campaign within its high water mark, and it goes on by itself', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    const id = await world.campaign(9, FEW);
    await world.pass(200);
    await isAuthorized(world, false);
    await world.pass(20 * HOUR);
    const waiting = await world.progress(id);
    expect(waiting).toMatchObject({ state: 'running' });
    expect(waiting.counts.accepted).toBeLessThanOrEqual(FEW.highWater);
    expect(waiting.counts.pending).toBeGreaterThan(0);

    await isAuthorized(world, true);
    await world.pass(30 * MINUTE);
    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 9 } });
    expect(world.requests('sendMessage')).toBe(9);
  });

  test('past a campaign’s deadline ends the rest expired, and the campaign', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await isAuthorized(world, false);
    const deadline = new Date(world.nowMs() + 2 * HOUR).toISOString();
    const id = await world.campaign(4, { ...FEW, deadline });
    await world.pass(3 * HOUR);
    expect(await world.progress(id)).toMatchObject({ state: 'expired', counts: { expired: 4 } });
    expect(world.requests('sendMessage')).toBe(0);
  });
});

describe('a message that is accepted', () => {
  test('and whose receipts were all lost is found delivered in the journal', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await world.control('POST', 'notifications/faults', { kind: 'drop', times: 100 });
    const id = await world.single(DAY, 'Did you get this?');
    await world.pass(DAY);
    expect(await world.view(id)).toMatchObject({ state: 'accepted' });
    await world.pass(HOUR);
    const view = await world.view(id);
    expect(view).toMatchObject({ state: 'delivered' });
    expect(view.evidence.at(-1)).toMatchObject({ witness: 'getMessage', what: 'delivered' });
  });

  test('and never heard of again stays accepted, and says that it left the queue', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await world.control('POST', 'notifications/faults', { kind: 'drop', times: 100 });
    await world.control('POST', `${MAIN}/accounts`, { journal: false });
    const id = await world.single(DAY, 'Into the void');
    await world.pass(DAY + HOUR);
    expect(await world.view(id)).toMatchObject({ state: 'accepted', reason: 'left_queue_no_receipt' });
  });
});

describe('an account that is paused by a yellow card', () => {
  test('sends neither messages nor campaigns after the card has passed, until it is resumed', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await getsYellowCardForAMoment(world);
    const single = await world.single(DAY, 'When you are ready');
    const id = await world.campaign(6);
    await world.pass(3 * HOUR);
    expect(await world.view(single)).toMatchObject({ state: 'pending', waiting: { code: 'INSTANCE_PAUSED' } });
    expect(await world.progress(id)).toMatchObject({ state: 'running', waiting: { code: 'INSTANCE_PAUSED' } });
    expect(world.requests('sendMessage')).toBe(0);

    await world.ledger.instances.resume(world.instance, 'operator', world.nowMs());
    world.wake();
    await world.pass(30 * MINUTE);
    expect(await world.view(single)).toMatchObject({ state: 'delivered' });
    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 6 } });
    expect(world.requests('sendMessage')).toBe(7);
  });
});

describe('a campaign', () => {
  test('that is paused for more than a day loses no recipient', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    const id = await world.campaign(6, FEW);
    await world.pass(200);
    const atMs = world.nowMs();
    await world.ledger.campaigns.pause(id, atMs);
    await world.pass(MINUTE);
    const { counts } = await world.progress(id);
    const posts = world.requests('sendMessage');
    expect(counts.pending).toBeGreaterThan(0);
    await world.pass(DAY + 6 * HOUR);
    expect(world.requests('sendMessage')).toBe(posts);
    expect(await world.progress(id)).toMatchObject({ state: 'paused', counts: { pending: counts.pending } });

    await world.ledger.campaigns.resume(id, world.nowMs());
    world.wake();
    await world.pass(30 * MINUTE);
    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 6 } });
    expect(world.requests('sendMessage')).toBe(6);
  });
});

describe('an instance with a wrong token', () => {
  test('says so on its messages, and sends them once the token’s file is put right', async () => {
    const dir = aFolder();
    const tokenFile = join(dir, 'token');
    const filePath = join(dir, 'instances.json');
    await writeFile(tokenFile, 'a-wrong-token');
    const world = await aRealWorld({
      ...FOR_DAYS,
      instances: (baseUrl, clock) => {
        const main = { baseUrl, idInstance: '1101000001', apiTokenInstance: { file: 'token' } };
        writeFileSync(filePath, JSON.stringify({ main }));
        return watchedInstances({ filePath, env: {}, log: () => undefined, monotonicMs: () => clock.nowMs() });
      },
    });
    const id = await world.single(DAY, 'Let me in');
    await world.pass(HOUR);
    await betweenTries(world);
    expect(await world.view(id)).toMatchObject({ state: 'pending', waiting: { code: 'GATEWAY_UNAUTHORIZED' } });
    expect(world.retried).toMatchObject({ type: 'GATEWAY_UNAUTHORIZED' });

    await writeFile(tokenFile, 'simulator-token');
    await world.pass(15 * MINUTE);
    expect(await world.view(id)).toMatchObject({ state: 'delivered' });
    expect((await world.view(id)).waiting).toBeUndefined();
    expect(world.simulator.delivered()).toHaveLength(1);
  });
});
