import { AppError, OPERATIONS, parseUrl, type InstanceConfig, type OperationName } from '../contract/index.js';
import { isRecord } from './response-fields.js';
import { contractOf } from './operations/index.js';

/** A request as it goes over the wire. `path` holds the token: it goes to the socket and nowhere else. */
export interface WireRequest {
  readonly origin: string;
  readonly verb: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/**
 * `{baseUrl}[/{prefix}]/waInstance{id}/{method}/{token}`, with the fields of a reading as its query. A deletion names
 * what it deletes behind the token.
 * @throws AppError CONFIG_INVALID when the instance's base URL is none
 */
export function wireRequest(instance: InstanceConfig, name: OperationName, request: unknown): WireRequest {
  const { verb } = OPERATIONS[name];
  const base = baseOf(instance);
  const prefix = instance.paths?.[name] ?? contractOf(name).pathPrefix ?? '';
  const id = encodeURIComponent(instance.idInstance);
  const token = encodeURIComponent(instance.apiTokenInstance.reveal());
  const after = encodeURIComponent(contractOf(name).pathAfterToken?.(request) ?? '');
  const segments = [
    ...base.pathname.split('/'),
    ...encodeURI(prefix).split('/'),
    `waInstance${id}`,
    name,
    token,
    after,
  ];
  const path = `/${segments.filter((segment) => segment !== '').join('/')}`;
  if (verb === 'GET') return { origin: base.origin, verb, path: path + queryOf(request) };
  if (verb === 'DELETE') return { origin: base.origin, verb, path };
  return { origin: base.origin, verb, path, body: bodyOf(name, request) };
}

/** The JSON body that a request becomes; limits on its size are counted on this. */
export function bodyOf(name: OperationName, request: unknown): string {
  return JSON.stringify(contractOf(name).toWire?.(request) ?? request);
}

function baseOf(instance: InstanceConfig): URL {
  const base = parseUrl(instance.baseUrl);
  if (base !== undefined) return base;
  throw new AppError(
    'CONFIG_INVALID',
    `The baseUrl of instance ${instance.name} is not a URL. Write it like https://api.example.com in the instances file.`,
  );
}

function queryOf(request: unknown): string {
  if (!isRecord(request)) return '';
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString();
  return query === '' ? '' : `?${query}`;
}
