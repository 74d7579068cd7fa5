import { activityInfo, heartbeat } from '@temporalio/activity';
import {
  OPERATIONS,
  OPERATION_NAMES,
  type AmendInput,
  type MessageStart,
  type OperationInput,
  type OperationName,
  type OperationResult,
  type ScheduleRunInput,
  type SendOperation,
  SEND_OPERATION,
  type SendCampaignInput,
  type SendInput,
  type ShownMessage,
} from '../contract/index.js';
import { amendCampaignActivity, campaignActivities } from './campaign-activities.js';
import type { Dispatcher } from '../dispatch/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { dispatchActivity } from './dispatch-activity.js';
import { speakingTemporal, stopsOf } from './failures.js';
import { messageActivities, type EditStep, type OfEdit, type RunningActivity } from './message-activities.js';
import { operationActivity, recurringJobActivity } from './operation-activities.js';
import { templateActivities } from './template-activities.js';

/** A long activity sends heartbeats, so that Temporal detects the death of its worker within the heartbeat timeout. */
const HEARTBEAT_EVERY_MS = 2_000;

/** Operations with the generic activity. The workflow `template` calls createTemplate. */
type PlainOperation = Exclude<OperationName, SendOperation | 'editMessage' | 'createTemplate'>;
type OperationActivities = { [Name in PlainOperation]: (input: OperationInput) => Promise<OperationResult> };
/** One activity for each send operation, for the Web UI. */
type SendActivities = { [Name in SendOperation]: (input: SendInput) => Promise<ShownMessage> };

/**
 * Creates all activities of everpost. Each gateway operation has its own name, so that the Web UI shows it. All
 * activities throw `ApplicationFailure` with our error codes as `type`.
 */
export function createActivities(deps: ActivityDependencies, dispatcher: Dispatcher) {
  const { openMessage, sendMessage, editMessage, waitForState, ...message } = messageActivities(deps);
  const { openCampaign, readCampaign, sendCampaign, ...commands } = campaignActivities(deps);
  const amend = amendCampaignActivity(deps);
  const plain = OPERATION_NAMES.filter(
    (name): name is PlainOperation =>
      OPERATIONS[name].durability !== 'send' && name !== 'editMessage' && name !== 'createTemplate',
  );
  const foreignEdit = operationActivity(deps, 'editMessage');
  const activities = {
    ...(Object.fromEntries(
      Object.values(SEND_OPERATION).map((name) => [name, (input: SendInput) => sendMessage(input, running())]),
    ) as SendActivities),
    ...(Object.fromEntries(plain.map((name) => [name, operationActivity(deps, name)])) as OperationActivities),
    ...message,
    ...templateActivities(deps),
    // The edit of an everpost message, by the id of its row, is waited for. Any other edit is an ordinary operation.
    editMessage: (input: OfEdit | OperationInput): Promise<EditStep | OperationResult> =>
      'editId' in input ? editMessage(input, running()) : foreignEdit(input),
    openMessage: (start: MessageStart) => openMessage(start, running()),
    waitForState: (input: Parameters<typeof waitForState>[0]) => waitForState(input, running()),
    dispatch: dispatchActivity(deps, dispatcher),
    runRecurringJob: recurringJobActivity(deps),
    openCampaign,
    readCampaign,
    sendCampaign: (input: SendCampaignInput) => sendCampaign(input, running()),
    ...each(commands, heartbeating),
    amendCampaign: heartbeating((input: AmendInput) => amend(input, stopsOf(deps))),
    // Recipients have no effect before the campaign starts, so a draining worker stops reading them.
    runSchedule: heartbeating((input: Required<ScheduleRunInput>) => deps.runSchedule(input, stopsOf(deps))),
  };
  return each(activities, speakingTemporal);
}
export type Activities = ReturnType<typeof createActivities>;

/** The running activity of a workflow. A standalone one has no workflow. */
function running(): RunningActivity {
  const { namespace, workflowExecution, activityId, scheduledTimestampMs } = activityInfo();
  const { workflowId = '', runId = '' } = workflowExecution ?? {};
  return { namespace, workflowId, runId, activityId, scheduledMs: scheduledTimestampMs };
}

/** Wraps each activity. */
function each<Group extends Readonly<Record<string, (input: never) => Promise<unknown>>>>(
  activities: Group,
  wrap: (activity: (input: never) => Promise<unknown>) => (input: never) => Promise<unknown>,
): Group {
  return Object.fromEntries(Object.entries(activities).map(([name, activity]) => [name, wrap(activity)])) as Group;
}

function heartbeating<Input, Result>(activity: (input: Input) => Promise<Result>) {
  return async (input: Input): Promise<Result> => {
    const timer = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
    try {
      return await activity(input);
    } finally {
      clearInterval(timer);
    }
  };
}
