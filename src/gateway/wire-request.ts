import {
  AppError,
  OPERATIONS,
  isRecord,
  parseUrl,
  type InstanceConfig,
  type OperationName,
} from '../contract/index.js';
import { contractOf } from './operations/index.js';

/** A request in the form for the wire. `path` contains the token, so it may go only to the socket. */
export interface WireRequest {
  readonly origin: string;
  readonly verb: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string | Uint8Array;
  /** The headers of the body. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Builds `{baseUrl}[/{prefix}]/waInstance{id}/{method}/{token}`. The fields of a reading are its query. A deletion has
 * the id of its object after the token.
 * @throws AppError CONFIG_INVALID if the instance's base URL is not a URL, UPLOAD_NOT_POSSIBLE without a mediaUrl
 */
export function wireRequest(instance: InstanceConfig, name: OperationName, request: unknown): WireRequest {
  const { verb } = OPERATIONS[name];
  const contract = contractOf(name);
  const base = baseOf(instance, name);
  const prefix = instance.paths?.[name] ?? contract.pathPrefix ?? '';
  const id = encodeURIComponent(instance.idInstance);
  const token = encodeURIComponent(instance.apiTokenInstance.reveal());
  const after = encodeURIComponent(contract.pathAfterToken?.(request) ?? '');
  const segments = [
    ...base.pathname.split('/'),
    ...encodeURI(prefix).split('/'),
    `waInstance${id}`,
    name,
    token,
    after,
  ];
  const path = `/${segments.filter((segment) => segment !== '').join('/')}`;
  const address = { origin: base.origin, verb, path };
  if (verb === 'GET') return { ...address, path: path + queryOf(request) };
  if (verb === 'DELETE') return address;
  const raw = contract.toRawBody?.(request);
  if (raw !== undefined) return { ...address, body: raw.bytes, headers: raw.headers };
  return { ...address, body: bodyOf(name, request), headers: { 'content-type': 'application/json' } };
}

/** The JSON body of a request, to which size limits apply. */
export function bodyOf(name: OperationName, request: unknown): string {
  return JSON.stringify(contractOf(name).toWire?.(request) ?? request);
}

function baseOf(instance: InstanceConfig, name: OperationName): URL {
  const url = contractOf(name).onMediaHost === true ? instance.mediaUrl : instance.baseUrl;
  if (url === undefined) throw noMediaUrl(instance.name);
  const base = parseUrl(url);
  if (base !== undefined) return base;
  throw new AppError(
    'CONFIG_INVALID',
    `The baseUrl of instance ${instance.name} is not a URL. Write it like https://api.example.com in the instances file.`,
  );
}

export function noMediaUrl(instance: string): AppError {
  return new AppError(
    'UPLOAD_NOT_POSSIBLE',
    `Instance ${instance} accepts no files: it has no mediaUrl. Add it to the instances file, or send a link.`,
  );
}

function queryOf(request: unknown): string {
  if (!isRecord(request)) return '';
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString();
  return query === '' ? '' : `?${query}`;
}
