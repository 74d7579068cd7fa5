/** A campaign over several accounts: who sends what, and what moves. */
import { describe, expect, it } from 'vitest';
import type { CampaignId } from '../../../../src/contract/index.js';
import { useLedger } from '../../../support/ledger/ledger.js';
import { accepted, type DispatchCast, other } from '../../dispatch/cast.js';
import { MINUTE, NOW, SECOND } from '../../cast.js';
import { DAY } from '../campaign-life-cast.js';
import { AMPLE, PoolCast } from './pool-cast.js';

const ledger = useLedger();

const chatOf = (line: number) => `1555${String(line).padStart(7, '0')}@c.us`;
const lost = { kind: 'unknown', code: 'GATEWAY_TIMEOUT' } as const;
const unreachable = { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE', retryAfterMs: SECOND } as const;
const refused = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'no', httpStatus: 400 } as const;

describe('a campaign over several accounts', () => {
  it('gives each recipient one account, in equal shares, and each account claims its own (POOL-1)', async () => {
    const pool = await new PoolCast(ledger, 3).begun(30);
    const { count, instances } = await pool.read();
    expect(count).toBe(30);
    expect(instances.toSorted()).toEqual(pool.accounts);
    expect(await pool.shares()).toEqual([10, 10, 10]);

    const claimed = await Promise.all(pool.accounts.map((_, at) => pool.claimAt(at)));
    expect(claimed.map(({ length }) => length)).toEqual([10, 10, 10]);
    expect(claimed.map((own) => [...new Set(own.map(({ instance }) => instance))])).toEqual(
      pool.accounts.map((account) => [account]),
    );
    expect(new Set(claimed.flat().map(({ messageId }) => messageId)).size).toBe(30);
    expect(await pool.states()).toEqual({ sending: 30 });
  });

  it('shows each account with its counts, which add up', async () => {
    const pool = await new PoolCast(ledger).begun(10);
    await pool.read(6);
    await pool.dispatchers[0]!.write(...(await pool.claimAt(0)).map((due) => accepted(due)));

    const view = await ledger.audiences.view(pool.id, NOW);
    expect(view).toMatchObject({ instance: pool.accounts[0], instances: pool.accounts });
    expect(view?.accounts.map(({ instance, counts }) => [instance, counts.accepted, counts.pending])).toEqual([
      [pool.accounts[0], 3, 0],
      [pool.accounts[1], 0, 3],
    ]);
    expect(view?.counts).toMatchObject({ accepted: 3, pending: 7 });
  });

  it('sends from the account that talked with the recipient last, in either direction (CHOOSE-1)', async () => {
    const pool = new PoolCast(ledger);
    const [a, b] = pool.dispatchers as [DispatchCast, DispatchCast];
    await b.begin();
    const known = [chatOf(2), chatOf(3), chatOf(4), chatOf(5)];
    for (const chatId of known) await b.take({ chatId });
    await b.write(...(await b.claim(AMPLE)).map((due) => accepted(due)));
    // Recipient 5 has written to the other account since.
    await ledger.conversations.heard({ instance: a.instance, chatId: chatOf(5), receivedAtMs: NOW }, NOW + SECOND);
    await pool.begun(6);
    await pool.read(100, NOW + MINUTE);
    const report = await pool.report();
    expect(report.slice(0, 4).map(({ instance }) => instance)).toEqual([
      b.instance,
      b.instance,
      b.instance,
      a.instance,
    ]);
    expect(report.slice(4).map(({ instance }) => instance)).toEqual([a.instance, a.instance]);
  });

  it('does not take a test of a campaign for a conversation (TESTSEND-1)', async () => {
    const pool = new PoolCast(ledger);
    const b = pool.dispatchers[1]!;
    await b.begin();
    await b.take({ chatId: chatOf(2), test: { campaignId: 'spring' as CampaignId } });
    await b.write(...(await b.claim(AMPLE)).map((due) => accepted(due)));
    await pool.begun(1);
    await pool.read();
    expect(await pool.shares()).toEqual([1, 0]);
  });

  it('forgets a conversation after `stickyFor`', async () => {
    const pool = new PoolCast(ledger);
    const b = pool.dispatchers[1]!;
    for (const line of [2, 3, 4, 5])
      await ledger.conversations.heard(
        { instance: b.instance, chatId: chatOf(line), receivedAtMs: NOW },
        NOW - 2 * DAY,
      );
    await pool.begun(4, { stickyFor: '1d' });
    await pool.read();
    expect(await pool.shares()).toEqual([2, 2]);
  });

  it('gives an account that cannot send none of those who have none (CHOOSE-2)', async () => {
    const pool = await new PoolCast(ledger).begun(6);
    await pool.stop(0);
    await pool.read();
    expect(await pool.shares()).toEqual([0, 6]);
  });

  it('does not send from another account to a recipient who said STOP to one of them', async () => {
    const pool = await new PoolCast(ledger).begun(4);
    await ledger.suppressions.add({ chatId: chatOf(3), instance: pool.accounts[1]!, scope: 'marketing', nowMs: NOW });
    await pool.read();
    expect(await pool.states()).toEqual({ pending: 3, suppressed: 1 });
  });

  it("keeps the campaign's own cap over all accounts (LIMIT-6)", async () => {
    const pool = await new PoolCast(ledger).begun(20, { limits: { perDay: 5 } });
    await pool.read();
    const claimed = [];
    for (const place of [0, 1, 0, 1]) claimed.push(...(await pool.claimAt(place)));
    expect(claimed).toHaveLength(5);
  });

  it('reads on while one account has few messages ahead, but not the whole audience', async () => {
    const pool = new PoolCast(ledger);
    const b = pool.dispatchers[1]!;
    for (let line = 2; line < 200; line += 1)
      await ledger.conversations.heard({ instance: b.instance, chatId: chatOf(line), receivedAtMs: NOW }, NOW);
    await pool.begun(198);
    const isRead = async () => (await ledger.dispatch.campaignsToRead([pool.accounts[0]!], 2, NOW)).length > 0;
    let rounds = 0;
    for (; await isRead(); rounds += 1) await pool.read(4);
    // Eight times two.
    expect(await pool.shares()).toEqual([0, 16]);
    expect(rounds).toBe(4);
  });
});

describe('the messages of an account that is out', () => {
  it('move to the others at once when it is removed, with evidence; those that were posted do not (POOL-2, POOL-3)', async () => {
    const pool = await new PoolCast(ledger).begun(12);
    await pool.read();
    const [first, second] = await pool.dispatchers[0]!.claim({ ...AMPLE, free: 2 });
    await pool.dispatchers[0]!.write(accepted(first!), other(second!, lost));

    await pool.update([pool.accounts[1]!]);
    expect(await pool.claimAt(0)).toEqual([]);
    expect(await ledger.dispatch.campaignsToRead([pool.accounts[1]!], 1, NOW)).toMatchObject([{ isMoving: true }]);
    expect((await pool.read()).count).toBe(4);
    expect(await pool.shares()).toEqual([2, 10]);
    expect(await pool.states()).toEqual({ pending: 10, accepted: 1, unknown: 1 });
    const claimed = await pool.claimAt(1);
    expect(claimed).toHaveLength(10);
    const moved = await Promise.all(claimed.map(({ messageId }) => pool.told(messageId)));
    expect(moved.filter((told) => told.includes('moved'))).toHaveLength(4);
    expect(await pool.account(0)).toMatchObject({ outWhy: 'removed', counts: { accepted: 1, unknown: 1, pending: 0 } });
  });

  it('does not move while it is only presumed that a gateway has not accepted it (POOL-3)', async () => {
    const pool = await new PoolCast(ledger).begun(4, { onUnknown: 'auto' });
    await pool.read();
    const [first, second] = await pool.dispatchers[0]!.claim({ ...AMPLE, free: 2 });
    await pool.dispatchers[0]!.write(other(first!, lost), other(second!, lost));
    for (const [due, what] of [
      [first!, 'presumed_absent'],
      [second!, 'absent'],
    ] as const) {
      const attempt = await ledger.reconciling.attempt(due.messageId);
      await ledger.reconciling.makePending(attempt!, what, { witness: 'queue', detail: {} }, NOW);
    }
    await pool.update([pool.accounts[1]!]);
    while ((await pool.read()).count > 0);
    expect(await pool.accountOf(first!.messageId)).toBe(pool.accounts[0]);
    expect(await pool.accountOf(second!.messageId)).toBe(pool.accounts[1]);
    expect(await pool.claimAt(0)).toEqual([]);

    // It is sent once its account is in again.
    await pool.update(pool.accounts);
    expect((await pool.claimAt(0)).map(({ messageId }) => messageId)).toEqual([first!.messageId]);
  });

  it('are claimed by one account only while they move', async () => {
    const pool = await new PoolCast(ledger).begun(40);
    await pool.read();
    const seen: string[] = [];
    for (const accounts of [[1], [0, 1], [0], [1], [0, 1]]) {
      await pool.update(accounts.map((at) => pool.accounts[at]!));
      await Promise.all([pool.read(7), pool.read(7)]);
      for (const place of [0, 1]) {
        const claimed = await pool.dispatchers[place]!.claim({ ...AMPLE, free: 3 });
        seen.push(...claimed.map(({ messageId }) => messageId));
      }
    }
    while ((await pool.read()).count > 0);
    for (const place of [0, 1]) seen.push(...(await pool.claimAt(place)).map(({ messageId }) => messageId));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(40);
    expect(await pool.states()).toEqual({ sending: 40 });
  });

  it('move after `moveAfter` when it cannot send, and it gets new ones once it can (MOVE-1)', async () => {
    const pool = await new PoolCast(ledger).begun(8);
    await pool.read();
    await pool.stop(0);
    expect(await pool.watch(NOW)).toEqual([]);
    expect(await pool.watch(NOW + 9 * MINUTE)).toEqual([]);
    expect(await pool.account(0)).not.toHaveProperty('outWhy');
    expect((await pool.watch(NOW + 10 * MINUTE)).toSorted()).toEqual(pool.accounts);
    expect(await pool.account(0)).toMatchObject({ outWhy: 'cannot_send' });
    while ((await pool.read(100, NOW + 10 * MINUTE)).count > 0);
    expect(await pool.shares()).toEqual([0, 8]);

    await pool.go(0);
    // Its state has to be seen again first.
    expect(await pool.watch(NOW + 11 * MINUTE)).toEqual([]);
    await ledger.instanceStates.record({
      instance: pool.accounts[0]!,
      state: 'authorized',
      witness: 'getStateInstance',
      atMs: NOW + 11 * MINUTE,
    });
    expect(await pool.watch(NOW + 11 * MINUTE)).not.toEqual([]);
    expect(await pool.account(0)).not.toHaveProperty('outWhy');
  });

  it('move when its gateway is away, which its first messages show', async () => {
    const pool = await new PoolCast(ledger).begun(8);
    await pool.read();
    const [first] = await pool.dispatchers[0]!.claim({ ...AMPLE, free: 1 });
    await pool.dispatchers[0]!.write(other(first!, unreachable));
    await pool.watch(NOW);
    await pool.watch(NOW + 10 * MINUTE);
    while ((await pool.read(100, NOW + 10 * MINUTE)).count > 0);
    expect(await pool.shares()).toEqual([0, 8]);
  });

  it('do not move with `stickySender: required` (MOVE-3), nor if no account can send', async () => {
    for (const [definition, stopped] of [
      [{ stickySender: 'required' }, [0]],
      [{}, [0, 1]],
    ] as const) {
      const pool = await new PoolCast(ledger).begun(8, definition);
      await pool.read();
      for (const place of stopped) await pool.stop(place);
      await pool.watch(NOW);
      await pool.watch(NOW + DAY);
      expect((await pool.read(100, NOW + DAY)).count).toBe(0);
      expect(await pool.shares()).toEqual([4, 4]);
    }
  });

  it('move at once when the instances file has it no more (MOVE-2)', async () => {
    const pool = await new PoolCast(ledger).begun(8);
    await pool.read();
    await pool.watch(NOW, [pool.accounts[1]!]);
    expect(await pool.account(0)).toMatchObject({ outWhy: 'not_configured' });
    await pool.read();
    expect(await pool.shares()).toEqual([0, 8]);
    await pool.watch(NOW, pool.accounts);
    expect(await pool.account(0)).not.toHaveProperty('outWhy');
  });

  it('a retry chooses by the same rule', async () => {
    const pool = await new PoolCast(ledger).begun(4);
    await pool.read();
    for (const place of [0, 1]) {
      const claimed = await pool.claimAt(place);
      await pool.dispatchers[place]!.write(...claimed.map((due) => other(due, refused)));
    }
    await pool.update([pool.accounts[1]!]);
    await ledger.campaigns.retry(pool.id, { scopes: ['rejected'] } as never, NOW);
    await pool.read();
    expect(await pool.shares()).toEqual([0, 4]);
    expect(await pool.claimAt(1)).toHaveLength(4);
  });
});

describe('the automatic pause of a pool', () => {
  const autoPause = { minSamples: 3, sampleSize: 5, failureRate: 0.3 };

  async function failed(pool: PoolCast, place: number) {
    await pool.read();
    const claimed = await pool.dispatchers[place]!.claim({ ...AMPLE, free: 4 });
    await pool.dispatchers[place]!.write(...claimed.map((due) => other(due, refused)));
    return ledger.campaigns.pauseIfFailing(pool.id, NOW);
  }

  it('stops the account that fails; the others send its messages, until it is resumed (CAMPAIGN-8, MOVE-4)', async () => {
    const pool = await new PoolCast(ledger).begun(20, { autoPause });
    expect(await failed(pool, 0)).toBe('account_stopped');
    expect(await pool.account(0)).toMatchObject({
      outWhy: 'too_many_failures',
      outText: '4 of the last 4 did not arrive: 4 rejected',
    });
    expect((await ledger.campaigns.progress(pool.id, NOW))?.state).toBe('running');
    while ((await pool.read()).count > 0);
    expect(await pool.shares()).toEqual([4, 16]);
    await pool.watch(NOW + DAY);
    expect(await pool.account(0)).toMatchObject({ outWhy: 'too_many_failures' });

    await ledger.campaigns.resumeAccount(pool.id, pool.accounts[0]!, NOW + MINUTE);
    expect(await pool.account(0)).not.toHaveProperty('outWhy');
    expect(await ledger.campaigns.pauseIfFailing(pool.id, NOW + MINUTE)).toBe('too_few');
  });

  it('pauses the campaign when no account is left, and says why for each', async () => {
    const pool = await new PoolCast(ledger).begun(20, { autoPause });
    await failed(pool, 0);
    expect(await failed(pool, 1)).toBe('paused');
    const { state, waiting } = (await ledger.campaigns.progress(pool.id, NOW))!;
    expect(state).toBe('paused');
    const why = '4 of the last 4 did not arrive: 4 rejected';
    expect(waiting).toMatchObject({
      code: 'TOO_MANY_FAILURES',
      text: `${pool.accounts[0]}: ${why}; ${pool.accounts[1]}: ${why}`,
    });

    await ledger.campaigns.resumeAccount(pool.id, pool.accounts[1]!, NOW + MINUTE);
    expect((await ledger.campaigns.progress(pool.id, NOW))?.state).toBe('running');
    expect(await pool.account(0)).toMatchObject({ outWhy: 'too_many_failures' });
    expect(await pool.account(1)).not.toHaveProperty('outWhy');
  });

  it('refuses to resume an account that the campaign does not have', async () => {
    const pool = await new PoolCast(ledger).begun(2);
    await expect(ledger.campaigns.resumeAccount(pool.id, 'elsewhere', NOW)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      problems: [{ path: 'instance' }],
    });
  });
});
