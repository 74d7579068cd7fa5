/** What stops all messages of an account: INSTANCE-1 to INSTANCE-6, each as a condition of the claim. */
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast } from '../campaigns/campaign-life-cast.js';
import { Cast, MINUTE, NOW, SECOND } from '../cast.js';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ledger = useLedger();

/**
 * An account with a single message that may wait for a day, one that may not, and a campaign of three recipients.
 * @param states  in which it is seen, one second after the other
 */
async function anAccount(...states: readonly string[]) {
  const campaign = await new CampaignCast(ledger).running(3);
  const { instance } = campaign;
  const cast = new Cast(ledger);
  const long = await cast.pending({ instance, expiresAtMs: NOW + DAY });
  const short = await cast.pending({ instance, expiresAtMs: NOW + HOUR });
  const see = (state: string, atMs = NOW) => ledger.instanceStates.record({ instance, state, atMs });
  for (const [at, state] of states.entries()) await see(state, NOW + at * SECOND);
  return {
    instance,
    campaign,
    long,
    short,
    see,
    pauses: async () => (await ledger.instances.pauses(instance)).map(({ reason }) => reason),
    resume: (nowMs = NOW) => ledger.instances.resume(instance, 'operator', nowMs),
    /** Whether it is claimed, or else its state. */
    claim: async (id: typeof long, nowMs = NOW) => {
      await cast.claim(id, nowMs);
      const state = await cast.state(id);
      return state === 'sending' ? 'claimed' : state;
    },
    /** With both single messages, which may be claimed too. */
    recipients: async (nowMs = NOW) => (await campaign.claim(5, nowMs)).length,
    waiting: async (id: typeof long) => (await ledger.views.message(id, NOW))?.waiting,
  };
}

/** Proves PROTOCOL-11. */
describe('a pause', () => {
  it.each(['yellowCard', 'blocked', 'suspended'])(
    'INSTANCE-2 for %s lets no single message be claimed, however long it lives, and no recipient of a campaign',
    async (state) => {
      const account = await anAccount(state);
      expect(await account.claim(account.long)).toBe('pending');
      expect(await account.claim(account.short)).toBe('pending');
      expect(await account.recipients()).toBe(0);
      expect(await account.campaign.states()).toEqual({ pending: 3 });
    },
  );

  it('INSTANCE-1 stays when the account is authorized a moment later', async () => {
    const account = await anAccount('yellowCard', 'authorized');
    expect(await account.claim(account.long, NOW + 2 * SECOND)).toBe('pending');
    expect(await account.recipients(NOW + 2 * SECOND)).toBe(0);
  });

  it('INSTANCE-1 begins though its notification arrives after the account was authorized again', async () => {
    const account = await anAccount('authorized');
    await account.see('yellowCard', NOW - SECOND);
    expect(await account.claim(account.long)).toBe('pending');
    expect((await ledger.instanceStates.current(account.instance))?.state).toBe('authorized');
  });

  it('INSTANCE-3 ends when an operator resumes an authorized account, and everything is claimed again', async () => {
    const account = await anAccount('blocked', 'authorized');
    expect(await account.resume(NOW + MINUTE)).toEqual([
      { reason: 'blocked', since: new Date(NOW).toISOString(), witness: 'getStateInstance' },
    ]);
    expect(await account.claim(account.long, NOW + MINUTE)).toBe('claimed');
    expect(await account.claim(account.short, NOW + MINUTE)).toBe('claimed');
    expect(await account.recipients(NOW + MINUTE)).toBe(3);
  });

  it.each(['yellowCard', 'notAuthorized'])('INSTANCE-3 cannot be resumed while the account is %s', async (state) => {
    const account = await anAccount('yellowCard', state);
    await expect(account.resume(NOW + MINUTE)).rejects.toMatchObject({
      code: 'INSTANCE_NOT_AUTHORIZED',
      message: expect.stringContaining(`last seen as ${state}`) as string,
    });
    expect(await account.claim(account.long, NOW + MINUTE)).toBe('pending');
  });

  it('INSTANCE-3 is resumed once, also when the request is repeated', async () => {
    const account = await anAccount('yellowCard', 'authorized');
    expect(await account.resume()).toHaveLength(1);
    expect(await account.resume()).toEqual([]);
  });

  it('INSTANCE-3 does not make campaigns wait after it is resumed', async () => {
    const account = await anAccount();
    const waiting = async () => (await ledger.campaigns.progress(account.campaign.id, NOW))?.waiting?.code;
    await account.see('yellowCard');
    await account.see('blocked');
    await account.see('authorized', NOW + SECOND);
    await ledger.instances.resume(account.instance, 'operator', NOW, { only: ['blocked'] });
    expect(await waiting()).toBe('INSTANCE_PAUSED');
    await account.resume();
    expect(await waiting()).toBeUndefined();
  });

  it('INSTANCE-3 is resumed only for the requested states', async () => {
    const account = await anAccount('yellowCard', 'blocked', 'authorized');
    await ledger.instances.resume(account.instance, 'authorized', NOW + MINUTE, { only: ['yellowCard'] });
    expect(await account.pauses()).toEqual(['blocked']);
    expect(await account.claim(account.long, NOW + MINUTE)).toBe('pending');
  });

  it('INSTANCE-4 does not begin again for a repeated notification from before the resume', async () => {
    const account = await anAccount('yellowCard', 'authorized');
    await account.resume(NOW + MINUTE);
    await account.see('yellowCard', NOW);
    expect(await account.pauses()).toEqual([]);
  });

  it('INSTANCE-4 begins again for an observation after the resume', async () => {
    const account = await anAccount('yellowCard', 'authorized');
    await account.resume(NOW + MINUTE);
    await account.see('yellowCard', NOW + 2 * MINUTE);
    expect(await account.pauses()).toEqual(['yellowCard']);
  });

  it('is shown as the reason on the message, with its start and how it ends', async () => {
    const account = await anAccount();
    await account.see('yellowCard', NOW + MINUTE);
    expect(await account.waiting(account.long)).toEqual({
      code: 'INSTANCE_PAUSED',
      text: `instance ${account.instance} is paused (yellowCard). Resume it once the account is authorized`,
      remedy: `everpost instance resume ${account.instance}`,
      since: new Date(NOW + MINUTE).toISOString(),
    });
  });

  it("INSTANCE-6 by an operator lets nothing be claimed, whatever the account's state, until an operator resumes it", async () => {
    const account = await anAccount('authorized');
    const pause = { reason: 'operator', since: new Date(NOW).toISOString(), witness: 'loopback' };
    expect(await ledger.instances.pauseByOperator(account.instance, 'one', 'loopback', NOW)).toEqual(pause);
    await account.see('authorized', NOW + SECOND);
    expect(await account.claim(account.long)).toBe('pending');
    expect(await account.claim(account.short)).toBe('pending');
    expect(await account.recipients()).toBe(0);
    expect(await account.waiting(account.long)).toEqual({
      code: 'INSTANCE_PAUSED',
      text: `instance ${account.instance} is paused (operator)`,
      remedy: `everpost instance resume ${account.instance}`,
      since: pause.since,
    });
    expect(await account.resume(NOW + MINUTE)).toEqual([pause]);
    expect(await account.claim(account.long, NOW + MINUTE)).toBe('claimed');
    expect(await account.recipients(NOW + MINUTE)).toBe(3);
  });

  it.each(['notAuthorized', undefined])(
    'INSTANCE-6 by an operator is resumed while the account is %s',
    async (state) => {
      const account = await anAccount();
      if (state !== undefined) await account.see(state);
      await ledger.instances.pauseByOperator(account.instance, 'one', 'loopback', NOW);
      expect(await account.resume()).toHaveLength(1);
      expect(await account.pauses()).toEqual([]);
    },
  );

  it('INSTANCE-6 by an operator does not end when the account is authorized or changes its state', async () => {
    const account = await anAccount('yellowCard');
    await ledger.instances.pauseByOperator(account.instance, 'one', 'loopback', NOW + SECOND);
    await expect(account.resume()).rejects.toMatchObject({ code: 'INSTANCE_NOT_AUTHORIZED' });
    await account.see('authorized', NOW + 2 * SECOND);
    await ledger.instances.resume(account.instance, 'authorized', NOW + MINUTE, { only: ['yellowCard'] });
    expect(await account.pauses()).toEqual(['operator']);
  });

  it('INSTANCE-6 by an operator is one pause however often it is requested, and a repeated command begins none', async () => {
    const account = await anAccount();
    const pause = (id: string, nowMs: number) =>
      ledger.instances.pauseByOperator(account.instance, id, 'loopback', nowMs);
    const [first, second] = await Promise.all([pause('one', NOW), pause('two', NOW)]);
    expect(second).toEqual(first);
    expect(await account.pauses()).toEqual(['operator']);
    await account.resume();
    expect(await pause('one', NOW + SECOND)).toEqual(first);
    expect(await account.pauses()).toEqual([]);
    // Another command pauses it again, also within the millisecond of the resume.
    await pause('three', NOW);
    expect(await account.pauses()).toEqual(['operator']);
  });

  it('lets an expired message end', async () => {
    const account = await anAccount('yellowCard');
    await ledger.dispatch.expireDue(1_000, NOW + HOUR);
    expect((await ledger.views.message(account.short, NOW))?.state).toBe('expired');
  });

  it('affects no other account', async () => {
    const account = await anAccount();
    const other = await anAccount();
    await account.see('blocked');
    expect(await other.claim(other.long)).toBe('claimed');
    expect(await other.recipients()).toBe(3);
  });
});

describe('an account that is away', () => {
  it.each(['notAuthorized', 'sleepMode', 'starting', 'a newer word'])(
    'INSTANCE-5 (%s) has no recipient and no message that lives for an hour claimed; one that lives for a day is',
    async (state) => {
      const account = await anAccount(state);
      expect(await account.recipients()).toBe(0);
      expect(await account.claim(account.short)).toBe('pending');
      expect(await account.claim(account.long)).toBe('claimed');
    },
  );

  it('INSTANCE-5 is dispatched again as soon as it is authorized', async () => {
    const account = await anAccount('notAuthorized', 'authorized');
    expect(await account.recipients(NOW + SECOND)).toBe(3);
    expect(await account.claim(account.short, NOW + SECOND)).toBe('claimed');
  });

  it('INSTANCE-5 counts as away for ten minutes after the last observation', async () => {
    const account = await anAccount('notAuthorized');
    expect(await account.recipients(NOW + 9 * MINUTE)).toBe(0);
    expect(await account.recipients(NOW + 10 * MINUTE)).toBe(3);
  });
});

describe('a late observation of a state', () => {
  it('is recorded with its own time, and the newest observation stays the current state', async () => {
    const { instance } = new Cast(ledger);
    const see = (state: string, atMs: number) => ledger.instanceStates.record({ instance, state, atMs });
    await see('authorized', NOW);
    await see('authorized', NOW + 5 * MINUTE);
    expect(await see('notAuthorized', NOW + MINUTE)).toBe(true);
    expect(await ledger.instanceStates.current(instance)).toEqual({
      state: 'authorized',
      since: new Date(NOW + 5 * MINUTE).toISOString(),
      seenAt: new Date(NOW + 5 * MINUTE).toISOString(),
    });
  });
});

describe('the view of an account', () => {
  it('has its state, its pauses, what waits for it and its last notification', async () => {
    const account = await anAccount();
    const { instance, campaign } = account;
    await account.see('yellowCard');
    await ledger.instances.recordConnection({ instance, status: 'online', atMs: NOW });
    await ledger.instances.recordConnection({ instance, status: 'offline', atMs: NOW + SECOND });
    await ledger.instances.recordConnection({ instance, status: 'online', atMs: NOW - SECOND });
    await ledger.receipts.store(instance, { typeWebhook: 'statusInstanceChanged' }, NOW + MINUTE);
    expect(await ledger.views.instance(instance, NOW)).toEqual({
      seen: { state: 'yellowCard', since: new Date(NOW).toISOString(), seenAt: new Date(NOW).toISOString() },
      closed: [],
      connection: { status: 'offline', since: new Date(NOW + SECOND).toISOString() },
      pauses: [{ reason: 'yellowCard', since: new Date(NOW).toISOString(), witness: 'getStateInstance' }],
      pendingMessages: 2,
      waitingCampaigns: [
        {
          id: campaign.id,
          state: 'running',
          waiting: {
            code: 'INSTANCE_PAUSED',
            text: expect.stringContaining('yellowCard') as string,
            remedy: `everpost instance resume ${instance}`,
            since: new Date(NOW).toISOString(),
          },
        },
      ],
      unknownOutcomes: 0,
      lastNotificationAt: new Date(NOW + MINUTE).toISOString(),
    });
  });

  it('is almost empty for an account that was never used', async () => {
    expect(await ledger.views.instance(new Cast(ledger).instance, NOW)).toEqual({
      closed: [],
      pauses: [],
      pendingMessages: 0,
      waitingCampaigns: [],
      unknownOutcomes: 0,
    });
  });
});
