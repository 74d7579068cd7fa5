import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { campaignActivities } from '../../../src/activities/campaign-activities.js';
import type { CampaignId, RetryRequest } from '../../../src/contract/index.js';
import type { AskedCommand, CommandKind } from '../../../src/ledger/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const running = (recipients = 3) => new CampaignCast(ledger).running(recipients);
const SUPERSEDED = { code: 'COMMAND_SUPERSEDED' };

/** Records a request for a command, which is delivered later, or never. */
async function asked(campaign: CampaignCast, kind: CommandKind): Promise<AskedCommand> {
  const command = { id: randomUUID() };
  await ledger.campaigns.ask(campaign.id, kind, command, NOW);
  return command;
}

async function stateOf({ id }: CampaignCast) {
  return ledger.campaigns.state(id);
}

/** Proves COMMAND-1 to COMMAND-3. */
describe('a lost command', () => {
  it('has no effect as a change of the pace after a later pause', async () => {
    const campaign = await running();
    const lost = await asked(campaign, 'update');
    await ledger.campaigns.pause(campaign.id, NOW, await asked(campaign, 'pause'));

    const highWater = 99;
    const change = ledger.campaigns.update(campaign.id, { highWater }, NOW, lost);

    await expect(change).rejects.toMatchObject(SUPERSEDED);
    expect((await ledger.campaigns.progress(campaign.id, NOW))?.highWater).toBe(12);
  });

  it('has no effect as a pause or cancel after a later resume', async () => {
    const campaign = await running();
    const pause = await asked(campaign, 'pause');
    const cancel = await asked(campaign, 'cancel');
    await ledger.campaigns.pause(campaign.id, NOW, await asked(campaign, 'pause'));
    await ledger.campaigns.resume(campaign.id, NOW, await asked(campaign, 'resume'));

    await expect(ledger.campaigns.pause(campaign.id, NOW, pause)).rejects.toMatchObject(SUPERSEDED);
    await expect(ledger.campaigns.cancel(campaign.id, 'request', NOW, cancel)).rejects.toMatchObject(SUPERSEDED);
    expect(await stateOf(campaign)).toBe('running');
  });

  it('has no effect as a resume after the campaign paused itself', async () => {
    const campaign = await new CampaignCast(ledger).running(3, {
      autoPause: { failureRate: 0.1, sampleSize: 2, minSamples: 1 },
    });
    const lost = await asked(campaign, 'resume');
    await campaign.receive(await campaign.dispatched(1), 'no_account', NOW + SECOND);
    expect(await ledger.campaigns.pauseIfFailing(campaign.id, NOW + SECOND)).toBe(true);

    await expect(ledger.campaigns.resume(campaign.id, NOW + SECOND, lost)).rejects.toMatchObject(SUPERSEDED);
    expect(await stateOf(campaign)).toBe('paused');
  });

  it('gets its result when it would change nothing', async () => {
    const campaign = await running();
    const late = await asked(campaign, 'pause');
    const first = await ledger.campaigns.pause(campaign.id, NOW, await asked(campaign, 'pause'));
    expect(await ledger.campaigns.pause(campaign.id, NOW, late)).toMatchObject({ version: first.version });
  });

  it('is refused although the later command changed nothing', async () => {
    const campaign = await running();
    await ledger.campaigns.pause(campaign.id, NOW);
    const lost = await asked(campaign, 'resume');
    await ledger.campaigns.pause(campaign.id, NOW, await asked(campaign, 'pause'));
    await expect(ledger.campaigns.resume(campaign.id, NOW, lost)).rejects.toMatchObject(SUPERSEDED);
  });
});

describe('a command that is delivered twice', () => {
  it('gets the recorded result from the activity, and changes nothing', async () => {
    const campaign = await running();
    const woken: string[] = [];
    const wake = (instance: string): void => void woken.push(instance);
    const activities = campaignActivities({ ledger, clock: { nowMs: () => NOW }, wake });
    const command = { id: randomUUID() };
    const paused = await activities.pauseCampaign({ campaignId: campaign.id, command });
    expect(paused).toMatchObject({ progress: { state: 'paused' }, inGatewayQueue: 0 });
    expect(woken).toEqual([]);
    await activities.resumeCampaign({ campaignId: campaign.id, command: { id: randomUUID() } });
    expect(woken).toEqual([campaign.instance]);

    expect(await activities.pauseCampaign({ campaignId: campaign.id, command })).toEqual(paused);
    expect(await stateOf(campaign)).toBe('running');
  });

  it('retries no recipient a second time who has ended since, and reports the same number', async () => {
    const campaign = await running(2);
    const refused = { kind: 'rejected', code: 'GATEWAY_REJECTED', httpStatus: 400 } as const;
    await campaign.dispatched(2, refused);
    await campaign.endIfDone();
    const retry: RetryRequest = { scopes: ['rejected'] };
    const command = { id: randomUUID() };
    expect(await ledger.campaigns.retry(campaign.id, retry, NOW + SECOND, command)).toMatchObject({ recipients: 2 });
    await campaign.dispatched(2, refused, NOW + MINUTE);

    const again = await ledger.campaigns.retry(campaign.id, retry, NOW + 2 * MINUTE, command);

    expect(again.recipients).toBe(2);
    expect(await campaign.states()).toEqual({ rejected: 2 });
  });

  it('is refused with a different request', async () => {
    const { id } = await running();
    const ask = (requestHash: string) => ledger.campaigns.ask(id, 'retry', { id: 'same', requestHash }, NOW);
    await ask('one');
    await expect(ask('other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    await expect(ledger.campaigns.pause(id, NOW, { id: 'same' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
  });
});

describe('a command that names the newest command known to its sender', () => {
  it('takes effect if no command followed, and is refused otherwise', async () => {
    const campaign = await running();
    const after = await sequenceOf(campaign.id);
    await ledger.campaigns.pause(campaign.id, NOW, { id: 'pause', after });

    const late = ledger.campaigns.update(campaign.id, { highWater: 9 }, NOW, {
      id: 'update',
      after,
    });
    await expect(late).rejects.toMatchObject(SUPERSEDED);
    const known = await sequenceOf(campaign.id);
    expect(known).toBeGreaterThan(after);
    expect(await ledger.campaigns.resume(campaign.id, NOW, { id: 'resume', after: known })).toMatchObject({
      state: 'running',
    });
  });
});

async function sequenceOf(id: CampaignId): Promise<number> {
  return (await ledger.campaigns.progress(id, NOW))?.commandSequence ?? 0;
}
