import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { campaignActivities } from '../../../src/activities/campaign-activities.js';
import type { RetryRequest } from '../../../src/contract/index.js';
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

const deliver = {
  pause: ({ id }: CampaignCast, command?: AskedCommand) => ledger.campaigns.pause(id, NOW, command),
  resume: ({ id }: CampaignCast, command?: AskedCommand) => ledger.campaigns.resume(id, NOW, command),
  cancel: ({ id }: CampaignCast, command?: AskedCommand) => ledger.campaigns.cancel(id, 'request', NOW, command),
  update: ({ id }: CampaignCast, command?: AskedCommand) =>
    ledger.campaigns.update(id, { highWater: 99 }, NOW, command),
  retry: ({ id }: CampaignCast, command?: AskedCommand) =>
    ledger.campaigns.retry(id, { scopes: ['cancelled'] }, NOW, command),
  amend: ({ id }: CampaignCast, command?: AskedCommand) =>
    ledger.amendments.begin(id, { text: 'Dear {{name}}' }, { nowMs: NOW, spacingMs: () => SECOND }, command),
};

const progressOf = ({ id }: CampaignCast) => ledger.campaigns.progress(id, NOW);

/** Proves COMMAND-1 to COMMAND-3. */
describe('a lost command', () => {
  it.each([
    ['resume', 'pause', ['resume', 'pause']],
    ['resume', 'pause', ['pause']],
    ['update', undefined, ['pause']],
    ['pause', undefined, ['pause', 'resume']],
    ['cancel', undefined, ['pause', 'resume']],
    ['retry', undefined, ['cancel']],
    ['amend', undefined, ['amend']],
  ] as const)('has no effect: %s, requested after %s and delivered after %j', async (kind, before, later) => {
    const campaign = await running();
    if (before !== undefined) await deliver[before](campaign);
    const lost = await asked(campaign, kind);
    for (const other of later) await deliver[other](campaign, await asked(campaign, other));
    const progress = await progressOf(campaign);

    await expect(deliver[kind](campaign, lost)).rejects.toMatchObject(SUPERSEDED);

    expect(await progressOf(campaign)).toEqual(progress);
  });

  it('has no effect as a resume after the campaign paused itself', async () => {
    const campaign = await new CampaignCast(ledger).running(3, {
      autoPause: { failureRate: 0.1, sampleSize: 2, minSamples: 1 },
    });
    const lost = await asked(campaign, 'resume');
    await campaign.receive(await campaign.dispatched(1), 'no_account', NOW + SECOND);
    expect(await ledger.campaigns.pauseIfFailing(campaign.id, NOW + SECOND)).toBe('paused');

    await expect(ledger.campaigns.resume(campaign.id, NOW + SECOND, lost)).rejects.toMatchObject(SUPERSEDED);
    expect(await progressOf(campaign)).toMatchObject({ state: 'paused' });
  });

  it('gets its result when it would change nothing', async () => {
    const campaign = await running();
    const late = await asked(campaign, 'pause');
    const first = await deliver.pause(campaign, await asked(campaign, 'pause'));
    expect(await deliver.pause(campaign, late)).toMatchObject({ version: first.version });
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
    expect(await progressOf(campaign)).toMatchObject({ state: 'running' });
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
    const sequence = async () => (await progressOf(campaign))?.commandSequence ?? 0;
    const after = await sequence();
    await deliver.pause(campaign, { id: 'pause', after });

    await expect(deliver.update(campaign, { id: 'update', after })).rejects.toMatchObject(SUPERSEDED);
    const known = await sequence();
    expect(known).toBeGreaterThan(after);
    expect(await deliver.resume(campaign, { id: 'resume', after: known })).toMatchObject({ state: 'running' });
  });
});
