import type { z } from 'zod';
import type { OperationName } from '../../contract/index.js';
import { escapeHtml } from '../../domain/index.js';

/** The OpenAPI document as one page without scripts or external resources. */
export function docsPage(document: OpenApiDocument): string {
  const { info, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(method, path, operation)),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${json(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} ${escapeHtml(info.version)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1>
<p>${escapeHtml(info.description)} <a href="/openapi.json">openapi.json</a></p>
${operations.join('\n')}
<h2>Schemas</h2>
${schemas.join('\n')}
</body>
</html>
`;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
h2 code { font-size: 1rem; } h2 { border-top: 1px solid #ddd; padding-top: 1rem; }
pre { background: #f5f5f5; padding: .75rem; overflow-x: auto; font-size: .85rem; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; }
`;

function operationSection(method: string, path: string, operation: OpenApiOperation): string {
  const { operationId, summary, description = '', parameters, requestBody, responses } = operation;
  return `<h2 id="${escapeHtml(operationId)}"><code>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</code></h2>
<p>${escapeHtml(summary)}. ${escapeHtml(description)}</p>
${parameterTable(parameters)}${requestBody === undefined ? '' : `<h3>Body</h3>${json(requestBody)}`}
<h3>Responses</h3>${json(responses)}`;
}

function parameterTable(parameters: readonly OpenApiParameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, description = '' }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td>${escapeHtml(description)}</td></tr>`,
  );
  return `<table><tr><th>Name</th><th>In</th><th></th></tr>${rows.join('')}</table>`;
}

function json(value: unknown): string {
  const text = escapeHtml(JSON.stringify(value, null, 2));
  return `<pre>${text.replaceAll(/#\/components\/schemas\/([\w.]+)/g, '<a href="#$1">$1</a>')}</pre>`;
}

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
