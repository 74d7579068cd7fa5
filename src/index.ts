/**
 * The package as a backend imports it. It names the starter's files one by one: the starter's index also brings the
 * HTTP API and the ledger, which a client does not load, and whose types need packages that do not compile without
 * `skipLibCheck`.
 */
export { AppError, MILESTONES, isErrorCode } from './contract/index.js';
export { validateTemplate } from './domain/index.js';
export type {
  AppErrorOptions,
  CampaignResponse,
  CampaignId,
  CancelResult,
  EditResult,
  ErrorCode,
  MessageId,
  MessageResult,
  MessageState,
  Milestone,
  CampaignProgress,
  Problem,
  RetriedRecipients,
  TemplateFinding,
  TemplateValidation,
  WaitForResult,
} from './contract/index.js';
export type { SendRequest } from './contract/schemas.js';
export { connectEverpost } from './starter/everpost/everpost.js';
export { createEverpost } from './starter/everpost/everpost.js';
export type {
  CampaignHandle,
  ConnectedEverpost,
  ConnectOptions,
  Everpost,
  EverpostOptions,
  MessageHandle,
  TemporalClient,
} from './starter/everpost/everpost-types.js';
export { editId, messageId } from './starter/ids.js';
