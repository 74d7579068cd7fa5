/** A campaign in a complete everpost: real ledger, activities, simulator and workflow. */
import {
  WORKFLOW,
  campaignWorkflowId,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type CampaignState,
} from '../../src/contract/index.js';
import { startCampaign } from '../support/campaign.js';
import { OF_TEST, type Place, type World } from './world.js';
import { eventually } from '../support/eventually.js';

/** Defines, fills and starts a campaign, and starts its run. */
export async function aCampaignRun(
  world: World,
  { temporal: { client, namespace }, taskQueue }: Place,
  recipients: number,
  definition: Partial<CampaignDefinition> = {},
) {
  const { ledger } = world;
  const id = `c-${taskQueue}`.slice(0, 64) as CampaignId;
  const progress = await startCampaign(world, { id, recipients, definition, namespace });
  const handle = await client.workflow.start(WORKFLOW.campaign, {
    workflowId: campaignWorkflowId(id),
    taskQueue,
    args: [{ campaignId: id, progress }],
    searchAttributes: OF_TEST,
  });
  world.owns(handle);
  world.wake('main');

  async function known(): Promise<CampaignProgress> {
    const found = await ledger.campaigns.progress(id, Date.now());
    if (found === undefined) throw new Error(`${id} is not there`);
    return found;
  }

  return {
    id,
    handle,
    progress: known,
    /** Resolves once the row is in one of these states; for an end, once the last receipts have come. */
    reaches: (...states: CampaignState[]) =>
      eventually(async () => {
        const found = await known();
        // A campaign ends once every recipient was sent to; the delivery receipts come a moment later.
        const isSettled = states.includes(found.state) && (found.endedAt === undefined || found.counts.sent === 0);
        if (!isSettled) throw new Error(`${id} is ${found.state}: ${JSON.stringify(found.counts)}`);
        return found;
      }),
    /** Resolves once this many recipients were posted to. */
    hasPosted: (wanted: number) =>
      eventually(async () => {
        const found = await known();
        const posted = found.audience - found.counts.pending - found.counts.sending;
        if (posted < wanted) throw new Error(`${posted} of ${wanted} were posted to`);
        return found;
      }),
  };
}
