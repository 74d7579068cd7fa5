import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import {
  OPERATIONS,
  OPERATION_NAMES,
  SEND_OPERATION,
  type CampaignId,
  type EditId,
  type MessageId,
  type MessageStart,
  type OperationInput,
  type OperationName,
  type OperationResult,
  type SendInput,
  type SendOperation,
  type SendResult,
} from '../contract/index.js';
import { createAdmission } from './admission.js';
import { campaignActivities } from './campaign-activities.js';
import type { ActivityDependencies } from './dependencies.js';
import { postEdit, type UnrecordedEdit } from './edit-message.js';
import { speakingTemporal } from './failures.js';
import { createOpenQuestions, feedActivity } from './feed/index.js';
import { createInstanceStateReader } from './instance-state.js';
import { messageActivities, type EditStep, type RunningIn } from './message-activities.js';
import { operationActivity } from './operation-activities.js';
import { createQueueDepth } from './queue-depth.js';
import { reconcileActivity } from './reconcile/index.js';
import { sendMessageOfRow, type ProtocolDependencies } from './send-protocol.js';
import { passTemplateGate, templateActivities } from './templates/index.js';

/** A send runs for up to deadline + HTTP timeout; a worker that died in it is noticed within the heartbeat timeout. */
const HEARTBEAT_EVERY_MS = 2_000;

/** An edit of a message of ours, by its row; any other edit is an operation like the rest. */
export type EditMessageInput = { readonly messageId: MessageId; readonly editId: EditId } | OperationInput;

type SendActivities = { [Name in SendOperation]: (input: SendInput) => Promise<SendResult> };
/** A template has a workflow of its own, which creates it. */
type PlainOperation = Exclude<OperationName, SendOperation | 'editMessage' | 'createTemplate'>;
type OperationActivities = { [Name in PlainOperation]: (input: OperationInput) => Promise<OperationResult> };

/**
 * Every activity of everpost, each gateway operation under its own name so that the Web UI shows what was called.
 * Dependencies are injected once per worker. All throw `ApplicationFailure` with our error codes as `type`.
 */
export function createActivities(deps: ActivityDependencies) {
  const message = messageActivities(deps);
  const campaign = campaignActivities(deps);
  const shared = { queueDepth: createQueueDepth(deps), instanceStates: createInstanceStateReader(deps) };
  const feed = feedActivity(deps, { ...shared, openQuestions: createOpenQuestions(deps) });
  return {
    ...sendActivities({ ...deps, admit: createAdmission(deps, shared) }),
    ...operationActivities(deps),
    editMessage: speakingTemporal(editActivity(deps, message)),
    openMessage: speakingTemporal((start: MessageStart) => message.openMessage(start, runningIn())),
    recordOutcome: speakingTemporal(message.recordOutcome),
    cancelMessage: speakingTemporal(message.cancelMessage),
    expireMessage: speakingTemporal(message.expireMessage),
    openEdit: speakingTemporal(message.openEdit),
    settleEdit: speakingTemporal(message.settleEdit),
    recordPostedEdit: speakingTemporal(message.recordPostedEdit),
    confirmEdit: speakingTemporal(message.confirmEdit),
    reconcileMessage: speakingTemporal(reconcileActivity(deps)),
    ...templateActivities(deps),
    feedCampaign: speakingTemporal((input: { readonly campaignId: CampaignId }) =>
      whileHeartbeating(() => feed(input, cancellationSignal())),
    ),
    openCampaign: speakingTemporal(campaign.openCampaign),
    pauseCampaign: speakingTemporal(heartbeating(campaign.pauseCampaign)),
    resumeCampaign: speakingTemporal(heartbeating(campaign.resumeCampaign)),
    cancelCampaign: speakingTemporal(heartbeating(campaign.cancelCampaign)),
    updateCampaign: speakingTemporal(heartbeating(campaign.updateCampaign)),
    retryCampaign: speakingTemporal(heartbeating(campaign.retryCampaign)),
  };
}
export type Activities = ReturnType<typeof createActivities>;

/** Activities of workflows only: a standalone one has none. */
function runningIn(): RunningIn {
  const { namespace, workflowExecution } = activityInfo();
  return { namespace, workflowId: workflowExecution?.workflowId ?? '' };
}

function sendActivities(deps: ProtocolDependencies): SendActivities {
  const send = speakingTemporal(({ messageId }: SendInput) =>
    whileHeartbeating(() => sendMessageOfRow(deps, messageId, activityInfo().attempt)),
  );
  const sendOfTemplate: typeof send = async (input) => {
    await speakingTemporal(({ messageId }: SendInput) => passTemplateGate(deps, messageId))(input);
    return send(input);
  };
  const activities = Object.values(SEND_OPERATION).map((name) => [
    name,
    name === 'sendTemplate' ? sendOfTemplate : send,
  ]);
  return Object.fromEntries(activities) as SendActivities;
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
