export { amendmentSweeper } from './amendment-sweeper.js';
export { openSourceWith } from './sources/index.js';
export { scheduleSweeper } from './schedule-sweeper.js';
export { campaignSweeper, type CampaignDrivers, type CampaignSweeperDependencies } from './campaign-sweeper.js';
export { settleCampaigns } from './settle-campaigns.js';
export { startDelivering } from './events/deliver-events.js';
export { createEventPoster } from './events/post-event.js';
export { startBackgroundJob, type BackgroundJob, type RunningBackgroundJob } from './background-job.js';
export { eraseRecipients } from './erase-recipients.js';
export { saveGatewayClocks } from './gateway-clocks.js';
export { startRecurringJobs } from './recurring-jobs.js';
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
export { sweeper, type MessageDrivers, type SweeperDependencies } from './sweeper.js';
export { templateSweeper, type TemplateDrivers, type TemplateSweeperDependencies } from './template-sweeper.js';
export type { Log, LogEntry } from './temporal-runtime.js';
export { takeOverShifts } from './take-over-shifts.js';
export { watchInstances } from './watch-instances.js';
