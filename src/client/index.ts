export type { UploadedFile } from '../http-client/index.js';
export {
  STEER_WITHIN_MS,
  createApiClient,
  waitForMessage,
  waitForTemplate,
  type ApiClient,
  type ApiResponse,
  type MessageResponse,
  type TemplateMilestone,
  type TemplateResponse,
} from './client.js';
export {
  isDefinitionFile,
  readDefinitionFile,
  readMessageFile,
  readStructuredFile,
  storeFile,
  withStoredFile,
  type DefinitionFile,
} from './definition-file.js';
