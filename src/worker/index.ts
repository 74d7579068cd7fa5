export { campaignSweeper, type CampaignDrivers, type CampaignSweeperParts } from './campaign-sweeper.js';
export { startDuty, type Duty, type RunningDuty } from './duty.js';
export { saveGatewayClocks } from './gateway-clocks.js';
export { startWorker, type RunningWorker, type WorkerOptions } from './start-worker.js';
export { sweeper, type MessageDrivers, type SweeperParts } from './sweeper.js';
export { templateSweeper, type TemplateDrivers, type TemplateSweeperParts } from './template-sweeper.js';
export type { Log, LogEntry } from './temporal-runtime.js';
export type { WorkflowSource } from './workflow-bundle.js';
export { watchInstances } from './watch-instances.js';
