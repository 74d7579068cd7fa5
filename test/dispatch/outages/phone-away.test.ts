/** Messages while the phone is off, the account is paused, or the instance rejects the token. */
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { watchedInstances } from '../../../src/config/instance-directory.js';
import { DAY, HOUR, MINUTE, SECOND, aRealWorld, FOR_DAYS, type RealWorld } from '../real-world.js';
import { aFolder } from '../../support/folder.js';

const MAIN = 'instances/1101000001';
const FEW = { highWater: 3 };
/** The background jobs run every few hours here; a notification, a wake or `runJobs` starts whatever happens sooner. */
const WITH_FEW_ROUNDS = { ...FOR_DAYS, jobsEveryMs: 3 * HOUR };

const isAuthorized = ({ patch }: RealWorld, is: boolean): Promise<void> =>
  patch({ state: is ? 'authorized' : 'notAuthorized' });

async function getsYellowCardForAMoment({ patch }: RealWorld): Promise<void> {
  await patch({ state: 'yellowCard' });
  await patch({ state: 'authorized' });
}

/** Passes time, and reads the account's state often enough to know it for the whole time. */
async function passWatched(world: RealWorld, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 10 * MINUTE) {
    await world.pass(Math.min(10 * MINUTE, ms - passedMs));
    await world.watch();
  }
}

/** Passes the time of the activity's current try. */
async function betweenTries(world: RealWorld): Promise<void> {
  for (let seconds = 0; world.retried === undefined && seconds < 60; seconds += 1) await world.pass(SECOND);
}

describe('a phone that is off', () => {
  test('still gets accepted messages after twenty hours; a message that lives for less than a day waits in the ledger', async () => {
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

  test('lets an accepted message expire after a day and a quarter of an hour when it never returns', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await isAuthorized(world, false);
    const id = await world.single(3 * DAY, 'Into the void');
    await passWatched(world, DAY + 14 * MINUTE);
    await world.runJobs();
    expect(await world.view(id)).toMatchObject({ state: 'accepted' });
    await world.pass(2 * MINUTE);
    await world.runJobs();
    expect(await world.view(id)).toMatchObject({ state: 'expired', reason: 'never_authorized' });
    expect(world.simulator.delivered()).toEqual([]);
  });

  test('stops a campaign at its high water mark for twenty hours, and the campaign resumes by itself', async () => {
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
    await world.runJobs();
    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 9 } });
    expect(world.requests('sendMessage')).toBe(9);
  });

  test('ends the remaining recipients expired after a campaign’s deadline, and the campaign completes', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await isAuthorized(world, false);
    const deadline = new Date(world.nowMs() + 2 * HOUR).toISOString();
    const id = await world.campaign(4, { ...FEW, deadline });
    await world.pass(2 * HOUR + MINUTE);
    await world.runJobs();
    expect(await world.progress(id)).toMatchObject({ state: 'expired', counts: { expired: 4 } });
    expect(world.requests('sendMessage')).toBe(0);
  });
});

describe('an accepted message', () => {
  test('is found delivered in the journal when all its receipts were lost', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await world.control('POST', 'notifications/faults', { kind: 'drop', times: 100 });
    const id = await world.single(DAY, 'Did you get this?');
    await world.pass(DAY);
    expect(await world.view(id)).toMatchObject({ state: 'accepted' });
    await world.pass(HOUR);
    await world.runJobs();
    const view = await world.view(id);
    expect(view).toMatchObject({ state: 'delivered' });
    expect(view.evidence.at(-1)).toMatchObject({ witness: 'getMessage', what: 'delivered' });
  });

  test('stays accepted when no receipt ever comes, and records that it left the queue', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await world.control('POST', 'notifications/faults', { kind: 'drop', times: 100 });
    await world.control('POST', `${MAIN}/accounts`, { journal: false });
    const id = await world.single(DAY, 'Into the void');
    await world.pass(DAY + HOUR);
    await world.runJobs();
    expect(await world.view(id)).toMatchObject({ state: 'accepted', reason: 'left_queue_no_receipt' });
  });
});

describe('an account that is paused by a yellow card', () => {
  test('sends no message and no campaign after the card has passed, until an operator resumes it', async () => {
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
    await world.runJobs();
    expect(await world.view(single)).toMatchObject({ state: 'delivered' });
    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 6 } });
    expect(world.requests('sendMessage')).toBe(7);
  });
});

describe('a campaign', () => {
  test('loses no recipient when it is paused for more than a day', async () => {
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
    await world.runJobs();
    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 6 } });
    expect(world.requests('sendMessage')).toBe(6);
  });
});

describe('an instance with a wrong token', () => {
  test('shows the reason on its messages, and sends them once the token file is corrected', async () => {
    const dir = aFolder();
    const tokenFile = join(dir, 'token');
    const filePath = join(dir, 'instances.json');
    await writeFile(tokenFile, 'a-wrong-token', { mode: 0o600 });
    const world = await aRealWorld({
      ...WITH_FEW_ROUNDS,
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
