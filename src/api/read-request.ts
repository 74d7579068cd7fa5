import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { z } from 'zod';
import {
  AppError,
  JsonTooDeepError,
  charsetOf,
  hostnameOf,
  isLoopback,
  listFormatOfType,
  parseJson,
  type ListOptions,
} from '../contract/index.js';
import { MAX_BODY_BYTES, idempotencyKeySchema } from '../contract/schemas.js';
import { inputInvalid, readCountryField, readInput, readRecipientField, unsendableTexts } from '../domain/index.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * @param ifEmpty  the value of an empty body, if the body may be omitted
 * @throws AppError INPUT_INVALID if the body is not JSON, or a text in it cannot be stored and sent unchanged;
 *   INPUT_TOO_LARGE above 100 kb
 */
export async function readJson(c: Context, ifEmpty?: object): Promise<unknown> {
  const bytes = await readBody(c, MAX_BODY_BYTES);
  if (ifEmpty !== undefined && bytes.byteLength === 0) return ifEmpty;
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch (error) {
    throw unreadable('The body is not valid UTF-8. Send JSON in UTF-8.', error);
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof JsonTooDeepError) {
      throw unreadable(`The body ${error.message}. Send a flatter body; nothing was begun.`);
    }
    // The parser's own error quotes the body, which may contain a phone number.
    throw unreadable('The body is not valid JSON. Send one JSON object.');
  }
  const problems = unsendableTexts(value);
  if (problems.length > 0) throw inputInvalid('The body', problems);
  return value;
}

/** For a request in which no field can be named. */
function unreadable(message: string, cause?: unknown): AppError {
  return new AppError('INPUT_INVALID', message, { cause });
}

/**
 * The body as it arrives, from the socket's own stream: reading it costs less than converting it to a web stream.
 * @param ifCut  tells the caller in the error what was done if the body breaks off
 * @throws AppError INPUT_INVALID if the client disconnects before the end of its body
 */
export async function* bodyOf(
  c: Context<{ Bindings: Partial<HttpBindings> }>,
  ifCut = 'Send the request again; nothing was begun.',
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // The connection stays open if the body is not read to its end, so that the response can be sent.
    yield* c.env?.incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? [];
  } catch (error) {
    throw unreadable(`The connection closed before the end of the body. ${ifCut}`, error);
  }
}

/** @throws AppError INPUT_TOO_LARGE at the limit, without reading further */
async function readBody(c: Context, maxBytes: number): Promise<Uint8Array> {
  if (Number(c.req.header('Content-Length')) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bodyOf(c)) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'INPUT_TOO_LARGE',
    `request entity too large: the body is over ${Math.floor(maxBytes / 1024)} kb. Send less.`,
  );
}

/** @throws AppError INPUT_INVALID, also for a parameter that is given twice: it is ambiguous */
export function readQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  const [repeated] = Object.entries(c.req.queries()).find(([, values]) => values.length > 1) ?? [];
  if (repeated !== undefined) {
    throw unreadable(`The query cannot be read: ${repeated} is given more than once. Give it once.`);
  }
  return readInput(schema, c.req.query(), 'The query');
}

/** The caller's key, or a new one. A response header contains it, so that the request can be repeated. */
export function readIdempotencyKey(c: Context): string {
  const given = c.req.header(IDEMPOTENCY_KEY);
  const key =
    given === undefined ? randomUUID() : readInput(idempotencyKeySchema, given, `The header ${IDEMPOTENCY_KEY}`);
  c.header(IDEMPOTENCY_KEY, key);
  return key;
}

/** Without parameters, in lower case. */
export function contentTypeOf(c: Context): string {
  const [type = ''] = (c.req.header('Content-Type') ?? '').toLowerCase().split(';');
  return type.trim();
}

/** A body without a type is taken for JSON. @throws AppError MEDIA_TYPE_UNSUPPORTED */
export function assertJsonType(c: Context): void {
  const type = contentTypeOf(c);
  if (type === '' || type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return;
  throw new AppError(
    'MEDIA_TYPE_UNSUPPORTED',
    'The request is refused: its body is not JSON by its Content-Type. Send "Content-Type: application/json"; nothing was begun.',
  );
}

/** The format of a file with recipients; undefined for a body of another content type. */
export function fileFormatOf(c: Context) {
  return listFormatOfType(contentTypeOf(c));
}

/** How the file of a request is read: by its query, else by the charset of its content type. */
export function listOptionsIn(c: Context, { delimiter, encoding, sheet, phoneColumn, map }: ListOptions): ListOptions {
  // A workbook says itself what its encoding is.
  const charset = fileFormatOf(c) === 'xlsx' ? undefined : charsetOf(c.req.header('Content-Type') ?? '');
  return { delimiter, encoding: encoding ?? charset, sheet, phoneColumn, map };
}

interface StreamLimits {
  readonly maxBytes: number;
  /** Tells the caller in the error which lines are stored if the import breaks off, and what to do. */
  readonly ifCut: string;
  /** Tells the caller in the error what to do about a file that is too large. @default split it, or raise the limit */
  readonly remedy?: string;
}

/**
 * The bytes of a file while it arrives. A slow reader slows the sender.
 * @throws AppError INPUT_INVALID if the body breaks off, INPUT_TOO_LARGE if it exceeds the limit: at once if the
 *   request states its size
 */
export async function* streamOf(c: Context, limits: StreamLimits): AsyncGenerator<Uint8Array> {
  const { maxBytes, ifCut } = limits;
  if (Number(c.req.header('Content-Length')) > maxBytes) throw importTooLarge(limits);
  let sizeBytes = 0;
  for await (const chunk of bodyOf(c, ifCut)) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw importTooLarge(limits);
    yield chunk;
  }
}

const SPLIT_OR_RAISE = 'Split the file, or raise the limit: EVERPOST_MAX_IMPORT_SIZE.';

function importTooLarge({ maxBytes, ifCut, remedy = SPLIT_OR_RAISE }: StreamLimits): AppError {
  const megabytes = maxBytes / 1024 ** 2;
  const size = megabytes >= 1 ? `${Math.floor(megabytes)} MB` : `${Math.floor(maxBytes / 1024)} kB`;
  return new AppError(
    'INPUT_TOO_LARGE',
    `The import is refused: it is larger than ${size}, the limit of this API. ${remedy} ${ifCut}`,
  );
}

/**
 * The chat id of a recipient as an operator writes it.
 * @param what  the subject of the error text, e.g. `The suppression`
 * @throws AppError INPUT_INVALID, which does not repeat the input
 */
export function chatIdOf(
  what: string,
  { to, defaultCountry }: { readonly to: string; readonly defaultCountry?: string | undefined },
): string {
  const read = readRecipientField('to', to, countryOf(what, defaultCountry));
  if ('chatId' in read) return read.chatId;
  throw inputInvalid(what, read.problems);
}

/** @throws AppError INPUT_INVALID */
export function countryOf(what: string, word: string | undefined) {
  const read = readCountryField(word);
  if ('country' in read) return read.country;
  throw inputInvalid(what, read.problems);
}

/**
 * True if a web page in a browser on this machine may have sent the notification: it has an Origin header, or addresses
 * the server by a host name of its own (DNS rebinding). The gateway sends no Origin.
 */
export function isFromWebPage(c: Context): boolean {
  return c.req.header('Origin') !== undefined || !isOwnHost(c);
}

/** A page can send any content type except JSON without a preflight request. */
export function isJson(c: Context): boolean {
  return contentTypeOf(c) === 'application/json';
}

export function isOwnHost(c: Context): boolean {
  return isLoopback(requestedHost(c) ?? 'localhost');
}

/** The host name in the request's Host header, without the port. */
export function requestedHost(c: Context): string | undefined {
  const host = c.req.header('Host');
  return host === undefined ? undefined : hostnameOf(`http://${host}`);
}
