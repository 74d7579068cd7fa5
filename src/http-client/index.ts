export { createClient, type Client, type Milestone } from './create-client.js';
export { EverpostError } from './everpost-error.js';
export { itemsOf } from './items-of.js';
export type { ApiResponse, CallOf, CallOptions, Calls, Given, RouteName, UploadedFile } from './client-types.js';
export type { ClientOptions } from './request.js';
export type * from './openapi-types.js';
