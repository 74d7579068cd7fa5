/** Commands on a campaign through the API while Temporal is unavailable, and updates that arrive when it is back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { campaignActivities } from '../../../src/activities/campaign-activities.js';
import { campaignUpdateId } from '../../../src/starter/ids.js';
import { CampaignCast } from '../../ledger/campaigns/campaign-life-cast.js';
import { NOW } from '../../ledger/cast.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { someApi, refusal, type ApiResponse, type ApiDependencies } from '../api-parts.js';

const clock = { nowMs: () => NOW };

const ledger = useLedger();
let api: ApiDependencies;
let campaign: CampaignCast;
beforeAll(async () => {
  api = await someApi({ ledger, clock });
});
beforeEach(async () => {
  campaign = await new CampaignCast(ledger).running(3);
});
afterAll(async () => {
  await api.close();
});

function ask(command: string, key: string = randomUUID(), body?: unknown): Promise<ApiResponse> {
  const path = `/v1/campaigns/${campaign.id}`;
  const headers = { 'idempotency-key': key };
  if (command === 'update') return api.call('PATCH', path, body, headers);
  return api.call('POST', `${path}/${command}`, body, headers);
}

/** The effect of this command's update once the run's worker gets it. */
function deliver(command: 'pause' | 'resume' | 'cancel', key: string) {
  const activities = campaignActivities({ ledger, clock, wake: () => undefined });
  const input = { campaignId: campaign.id, command: { id: campaignUpdateId(campaign.id, command, key) } };
  if (command === 'cancel') return activities.cancelCampaign({ ...input, witness: 'request' });
  return command === 'pause' ? activities.pauseCampaign(input) : activities.resumeCampaign(input);
}

describe('the commands of a campaign', () => {
  it('show who started it, and which fields a change had', async () => {
    const draft = await (await new CampaignCast(ledger).draft()).imported(1);
    campaign = draft;
    expect(await ask('start')).toMatchObject({ status: 202 });
    await ask('update', 'key', { highWater: 5, content: { kind: 'text', text: 'Dear {{name}}' } });
    const { body } = await api.call('GET', `/v1/campaigns/${draft.id}`);
    expect(body.commands).toMatchObject([
      { kind: 'start', requestedBy: 'loopback' },
      { kind: 'update', what: 'highWater, content', requestedBy: 'loopback' },
    ]);
  });

  it('CAMPLIFE-1 do not start it again: a repeated start changes nothing, and one after a cancel is refused', async () => {
    expect(await ask('start')).toMatchObject({ status: 200, body: { state: 'running' } });
    for (const state of ['cancelling', 'cancelled']) {
      if (state === 'cancelling') await ledger.campaigns.cancel(campaign.id, 'request', clock.nowMs());
      else await ledger.campaigns.endIfDone(campaign.id, clock.nowMs());
      expect(await ask('start')).toMatchObject(refusal(409, 'CAMPAIGN_ENDED'));
      expect(await ledger.campaigns.state(campaign.id)).toBe(state);
    }
  });
});

describe('while Temporal is unavailable', () => {
  it('a campaign stays paused when the update of an earlier resume arrives after the pause was confirmed', async () => {
    await ask('pause');
    expect(await ask('resume', 'lost')).toMatchObject({ status: 200, body: { progress: { state: 'running' } } });
    expect(await ask('pause')).toMatchObject({ status: 200, body: { progress: { state: 'paused' } } });

    expect(await deliver('resume', 'lost')).toMatchObject({ progress: { state: 'running' } });

    expect(await ledger.campaigns.state(campaign.id)).toBe('paused');
    expect(await campaign.claim(1)).toEqual([]);
  });

  it('the same command under the same key gets the same response, whatever happened since', async () => {
    const first = await ask('pause', 'one');
    await ask('resume');
    const again = await ask('pause', 'one');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await ledger.campaigns.state(campaign.id)).toBe('running');
  });

  it('a change under the key of another change is refused', async () => {
    const change = (highWater: number) => ask('update', 'marks', { highWater });
    expect(await change(5)).toMatchObject({ status: 200, body: { highWater: 5 } });
    expect(await change(6)).toMatchObject(refusal(422, 'IDEMPOTENCY_MISMATCH'));
    expect((await ledger.campaigns.progress(campaign.id, NOW))?.highWater).toBe(5);
  });

  it('a retry that was recorded before a cancel is refused after it, with its own code', async () => {
    const id = campaignUpdateId(campaign.id, 'retry', 'late');
    await ledger.campaigns.ask(campaign.id, 'retry', { id }, NOW);
    expect(await ask('cancel')).toMatchObject({ status: 200 });
    const response = await ask('retry', 'late', { scopes: ['cancelled'] });
    expect(response).toMatchObject(refusal(409, 'COMMAND_SUPERSEDED'));
    expect(response.body.detail).toContain('everpost campaign show');
    expect(await campaign.states()).toEqual({ cancelled: 3 });
  });
});
