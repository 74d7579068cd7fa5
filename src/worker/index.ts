export { startBackgroundJob, type BackgroundJob } from './background-job.js';
export { startMessageRuns } from './start-message-runs.js';
export { watchClock } from './clock-watch.js';
export { beginCampaigns, checkRunningCampaigns, endCampaigns, showCampaigns, watchPools } from './campaign-jobs.js';
export { deliverEvents } from './deliver-events.js';
export { saveGatewayClocks } from './gateway-clocks.js';
export { endWithoutReceipts, pollUnresolved, settleClears, watchInstances, watchQueues } from './gateway-jobs.js';
export {
  configureInstances,
  endEdits,
  expireMessages,
  rejectByTemplate,
  settleRemoved,
  wakeInstances,
} from './message-jobs.js';
export { createSdkTelemetry } from './sdk-telemetry.js';
export { createReadiness } from './readiness.js';
export { pollNotifications } from './poll-notifications.js';
export { createEventPoster } from './post-event.js';
export { eraseRecipients, retentionJobs } from './retention-jobs.js';
export { sealAgain } from './seal-again.js';
export { sendOutbox } from './send-outbox.js';
export { openSourceWith } from './sources.js';
export { openDispatcher, startWorker, type RunningWorker, type WorkerOptions } from './start-worker.js';
export {
  amendmentSweeper,
  campaignSweeper,
  scheduleSweeper,
  startRecurringJobs,
  sweeper,
  templateSweeper,
} from './sweepers.js';
export { takeOverShifts } from './take-over-shifts.js';
