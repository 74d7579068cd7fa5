export { createBackground, type Background } from './background.js';
export type { CampaignPlan, PlanSample, PlanWarning } from './campaigns/campaign-plan.js';
export type { ShownCampaign } from './campaigns/campaigns.js';
export { campaignRuns, type CampaignRuns } from './campaigns/campaign-runs.js';
export { createCampaignWaker } from './campaigns/wake-campaigns.js';
export { createChangeBell, type ChangeBell } from './change-bell.js';
export { assertProtected, isPublic } from './http/exposure.js';
export { isLoopback } from './http/guard.js';
export { createApi, type Api, type ApiOptions } from './http/api.js';
export { isDefinitionFile, readDefinitionFile, type DefinitionFile } from './files/definition-file.js';
export { readStructuredFile } from './files/structured-file.js';
export { createApiClient, type ApiClient, type ApiResponse, type UploadedFile } from './http/client.js';
export type { Listening } from './http/listen.js';
export { openApiDocument, type OpenApiDocument, type OpenApiOptions, type OperationDocs } from './http/openapi.js';
export type { ProblemDocument } from './http/problem.js';
export {
  STEER_WITHIN_MS,
  waitForMessage,
  waitForTemplate,
  type MessageResponse,
  type TemplateMilestone,
  type TemplateResponse,
} from './http/wait-for.js';
export { editId, messageId } from './ids.js';
export type { InstanceStatus } from './instances/instance-status.js';
export { onAuthorizedWith } from './instances/on-authorized.js';
export { createLoadMeter, type LoadMeter } from './load-meter.js';
export type { Log } from './log.js';
export type { CheckOperation } from './message-request.js';
export type { TemporalAccess } from './message-runs.js';
export { createMessageDrivers } from './message-drivers.js';
export { createNotifier } from './notifier.js';
export { startRunStarter, type RunStarter } from './start-runs.js';
export { problemsOf } from './read-input.js';
export { createWaker, type WakeInstance } from './wake-instance.js';
export { createWorkflowInputs, type WorkflowInputsDependencies } from './workflow-inputs.js';
export type { OperationResponse } from './operation-response.js';
export { templateRuns, type TemplateRuns } from './templates/template-runs.js';
