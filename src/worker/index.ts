export { amendmentSweeper } from './sweepers.js';
export { openSourceWith } from './sources.js';
export { scheduleSweeper } from './sweepers.js';
export { campaignSweeper, type CampaignDrivers, type CampaignSweeperDependencies } from './sweepers.js';
export { settleCampaigns } from './message-jobs.js';
export { startDelivering } from './deliver-events.js';
export { createEventPoster } from './post-event.js';
export { startBackgroundJob, type BackgroundJob, type RunningBackgroundJob } from './background-job.js';
export { eraseRecipients } from './retention-jobs.js';
export { saveGatewayClocks } from './gateway-clocks.js';
export { startRecurringJobs } from './sweepers.js';
export { pollNotifications, type PollNotificationsDependencies, type RunningPolls } from './poll-notifications.js';
export {
  askAboutUnresolved,
  configureInstances,
  endWithoutReceipts,
  expireMessages,
  rejectByTemplate,
  removeStreams,
  wakeInstances,
} from './message-jobs.js';
export { foldMessageCounts, forgetNotifications, removeOld, removePlans } from './retention-jobs.js';
export { openDispatcher, startWorker, type RunningWorker, type WorkerOptions } from './start-worker.js';
export { sweeper, type MessageDrivers, type SweeperDependencies } from './sweepers.js';
export { templateSweeper, type TemplateDrivers, type TemplateSweeperDependencies } from './sweepers.js';
export type { Log, LogEntry } from './temporal-runtime.js';
export { watchInstances } from './message-jobs.js';
