export { type Background, createBackground, createLoadMeter, type LoadMeter } from './background.js';
export { campaignRuns, followCampaignWith, startAmendmentWith } from './temporal/campaign-runs.js';
export { checkAudience } from './campaigns/check-audience.js';
export { type AskGateway, importAudience, type RecipientsFrom } from './campaigns/import-audience.js';
export {
  type CampaignChecks,
  contentProblems,
  firstOfEach,
  problemIf,
  readCampaign,
  templateProblems,
  unknownAccounts,
} from './campaigns/read-campaign.js';
export {
  campaignId,
  campaignUpdateId,
  commandId,
  editId,
  eventEndpointId,
  isEditId,
  jobId,
  keyHashOfOperation,
  messageId,
  operationId,
  operationKeyHash,
  ownKey,
  replayId,
  requestHash,
  scheduleId,
  testMessageId,
} from './ids.js';
export {
  type AskedFor,
  beginMessage,
  type BegunMessage,
  contentsFileProblems,
  fileProblems,
} from './messages/begin-message.js';
export {
  type CheckOperation,
  checkTarget,
  problemsOfRefusal,
  readMessageRequest,
  withPaths,
} from './messages/message-request.js';
export { messageRuns } from './messages/message-runs.js';
export { createWorkflowInputs } from './messages/workflow-inputs.js';
export { readTemplate } from './read-template.js';
export { type RunOccurrence, runOccurrenceWith } from './schedules/run-occurrence.js';
export { type DescribedSchedule, syncScheduleWith, temporalSchedules } from './schedules/temporal-schedules.js';
export { jobRuns, operationRuns } from './temporal/activity-runs.js';
export { createOutboxSender } from './temporal/outbox-sender.js';
export { readTaskQueues, type TaskQueueReading } from './temporal/task-queues.js';
export { templateRuns } from './temporal/template-runs.js';
export { lastRunOf, type TemporalAccess, type Wait } from './temporal/temporal-call.js';
export { createWaker, endShiftTry, onAuthorizedWith, type WakeInstance } from './temporal/wake-instance.js';
