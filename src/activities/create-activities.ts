import { activityInfo, heartbeat, CompleteAsyncError } from '@temporalio/activity';
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
  hasOutcome,
  isEditOutcome,
  type MessageSnapshot,
  type SendInput,
} from '../contract/index.js';
import { amendCampaignActivity } from './amend-campaign.js';
import { campaignActivities, followCampaignActivity } from './campaign-activities.js';
import type { Dispatcher } from '../dispatch/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { dispatchActivity } from './dispatch-activity.js';
import { speakingTemporal, stopsOf } from './failures.js';
import {
  existingMessage,
  messageActivities,
  type EditStep,
  type OfEdit,
  type RunningIn,
} from './message-activities.js';
import { operationActivity, recurringJobActivity } from './operation-activities.js';
import { templateActivities } from './templates/template-activities.js';

/** A long activity sends heartbeats, so that Temporal detects the death of its worker within the heartbeat timeout. */
const HEARTBEAT_EVERY_MS = 2_000;

/** Operations with the generic activity. The workflow `template` calls createTemplate. */
type PlainOperation = Exclude<OperationName, SendOperation | 'editMessage' | 'createTemplate'>;
type OperationActivities = { [Name in PlainOperation]: (input: OperationInput) => Promise<OperationResult> };

/**
 * Creates all activities of everpost. Each gateway operation has its own name, so that the Web UI shows it. All
 * activities throw `ApplicationFailure` with our error codes as `type`.
 */
export function createActivities(deps: ActivityDependencies, dispatcher: Dispatcher) {
  const { openMessage, ...message } = messageActivities(deps);
  const { openCampaign, ...commands } = campaignActivities(deps);
  const amend = amendCampaignActivity(deps);
  const activities = {
    ...sendActivities(deps),
    ...operationActivities(deps),
    ...message,
    ...templateActivities(deps),
    editMessage: editActivity(deps, message),
    openMessage: (start: MessageStart) => openMessage(start, runningIn()),
    dispatch: dispatchActivity(deps, dispatcher),
    runRecurringJob: recurringJobActivity(deps),
    followCampaign: followCampaignActivity(deps),
    openCampaign,
    ...each(commands, heartbeating),
    amendCampaign: heartbeating((input: AmendInput) => amend(input, stopsOf(deps))),
    // Recipients have no effect before the campaign starts, so a draining worker stops reading them.
    runSchedule: heartbeating((input: Required<ScheduleRunInput>) => deps.runSchedule(input, stopsOf(deps))),
  };
  return each(activities, speakingTemporal);
}
export type Activities = ReturnType<typeof createActivities>;

/** The workflow that called the running activity. A standalone activity has none. */
function runningIn(): RunningIn {
  const { namespace, workflowExecution } = activityInfo();
  return { namespace, workflowId: workflowExecution?.workflowId ?? '' };
}

/** Wraps each activity. */
function each<Group extends Readonly<Record<string, (input: never) => Promise<unknown>>>>(
  activities: Group,
  wrap: (activity: (input: never) => Promise<unknown>) => (input: never) => Promise<unknown>,
): Group {
  return Object.fromEntries(Object.entries(activities).map(([name, activity]) => [name, wrap(activity)])) as Group;
}

function operationActivities(deps: ActivityDependencies): OperationActivities {
  const plain = OPERATION_NAMES.filter(
    (name): name is PlainOperation =>
      OPERATIONS[name].durability !== 'send' && name !== 'editMessage' && name !== 'createTemplate',
  );
  return Object.fromEntries(plain.map((name) => [name, operationActivity(deps, name)])) as OperationActivities;
}

/**
 * Waits for the edit of an everpost message, by the id of its row: the dispatcher posts it, and its recorded end
 * completes the activity. Any other edit is an ordinary operation.
 */
function editActivity(
  deps: ActivityDependencies,
  { readEdit }: Pick<ReturnType<typeof messageActivities>, 'readEdit'>,
) {
  const foreignEdit = operationActivity(deps, 'editMessage');
  return async (input: OfEdit | OperationInput): Promise<EditStep | OperationResult> => {
    if (!('editId' in input)) return foreignEdit(input);
    const step = await readEdit(input);
    if (isEditOutcome(step.edit.state)) return step;
    throw new CompleteAsyncError();
  };
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

type SendActivities = { [Name in SendOperation]: (input: SendInput) => Promise<MessageSnapshot> };

/**
 * One activity for each send operation, for the Web UI. The dispatcher posts, and the recorded outcome completes the
 * activity. The row is read after the scheduling, so an outcome that it lacks is recorded later.
 */
function sendActivities({ ledger, wake }: Pick<ActivityDependencies, 'ledger' | 'wake'>): SendActivities {
  const send = async ({ messageId, instance }: SendInput): Promise<MessageSnapshot> => {
    const row = await existingMessage(ledger, messageId);
    if (hasOutcome(row.state)) {
      // The run gets the outcome as the result of the activity, and needs no signal.
      await ledger.signals.sent([row]);
      return row;
    }
    wake(instance);
    throw new CompleteAsyncError();
  };
  return Object.fromEntries(Object.values(SEND_OPERATION).map((name) => [name, send])) as SendActivities;
}
