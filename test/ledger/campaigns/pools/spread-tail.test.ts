/** Accounts of a pool that send slower or faster than was expected when they got their recipients. */
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../../support/ledger/ledger.js';
import { other, type DispatchCast } from '../../dispatch/cast.js';
import { NOW, SECOND } from '../../cast.js';
import { CampaignCast } from '../campaign-life-cast.js';
import { AMPLE, PoolCast } from './pool-cast.js';

const ledger = useLedger();

const chatOf = (line: number) => `1555${String(line).padStart(7, '0')}@c.us`;

/** What a shift learns of its gateway's pace. */
const learns = ({ shift }: DispatchCast, releaseIntervalMs: number, nowMs = NOW) =>
  ledger.dispatch.tick({
    wants: [
      {
        shift,
        free: 0,
        room: AMPLE.room,
        busyRecipients: [],
        lowerFirst: false,
        postingDeadlineMs: nowMs,
        reconcileAfterMs: nowMs,
        stats: { releaseIntervalMs, inFlight: 0, window: 1, delays: { sendMessage: nowMs + releaseIntervalMs * 10 } },
      },
    ],
    outcomes: [],
    nowMs,
  });

/** Each account claims all that it has. */
async function claimAll(pool: PoolCast): Promise<string[]> {
  const claimed: string[] = [];
  for (const place of pool.accounts.keys()) {
    claimed.push(...(await pool.claimAt(place)).map(({ messageId }) => messageId));
  }
  return claimed;
}

async function spreadAndRead(pool: PoolCast): Promise<readonly string[]> {
  const woken = await ledger.dispatch.spreadTail(pool.id, NOW);
  while ((await pool.read()).count > 0);
  return woken;
}

describe('an account whose pace is not known yet', () => {
  it('gets as many recipients as one with the usual pace (CHOOSE-2)', async () => {
    const pool = await new PoolCast(ledger).begun(27);
    await learns(pool.dispatchers[0]!, 500);
    await pool.read();
    expect(await pool.shares()).toEqual([14, 13]);
  });

  it('gives back what it cannot send in time once its pace is known (CHOOSE-4)', async () => {
    const pool = await new PoolCast(ledger).begun(27);
    await learns(pool.dispatchers[0]!, 500);
    await pool.read();
    await learns(pool.dispatchers[1]!, 6_000);
    expect((await spreadAndRead(pool)).toSorted()).toEqual(pool.accounts);
    expect(await pool.shares()).toEqual([25, 2]);
    // The rest is near enough.
    expect(await spreadAndRead(pool)).toEqual([]);
    const claimed = await claimAll(pool);
    expect(new Set(claimed).size).toBe(27);
    expect(await pool.states()).toEqual({ sending: 27 });
  });
});

it('wakes an account for messages that were given back although no process has read them since', async () => {
  const pool = await new PoolCast(ledger).begun(10);
  await learns(pool.dispatchers[0]!, 500);
  await pool.read();
  await pool.claimAt(0);
  await learns(pool.dispatchers[1]!, 60_000);
  expect(await ledger.dispatch.spreadTail(pool.id, NOW)).toHaveLength(2);
  for (const { shift } of pool.dispatchers) await ledger.dispatch.endShift(shift, NOW);
  const later = NOW + 60 * SECOND;
  expect(await ledger.dispatch.dueInstances(100, later)).toEqual(expect.arrayContaining([...pool.accounts]));
});

describe('messages that are spread again', () => {
  async function uneven(recipients: number, definition = {}): Promise<PoolCast> {
    const pool = await new PoolCast(ledger).begun(recipients, definition);
    await learns(pool.dispatchers[0]!, 500);
    await pool.read();
    await learns(pool.dispatchers[1]!, 60_000);
    return pool;
  }

  it('are not those to recipients that the account talked with last (CHOOSE-1)', async () => {
    const pool = new PoolCast(ledger);
    const own = [2, 3, 4, 5, 6, 7];
    const instance = pool.accounts[1]!;
    for (const line of own) {
      await ledger.conversations.heard({ instance, chatId: chatOf(line), receivedAtMs: NOW }, NOW - SECOND);
    }
    await pool.begun(12);
    await learns(pool.dispatchers[0]!, 500);
    await pool.read();
    await learns(pool.dispatchers[1]!, 60_000);
    await spreadAndRead(pool);
    expect(await pool.shares()).toEqual([6, 6]);
    expect(await spreadAndRead(pool)).toEqual([]);
  });

  it('are not those that may have been posted (POOL-3)', async () => {
    const pool = await uneven(12);
    const [lost] = await pool.dispatchers[1]!.claim({ ...AMPLE, free: 1 });
    await pool.dispatchers[1]!.write(other(lost!, { kind: 'unknown', code: 'GATEWAY_TIMEOUT' }));
    const attempt = await ledger.reconciling.attempt(lost!.messageId);
    await ledger.reconciling.makePending(attempt!, 'presumed_absent', { witness: 'queue', detail: {} }, NOW);
    await spreadAndRead(pool);
    expect(await pool.accountOf(lost!.messageId)).toBe(pool.accounts[1]);
  });

  it('are none with `stickySender: required`, of a paused campaign, or while recipients are unread', async () => {
    expect(await spreadAndRead(await uneven(12, { stickySender: 'required' }))).toEqual([]);
    const paused = await uneven(12);
    await ledger.campaigns.pause(paused.id, NOW);
    expect(await spreadAndRead(paused)).toEqual([]);
    const unread = await new PoolCast(ledger).begun(40);
    await unread.read(20);
    await learns(unread.dispatchers[0]!, 500);
    await learns(unread.dispatchers[1]!, 60_000);
    expect(await ledger.dispatch.spreadTail(unread.id, NOW)).toEqual([]);
  });
});

describe('an account that also sends another campaign', () => {
  it('gets fewer recipients: the campaigns take turns (CHOOSE-2)', async () => {
    const pool = await new PoolCast(ledger).begun(30);
    const alone = await new CampaignCast(ledger, pool.accounts[0]).running(200);
    const compose = ({ line }: { line: number }) => ({ content: { kind: 'text' as const, text: `Hello ${line}` } });
    await ledger.dispatch.readAhead(alone.id, { limit: 200, compose, nowMs: NOW });
    await pool.read();
    expect(await pool.shares()).toEqual([10, 20]);
  });

  it('gets as many if the other campaign is paused', async () => {
    const pool = await new PoolCast(ledger).begun(30);
    const alone = await new CampaignCast(ledger, pool.accounts[0]).running(200);
    const compose = ({ line }: { line: number }) => ({ content: { kind: 'text' as const, text: `Hello ${line}` } });
    await ledger.dispatch.readAhead(alone.id, { limit: 200, compose, nowMs: NOW });
    await ledger.campaigns.pause(alone.id, NOW);
    await pool.read();
    expect(await pool.shares()).toEqual([15, 15]);
  });
});
