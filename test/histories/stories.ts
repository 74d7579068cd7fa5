/**
 * What each saved history must contain to prove its name: types of events, and names of activities, signals and
 * updates.
 */
export const STORIES: Readonly<Record<string, readonly string[]>> = {
  'campaign-after-continuing': ['sendCampaign', 'WORKFLOW_EXECUTION_COMPLETED'],
  'campaign-continued': ['sendCampaign', 'update', 'WORKFLOW_EXECUTION_CONTINUED_AS_NEW'],
  'campaign-run-cancelled': [
    'WORKFLOW_EXECUTION_CANCEL_REQUESTED',
    'cancelCampaign',
    'sendCampaign',
    'WORKFLOW_EXECUTION_CANCELED',
  ],
  'campaign-steered': [
    'pause',
    'pauseCampaign',
    'update',
    'updateCampaign',
    'resume',
    'resumeCampaign',
    'retry',
    'retryCampaign',
    'sendCampaign',
    'WORKFLOW_EXECUTION_COMPLETED',
  ],
  'instance-continued': ['wake', 'dispatch', 'WORKFLOW_EXECUTION_CONTINUED_AS_NEW'],
  'instance-next-due': ['wake', 'dispatch', 'TIMER_STARTED', 'TIMER_FIRED', 'TIMER_CANCELED'],
  'instance-outcomes-unrecorded': ['wake', 'dispatch', 'recordOutcomes'],
  'message-cancelled': ['sendMessage', 'cancel', 'cancelMessage', 'WORKFLOW_EXECUTION_COMPLETED'],
  'message-edited': [
    'waitFor',
    'waitForState',
    'edit',
    'editMessage',
    'TIMER_FIRED',
    'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
    'WORKFLOW_EXECUTION_COMPLETED',
  ],
  'message-edited-before-send': ['edit', 'waitFor', 'sendMessage', 'MARKER_RECORDED', 'editMessage'],
  'message-input-refused': ['MARKER_RECORDED', 'WORKFLOW_EXECUTION_FAILED'],
  'message-lost-response': ['sendMessage', 'waitFor', 'waitForState', 'TIMER_STARTED'],
  'message-run-cancelled': [
    'sendMessage',
    'WORKFLOW_EXECUTION_CANCEL_REQUESTED',
    'ACTIVITY_TASK_CANCEL_REQUESTED',
    'cancelMessage',
    'WORKFLOW_EXECUTION_CANCELED',
  ],
  'message-unresolved': ['sendMessage', 'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', 'WORKFLOW_EXECUTION_COMPLETED'],
  'template-lost-response-decided': [
    'createTemplate',
    'followTemplate',
    'setReview',
    'setTemplateReview',
    'ACTIVITY_TASK_CANCELED',
  ],
  'template-rejected': ['createTemplate', 'followTemplate', 'WORKFLOW_EXECUTION_COMPLETED'],
};

/** The used parts of a history as JSON. */
export interface SavedHistory {
  readonly events: readonly {
    readonly eventType: string;
    readonly activityTaskScheduledEventAttributes?: { readonly activityType: { readonly name: string } };
    readonly workflowExecutionSignaledEventAttributes?: { readonly signalName: string };
    readonly workflowExecutionUpdateAcceptedEventAttributes?: {
      readonly acceptedRequest: { readonly input: { readonly name: string } };
    };
  }[];
}

/** The parts of its story that a history lacks. */
export function missingFrom({ events }: SavedHistory, name: string): string[] {
  const parts = new Set(
    events.flatMap((event) => [
      event.eventType.replace('EVENT_TYPE_', ''),
      event.activityTaskScheduledEventAttributes?.activityType.name,
      event.workflowExecutionSignaledEventAttributes?.signalName,
      event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest.input.name,
    ]),
  );
  const story = STORIES[name] ?? [];
  return story.filter((part) => !parts.has(part));
}
