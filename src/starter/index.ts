export {
  amendmentRuns,
  campaignRuns,
  createCampaignWaker,
  followCampaignWith,
  type CampaignRuns,
} from './campaigns/campaign-runs.js';
export type { ShownCampaign } from './campaigns/campaigns.js';
export { runOccurrenceWith, type RunOccurrence } from './schedules/run-occurrence.js';
export type { ShownSchedule } from './schedules/schedules.js';
export { syncScheduleWith, temporalSchedules } from './schedules/temporal-schedules.js';
export { createApi, type Api } from './http/server/api.js';
export type { CampaignPlan, PlanSample } from './http/campaign-responses.js';
export type { ApiOptions } from './http/dependencies-of-callers.js';
export type { OpenApiDocument } from './http/openapi/docs-page.js';
export { assertProtected, isLoopback, isPublic } from './http/server/guard.js';
export type { Listening } from './http/server/listen.js';
export { createMetricsServer, type MetricsServer } from './http/server/metrics-server.js';
export { openApiDocument, type OpenApiOptions, type OperationDocs } from './http/openapi/openapi.js';
export type { AskGateway } from './http/route-dependencies.js';
export type { JsonReply, PathParams, Sent } from './http/route.js';
export type { Routes } from './http/routes.js';
export type { InstanceStatus } from './http/routes/instances/instances.js';
export { templateRuns, type TemplateRuns } from './templates/template-runs.js';
export { jobRuns } from './temporal/activity-runs.js';
export { createBackground, type Background } from './background.js';
export { editId, messageId } from './ids.js';
export { createLoadMeter, type LoadMeter } from './load-meter.js';
export type { Log } from './log.js';
export type { CheckOperation } from './messages/message-request.js';
export { endShiftTry } from './temporal/end-shift-try.js';
export { createMessageDrivers, createNotifier } from './messages/message-runs.js';
export type { OperationResponse } from './operations.js';
export { startRunStarter } from './messages/start-runs.js';
export { lastRunOf, type TemporalAccess } from './temporal/temporal-call.js';
export { createChangeBell, type ChangeBell } from './wait-until.js';
export { createWaker, onAuthorizedWith, type WakeInstance } from './temporal/wake-instance.js';
export { createWorkflowInputs, type WorkflowInputsDependencies } from './messages/workflow-inputs.js';
