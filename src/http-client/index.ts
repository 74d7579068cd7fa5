export type { ApiResponse, CallOf, CallOptions, Calls, Given, RouteName, UploadedFile } from './client-types.js';
export { createClient, itemsOf, type Client, type Milestone } from './create-client.js';
export { EverpostError, errorOf, type ClientOptions } from './request.js';
export type * from './openapi-types.js';
