/** The API's functions for campaigns, and the background jobs of a worker. */
import { amendCampaignActivity } from '../../../../src/activities/campaign-activities.js';
import { beginCampaign, defineCampaign } from '../../../../src/api/campaigns/campaigns.js';
import { steeringWith } from '../../../../src/api/campaigns/steer-campaign.js';
import type { RouteDependencies } from '../../../../src/api/route-dependencies.js';
import { createChangeBell } from '../../../../src/api/waiting.js';
import { AppError, type CampaignId, type Clock, type InstanceDirectory } from '../../../../src/contract/index.js';
import { checkRequest } from '../../../../src/gateway/check-request.js';
import type { Ledger } from '../../../../src/ledger/index.js';
import { importAudience } from '../../../../src/starter/campaigns/import-audience.js';
import {
  amendmentSweeper,
  beginCampaigns,
  checkRunningCampaigns,
  endCampaigns,
  watchPools,
} from '../../../../src/worker/index.js';

export const NAMESPACE = 'default';

interface DoorDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly wake: (instance: string) => Promise<void>;
  /** @throws an error while Temporal is unavailable */
  readonly amend: (id: CampaignId) => Promise<void>;
}

export type CampaignDoor = ReturnType<typeof campaignDoor>;

/** As the routes use them. Runs of campaigns only show: no worker has one. */
export function campaignDoor({ ledger, clock, instances, wake, amend }: DoorDependencies) {
  const noGroup = () => Promise.reject(new Error('No group is read.'));
  const dependencies = {
    ledger,
    clock,
    instances,
    wake,
    bell: createChangeBell(),
    checkOperation: checkRequest,
    askGateway: noGroup,
    campaignRuns: { namespace: NAMESPACE, updateWithStart: () => Promise.resolve('gone') },
    followCampaign: () => Promise.resolve(),
    // The sweeper starts it later.
    startAmendment: (id: CampaignId) => amend(id).catch(() => undefined),
  } as unknown as RouteDependencies;
  const wish = (key: string) => ({ key, witness: 'caller', timeoutMs: 0 });
  const steering = steeringWith(dependencies);
  return {
    begin: (body: object, key: string) => beginCampaign(dependencies, body, key),
    plan: (id: CampaignId, body: object) => defineCampaign(dependencies, id, body, { isPlanOnly: true }),
    async import(id: CampaignId, csv: string, isAddition: boolean): Promise<void> {
      const campaign = await ledger.audiences.view(id, clock.nowMs());
      if (campaign === undefined) throw new Error(`${id} does not exist`);
      await importAudience(dependencies, campaign, { bytes: bytesOf(csv), format: 'csv' }, { isAddition });
    },
    removePlan: (id: CampaignId) => ledger.audiences.removePlan(id),
    start: (id: CampaignId) => steering.start(id, { requestedBy: 'caller' }),
    pause: (id: CampaignId, key: string) => steering.pause(id, wish(key)),
    resume: (id: CampaignId, key: string) => steering.resume(id, {}, wish(key)),
    resumeAccount: (id: CampaignId, instance: string, key: string) => steering.resume(id, { instance }, wish(key)),
    cancel: (id: CampaignId, key: string) => steering.cancel(id, wish(key)),
    update: (id: CampaignId, change: Parameters<typeof steering.update>[1], key: string) =>
      steering.update(id, change, wish(key)),
    retry: (id: CampaignId, retry: Parameters<typeof steering.retry>[1], key: string) =>
      steering.retry(id, retry, wish(key)),
    amend: (id: CampaignId, request: Parameters<typeof steering.amend>[1], key: string) =>
      steering.amend(id, request, wish(key)),
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export function campaignJobs(
  { ledger, clock, instances, wake, amend }: DoorDependencies,
  log: Parameters<typeof endCampaigns>[0]['log'],
) {
  const given = { ledger, clock, instances, log, namespace: NAMESPACE };
  return [
    beginCampaigns(given, (instance) => void wake(instance)),
    endCampaigns(given),
    checkRunningCampaigns(given),
    watchPools(given, (instance) => void wake(instance)),
    amendmentSweeper({ ...given, start: amend }),
  ];
}

/**
 * One round of the activity of a campaign's amendments, which otherwise waits by the machine's clock.
 * @returns whether nothing is left to do
 */
export async function amendOnce(
  { ledger, clock, wake }: Pick<DoorDependencies, 'ledger' | 'clock' | 'wake'>,
  campaignId: CampaignId,
): Promise<boolean> {
  try {
    await amendCampaignActivity({ ledger, clock, wake: (instance) => void wake(instance) })(
      { campaignId },
      AbortSignal.abort(),
    );
    return true;
  } catch (error) {
    // A restored ledger may not know it.
    return error instanceof AppError && error.code === 'CAMPAIGN_NOT_FOUND';
  }
}
