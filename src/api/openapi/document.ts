import type { z } from 'zod';
import type { OperationName } from '../../contract/index.js';

export type Json = Record<string, unknown>;

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'header' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Json[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: Json;
  readonly responses: Json;
}

/** The part of OpenAPI 3.1 that everpost uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly security: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
}

/** The document of each gateway operation. The gateway module's contracts have this type. */
export type OperationDocs = Readonly<
  Record<OperationName, { readonly description: string; readonly request: z.ZodType }>
>;
