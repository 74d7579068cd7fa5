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
  const url = contract.onMediaHost === true ? instance.mediaUrl : instance.baseUrl;
  if (url === undefined) {
    throw new AppError(
      'UPLOAD_NOT_POSSIBLE',
      `Instance ${instance.name} accepts no files: it has no mediaUrl. Add it to the instances file, or send a link.`,
    );
  }
  const base = parseUrl(url);
  if (base === undefined) {
    throw new AppError(
      'CONFIG_INVALID',
      `The baseUrl of instance ${instance.name} is not a URL. Write it like https://api.example.com in the instances file.`,
    );
  }
  const segments = [
    ...base.pathname.split('/'),
    ...encodeURI(instance.paths?.[name] ?? contract.pathPrefix ?? '').split('/'),
    `waInstance${encodeURIComponent(instance.idInstance)}`,
    name,
    encodeURIComponent(instance.apiTokenInstance.reveal()),
    encodeURIComponent(contract.pathAfterToken?.(request) ?? ''),
  ];
  const path = `/${segments.filter((segment) => segment !== '').join('/')}`;
  const address = { origin: base.origin, verb, path };
  if (verb === 'GET') {
    const given = Object.entries(isRecord(request) ? request : {}).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(
      given.map(([field, value]): [string, string] => [field, String(value)]),
    ).toString();
    return query === '' ? address : { ...address, path: `${path}?${query}` };
  }
  if (verb === 'DELETE') return address;
  const raw = contract.toRawBody?.(request);
  if (raw !== undefined) return { ...address, body: raw.bytes, headers: raw.headers };
  return { ...address, body: bodyOf(name, request), headers: { 'content-type': 'application/json' } };
}

/** The JSON body of a request, to which size limits apply. */
export function bodyOf(name: OperationName, request: unknown): string {
  return JSON.stringify(contractOf(name).toWire?.(request) ?? request);
}
