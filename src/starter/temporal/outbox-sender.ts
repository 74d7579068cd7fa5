import { ActivityCompletionError, ActivityNotFoundError } from '@temporalio/client';
import {
  AppError,
  type CampaignId,
  type CampaignProgress,
  type EditRequest,
  type EditResult,
  type EditSnapshot,
  ErrorNext,
  MESSAGE_EDIT_UPDATE,
} from '../../contract/index.js';
import type { OutboxEntry, WaitingActivity } from '../../ledger/index.js';
import { campaignRuns } from './campaign-runs.js';
import { type TemporalAccess, callTemporal, callWorker, unlessGone } from './temporal-call.js';

/**
 * Gives a run what the outbox has for it. A run or an activity that does not exist any more needs nothing.
 * @param readCampaign  reads the present progress of a campaign
 * @throws AppError TEMPORAL_UNAVAILABLE: retry
 */
export function createOutboxSender(
  access: TemporalAccess,
  readCampaign: (id: CampaignId) => Promise<CampaignProgress | undefined>,
): (entry: OutboxEntry) => Promise<void> {
  const { client } = access;
  const campaigns = campaignRuns(access);

  async function complete(waiting: WaitingActivity, result: unknown): Promise<void> {
    const what = `completion of ${waiting.workflowId}`;
    try {
      await callTemporal(access, what, () => client.activity.complete(waiting, result));
    } catch (error) {
      if (error instanceof ActivityNotFoundError) return;
      if (!(error instanceof ActivityCompletionError)) throw error;
      throw new AppError('TEMPORAL_UNAVAILABLE', `Temporal did not accept the ${what}.`, { cause: error });
    }
  }

  async function showEdit(workflowId: string, { id }: EditSnapshot): Promise<void> {
    const run = client.workflow.getHandle(workflowId);
    try {
      await unlessGone(() =>
        callWorker(access, `edit ${id}`, () =>
          run.startUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE, {
            args: [{ id }],
            updateId: id,
            waitForStage: 'ACCEPTED',
          }),
        ),
      );
    } catch (error) {
      // The run refuses to show it.
      if (!(error instanceof AppError) || error.next !== ErrorNext.stop) throw error;
    }
  }

  return async (entry) => {
    const { workflowId, activity } = entry;
    // With the run's id: without it, a late completion would end the activity of the next run.
    const waiting = activity && { workflowId, ...activity };
    if (entry.campaignId !== undefined) {
      const progress = await readCampaign(entry.campaignId);
      if (progress === undefined) return;
      if (waiting === undefined) await campaigns.runAgain(progress);
      else await complete(waiting, progress);
      return;
    }
    const { edit, message } = entry;
    if (waiting !== undefined) await complete(waiting, edit === undefined ? message : { edit, message });
    else if (edit !== undefined) await showEdit(workflowId, edit);
  };
}
