export { createBackground, type Background } from './background.js';
export type { AskGateway } from './http/route-dependencies.js';
export type { CampaignPlan, PlanSample } from './http/campaign-responses.js';
export type { ShownCampaign } from './campaigns/campaigns.js';
export {
  amendmentRuns,
  campaignRuns,
  createCampaignWaker,
  followCampaignWith,
  type CampaignRuns,
} from './campaigns/campaign-runs.js';
export { createChangeBell, type ChangeBell } from './change-bell.js';
export { assertProtected, isPublic } from './http/exposure.js';
export { isLoopback } from './http/guard.js';
export { createApi, type Api } from './http/api.js';
export type { ApiOptions } from './http/dependencies-of-callers.js';
export type { Listening } from './http/listen.js';
export { createMetricsServer, type MetricsServer } from './http/metrics-server.js';
export { openApiDocument, type OpenApiOptions, type OperationDocs } from './http/openapi.js';
export type { OpenApiDocument } from './http/openapi-document.js';
export type { JsonReply, PathParams, Sent } from './http/route.js';
export type { Routes } from './http/routes.js';
export { editId, messageId } from './ids.js';
export type { InstanceStatus } from './instances/instance-status.js';
export { onAuthorizedWith } from './instances/on-authorized.js';
export { jobRuns } from './job-runs.js';
export { createLoadMeter, type LoadMeter } from './load-meter.js';
export { lastRunOf } from './last-run.js';
export type { Log } from './log.js';
export type { CheckOperation } from './message-request.js';
export type { TemporalAccess } from './temporal-call.js';
export { createMessageDrivers } from './message-drivers.js';
export { createNotifier } from './notifier.js';
export { runOccurrenceWith, type RunOccurrence } from './schedules/run-occurrence.js';
export type { ShownSchedule } from './schedules/schedules.js';
export { syncScheduleWith, temporalSchedules } from './schedules/temporal-schedules.js';
export { startRunStarter, type RunStarter } from './start-runs.js';
export { createWaker, type WakeInstance } from './wake-instance.js';
export { createWorkflowInputs, type WorkflowInputsDependencies } from './workflow-inputs.js';
export type { OperationResponse } from './operation-response.js';
export { templateRuns, type TemplateRuns } from './templates/template-runs.js';
