export { createApiClient, type ApiClient, type ApiResponse } from './client.js';
export type { UploadedFile } from '../http-client/index.js';
export { isDefinitionFile, readDefinitionFile, readMessageFile, type DefinitionFile } from './files/definition-file.js';
export { readStructuredFile } from './files/structured-file.js';
export {
  STEER_WITHIN_MS,
  waitForMessage,
  waitForTemplate,
  type MessageResponse,
  type TemplateMilestone,
  type TemplateResponse,
} from './wait-for.js';
