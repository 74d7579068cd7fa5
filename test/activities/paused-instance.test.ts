/**
 * What pauses an account or a campaign, through receiver, feeding and single messages, with the simulator as the
 * account.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.js';
import { aLedger } from '../support/ledger.js';
import { aFeedWorld, MINUTE, SECOND, type FeedWorld } from './feed-world.js';

let ledger: Ledger;
let world: FeedWorld;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());
afterEach(() => world.close());

const SHALLOW = { waterMarks: { highWater: 4, lowWater: 2 } };

/** Proves ADMISSION-4. */
describe('an account that gets a yellow card', () => {
  it('is paused though it is authorized in the next second, and goes on when an operator says so', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(6, SHALLOW);
    const single = await world.single();
    await world.patch({ state: 'yellowCard' });
    await world.patch({ state: 'authorized' });
    await world.pass(SECOND);

    const poll = await world.poll(id);
    expect(poll).toMatchObject({ fed: 0, progress: { waiting: { code: 'INSTANCE_PAUSED' } } });
    expect(poll.progress.waiting?.text).toContain(
      '(yellowCard). Resume it once the account is authorized: everpost instance resume',
    );
    expect(await world.trySingle(single)).toMatchObject({ code: 'INSTANCE_PAUSED', retryAfterMs: 30 * SECOND });
    await world.pass(MINUTE);
    expect(await world.poll(id)).toMatchObject({ fed: 0 });
    expect(world.requests('sendMessage')).toBe(0);

    expect(await ledger.instances.resume(world.instance, 'operator', world.nowMs())).toMatchObject([
      { reason: 'yellowCard', witness: 'stateInstanceChanged' },
    ]);
    await world.trySingle(single);
    expect(world.requests('sendMessage')).toBe(1);
    await world.untilEnded(id);
    expect(await world.counts(id)).toEqual({ delivered: 6 });
  });

  it('is paused by what it says itself when its notifications are off', async () => {
    world = await aFeedWorld(ledger, { settings: { stateWebhook: 'no' } });
    const id = await world.campaign(6, SHALLOW);
    await world.patch({ state: 'blocked' });
    // That it is blocked is found out by this poll; from the next on it is paused.
    await world.poll(id);
    await world.patch({ state: 'authorized' });
    await world.pass(2 * MINUTE);
    expect(await world.poll(id)).toMatchObject({ fed: 0, progress: { waiting: { code: 'INSTANCE_PAUSED' } } });
    expect(world.requests('sendMessage')).toBe(0);
  });
});

describe('a campaign whose messages do not arrive', () => {
  it('pauses itself when too many have no account, and says so', async () => {
    world = await aFeedWorld(ledger);
    const unreachable = Array.from({ length: 60 }, (_, at) => `1555${String(at + 2).padStart(7, '0')}@c.us`);
    const noAccount = unreachable.filter((_, at) => at % 2 === 0);
    await world.control('POST', 'instances/1101000001/accounts', { noAccount });
    const id = await world.campaign(60, { waterMarks: { highWater: 8, lowWater: 2 } });
    for (let polls = 0; (await ledger.campaigns.state(id)) === 'running' && polls < 40; polls += 1) {
      const { nextPollMs } = await world.poll(id);
      await world.pass(nextPollMs);
    }
    const { state, waiting, counts } = await world.progress(id);
    expect({ state, code: waiting?.code }).toEqual({ state: 'paused', code: 'TOO_MANY_FAILURES' });
    expect(waiting?.text).toMatch(/^\d+ of the last \d+ did not arrive: \d+ no_account$/);
    expect(counts.pending).toBeGreaterThan(20);
  });

  it('pauses itself when the gateway refuses every recipient, before all are refused', async () => {
    world = await aFeedWorld(ledger);
    await world.fault({ kind: 'status', status: 400, body: 'Validation failed', times: 1_000 });
    const id = await world.campaign(200, { waterMarks: { highWater: 150, lowWater: 2 } });
    await world.poll(id);
    const { state, waiting, counts } = await world.progress(id);
    expect(state).toBe('paused');
    expect(waiting).toMatchObject({ code: 'TOO_MANY_FAILURES', text: expect.stringContaining('rejected') as string });
    expect(counts.rejected).toBeLessThan(70);
  });
});

describe('an account of which three responses were lost', () => {
  it('is not fed until it is known what became of them, and then goes on by itself', async () => {
    world = await aFeedWorld(ledger);
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    const deadline = new Date(world.nowMs() + 10 * MINUTE).toISOString();
    const id = await world.campaign(12, { waterMarks: { highWater: 8, lowWater: 7 }, deadline });
    await world.fault({ kind: 'lose-answer', accepted: false, times: 3 });
    const poll = await world.poll(id);
    expect(poll.progress.waiting).toMatchObject({ code: 'OUTCOMES_UNKNOWN' });
    expect((await ledger.instances.view(world.instance)).unknownOutcomes).toBe(3);

    await world.untilEnded(id);
    // It cannot be told of those three, who are unresolved; the others were not kept waiting for them.
    expect(await world.counts(id)).toEqual({ unresolved: 3, delivered: 9 });
  });
});
