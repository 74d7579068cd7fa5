export type { SendRequest } from '../contract/schemas.js';
export type { CampaignPlan, PlanSample, PlanWarning } from './campaigns/campaign-plan.js';
export type { CampaignHandle } from './campaigns/campaign-handle.js';
export { campaignRuns, type CampaignRuns } from './campaigns/campaign-runs.js';
export { createCampaignWaker } from './campaigns/wake-campaigns.js';
export { createChangeBell, type ChangeBell } from './change-bell.js';
export { createEverpost, type Everpost, type EverpostOptions, type MessageHandle } from './everpost.js';
export { createApi, type Api, type ApiOptions } from './http/api.js';
export type { Listening } from './http/listen.js';
export { openApiDocument, type OpenApiDocument, type OpenApiOptions, type OperationDocs } from './http/openapi.js';
export type { ProblemDocument } from './http/problem.js';
export { editId, messageId } from './ids.js';
export type { InstanceStatus } from './instances/instance-status.js';
export { onAuthorizedWith } from './instances/on-authorized.js';
export type { Log } from './log.js';
export type { CheckOperation } from './message-request.js';
export type { TemporalAccess } from './message-runs.js';
export { createMessageDrivers } from './message-drivers.js';
export { createNotifier } from './notifier.js';
export { problemsOf } from './read-input.js';
export { createWorkflowInputs, type WorkflowInputsParts } from './workflow-inputs.js';
export type { OperationAnswer } from './operation-answer.js';
export { templateRuns, type TemplateRuns } from './templates/template-runs.js';
export {
  MILESTONES,
  lintTemplate,
  type Milestone,
  type TemplateFinding,
  type TemplateLint,
} from '../contract/index.js';
