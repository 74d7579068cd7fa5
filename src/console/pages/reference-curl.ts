/** A request of a route with curl, with sample values for what the route requires. */
import { resolved, type Document, type Operation, type Schema } from './reference-schema.js';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function curlOf({ method, path, operation }: Route, document: Document, origin: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARTS.get(name) ?? name.toUpperCase());
  const asked = operation.parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema, document, name)))}`);
  const url = `${origin}${filled}${asked.length === 0 ? '' : `?${asked.join('&')}`}`;
  const contents = Object.entries(operation.requestBody?.content ?? {});
  const json = contents.find(([one]) => one === 'application/json');
  const [type, media] = json ?? contents[0] ?? [];
  // A shell ends the text at an apostrophe.
  const body = JSON.stringify(media && sampleOf(media.schema, document))?.replaceAll("'", String.raw`'\''`);
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    operation.security?.length === 0 ? undefined : `-H "Authorization: Bearer $EVERPOST_API_KEY"`,
    type === undefined ? undefined : `-H 'Content-Type: ${type}'`,
    media === undefined ? undefined : json === undefined ? '--data-binary @FILE' : `-d '${body}'`,
  ]
    .filter((part) => part !== undefined)
    .join(' \\\n  ');
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ['instance', 'main'],
  ['id', 'ID'],
]);

/** By the name of a field. */
const SAMPLES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['instance', 'main'],
  ['to', '+15551234567'],
  ['text', 'Hello'],
  ['url', 'https://example.com/hook'],
  ['cron', ['0 9 * * MON']],
]);

const DEEPEST = 5;

function sampleOf(schema: Schema, document: Document, name = '', depth = 0): unknown {
  const whole = resolved(schema, document);
  if (SAMPLES.has(name)) return SAMPLES.get(name);
  if (whole.const !== undefined) return whole.const;
  if (whole.enum !== undefined) return whole.enum[0];
  if (depth > DEEPEST) return {};
  const [variant] = [...(whole.oneOf ?? []), ...(whole.anyOf ?? []), ...(whole.allOf ?? [])];
  if (whole.properties !== undefined) {
    const required = Object.entries(whole.properties).filter(([field]) => whole.required?.includes(field));
    return Object.fromEntries(required.map(([field, inner]) => [field, sampleOf(inner, document, field, depth + 1)]));
  }
  if (variant !== undefined) return sampleOf(variant, document, name, depth + 1);
  if (whole.items !== undefined) return [sampleOf(whole.items, document, name, depth + 1)];
  if (whole.type === 'integer' || whole.type === 'number') return Math.max(1, whole.minimum ?? 1);
  if (whole.type === 'boolean') return true;
  if (whole.type !== 'string') return {};
  return whole.format === 'date-time' ? '2026-03-01T09:00:00Z' : name.toUpperCase() || 'TEXT';
}
