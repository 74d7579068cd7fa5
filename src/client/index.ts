export { createApiClient, type ApiClient, type ApiResponse, type UploadedFile } from './client.js';
