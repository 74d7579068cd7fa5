import { activityInfo, cancellationSignal, heartbeat, CompleteAsyncError } from '@temporalio/activity';
import {
  OPERATIONS,
  OPERATION_NAMES,
  type AmendInput,
  type EditId,
  type MessageId,
  type MessageStart,
  type OperationInput,
  type OperationName,
  type OperationResult,
  type ScheduleRunInput,
  type ScheduleRunResult,
  type SendOperation,
  AppError,
  SEND_OPERATION,
  hasOutcome,
  type MessageSnapshot,
  type SendInput,
} from '../contract/index.js';
import { amendCampaignActivity } from './amend-campaign.js';
import { campaignActivities, followCampaignActivity } from './campaign-activities.js';
import type { Dispatcher } from '../dispatch/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { dispatchActivity } from './dispatch-activity.js';
import { postEdit, type UnrecordedEdit } from './edit-message.js';
import { speakingTemporal } from './failures.js';
import { messageActivities, type EditStep, type RunningIn } from './message-activities.js';
import { operationActivity } from './operation-activities.js';
import { recurringJobActivity } from './recurring-job.js';
import { templateActivities } from './template-activities.js';

/** A send runs for up to deadline + HTTP timeout; a worker that died in it is noticed within the heartbeat timeout. */
const HEARTBEAT_EVERY_MS = 2_000;

/** An edit of an everpost message, by its row; any other edit is an ordinary operation. */
export type EditMessageInput = { readonly messageId: MessageId; readonly editId: EditId } | OperationInput;

/** The workflow `template` creates templates. */
type PlainOperation = Exclude<OperationName, SendOperation | 'editMessage' | 'createTemplate'>;
type OperationActivities = { [Name in PlainOperation]: (input: OperationInput) => Promise<OperationResult> };

/**
 * Every activity of everpost, each gateway operation under its own name so that the Web UI shows what was called.
 * Dependencies are injected once per worker. All throw `ApplicationFailure` with our error codes as `type`.
 */
export function createActivities(deps: ActivityDependencies, dispatcher: Dispatcher) {
  const message = messageActivities(deps);
  const campaign = campaignActivities(deps);
  const amend = amendCampaignActivity(deps, message);
  return {
    ...sendActivities(deps),
    ...operationActivities(deps),
    editMessage: speakingTemporal(editActivity(deps, message)),
    openMessage: speakingTemporal((start: MessageStart) => message.openMessage(start, runningIn())),
    dispatch: speakingTemporal(dispatchActivity(deps, dispatcher)),
    compareRequest: speakingTemporal(message.compareRequest),
    recordOutcomes: speakingTemporal(message.recordOutcomes),
    readMessage: speakingTemporal(message.readMessage),
    awaitReceipts: speakingTemporal(message.awaitReceipts),
    cancelMessage: speakingTemporal(message.cancelMessage),
    openEdit: speakingTemporal(message.openEdit),
    settleEdit: speakingTemporal(message.settleEdit),
    readEdit: speakingTemporal(message.readEdit),
    recordPostedEdit: speakingTemporal(message.recordPostedEdit),
    confirmEdit: speakingTemporal(message.confirmEdit),
    runRecurringJob: speakingTemporal(recurringJobActivity(deps)),
    ...templateActivities(deps),
    followCampaign: speakingTemporal(followCampaignActivity(deps)),
    openCampaign: speakingTemporal(campaign.openCampaign),
    pauseCampaign: speakingTemporal(heartbeating(campaign.pauseCampaign)),
    resumeCampaign: speakingTemporal(heartbeating(campaign.resumeCampaign)),
    cancelCampaign: speakingTemporal(heartbeating(campaign.cancelCampaign)),
    updateCampaign: speakingTemporal(heartbeating(campaign.updateCampaign)),
    retryCampaign: speakingTemporal(heartbeating(campaign.retryCampaign)),
    amendCampaign: speakingTemporal(heartbeating((input: AmendInput) => amend(input, stopsOf(deps)))),
    runSchedule: speakingTemporal(heartbeating(scheduleActivity(deps))),
  };
}
export type Activities = ReturnType<typeof createActivities>;

/** For activities of workflows; a standalone activity has none. */
function runningIn(): RunningIn {
  const { namespace, workflowExecution } = activityInfo();
  return { namespace, workflowId: workflowExecution?.workflowId ?? '' };
}

/** Recipients that were read have no effect before the campaign starts, so a worker that drains stops reading. */
function scheduleActivity(deps: ActivityDependencies) {
  return (input: Required<ScheduleRunInput>): Promise<ScheduleRunResult> => deps.runSchedule(input, stopsOf(deps));
}

/** When the running activity is cancelled, or its worker ends. */
function stopsOf({ stopping }: ActivityDependencies): AbortSignal {
  const cancelled = cancellationSignal();
  return stopping === undefined ? cancelled : AbortSignal.any([cancelled, stopping]);
}

function operationActivities(deps: ActivityDependencies): OperationActivities {
  const plain = OPERATION_NAMES.filter(
    (name): name is PlainOperation =>
      OPERATIONS[name].durability !== 'send' && name !== 'editMessage' && name !== 'createTemplate',
  );
  return Object.fromEntries(
    plain.map((name) => [name, speakingTemporal(operationActivity(deps, name))]),
  ) as OperationActivities;
}

function editActivity(deps: ActivityDependencies, message: ReturnType<typeof messageActivities>) {
  const foreignEdit = operationActivity(deps, 'editMessage');
  return async (input: EditMessageInput): Promise<EditStep | UnrecordedEdit | OperationResult> => {
    if (!('editId' in input)) return foreignEdit(input);
    const posted = await postEdit(deps, input.editId);
    return posted.kind === 'unrecorded' ? posted : message.readEdit(input);
  };
}

function heartbeating<Input, Result>(activity: (input: Input) => Promise<Result>) {
  return (input: Input): Promise<Result> => whileHeartbeating(() => activity(input));
}

async function whileHeartbeating<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

type SendActivities = { [Name in SendOperation]: (input: SendInput) => Promise<MessageSnapshot> };

/**
 * One activity for each operation that sends, so that the Web UI shows what a message waits for. It posts nothing: the
 * dispatcher of the instance does, and what records the outcome completes the activity.
 *
 * The row is read after the activity was scheduled, so an outcome that it does not see yet is recorded later, and then
 * completes it.
 */
function sendActivities({ ledger, wake }: Pick<ActivityDependencies, 'ledger' | 'wake'>): SendActivities {
  const send = speakingTemporal(async ({ messageId, instance }: SendInput): Promise<MessageSnapshot> => {
    const row = await ledger.messages.snapshot(messageId);
    if (row === undefined) throw new AppError('MESSAGE_NOT_FOUND', `Message ${messageId} is not in the ledger.`);
    if (hasOutcome(row.state)) {
      // The run gets the outcome as this result, so it needs no signal.
      await ledger.signals.sent([row]);
      return row;
    }
    wake(instance);
    throw new CompleteAsyncError();
  });
  return Object.fromEntries(Object.values(SEND_OPERATION).map((name) => [name, send])) as SendActivities;
}
