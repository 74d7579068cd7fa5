import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { z } from 'zod';
import { AppError, JsonTooDeepError, parseJson, wellFormedJson } from '../../contract/index.js';
import { MAX_BODY_BYTES, idempotencyKeySchema } from '../../contract/schemas.js';
import { inputInvalid, readInput } from '../../domain/index.js';
import { isKnownCountry, readNumber } from '../../audience/index.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** @throws AppError INPUT_INVALID when it is no JSON, INPUT_TOO_LARGE above 100 kb */
export async function readJson(c: Context): Promise<unknown> {
  const bytes = await readBody(c, MAX_BODY_BYTES);
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch (error) {
    throw new AppError('INPUT_INVALID', 'The body is not valid UTF-8. Send JSON in UTF-8.', { cause: error });
  }
  try {
    return parseJson(wellFormedJson(text));
  } catch (error) {
    if (error instanceof JsonTooDeepError) {
      throw new AppError('INPUT_INVALID', `The body ${error.message}. Send a flatter one; nothing was begun.`);
    }
    // The parser's own words quote the body, which may hold a phone number.
    throw new AppError('INPUT_INVALID', 'The body is no valid JSON. Send one JSON object.');
  }
}

/** The socket's own stream of a server's request: converting it to a web stream costs more than reading it. */
export function bodyOf(
  c: Context<{ Bindings: Partial<HttpBindings> }>,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  // Its connection stays open when it is not read to its end, so that the response can be sent.
  return c.env?.incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? [];
}

/** @throws AppError INPUT_TOO_LARGE without reading on */
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

/** @throws AppError INPUT_INVALID also for a parameter that is given twice: it is unclear which one is meant */
export function readQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  const [repeated] = Object.entries(c.req.queries()).find(([, values]) => values.length > 1) ?? [];
  if (repeated !== undefined) {
    throw new AppError('INPUT_INVALID', `The query cannot be read: ${repeated} is given more than once. Give it once.`);
  }
  return readInput(schema, c.req.query(), 'The query');
}

/**
 * The caller's key, or a new one, which the response's header names, so that the request can be repeated.
 */
export function readIdempotencyKey(c: Context): string {
  const given = c.req.header(IDEMPOTENCY_KEY);
  const key =
    given === undefined ? randomUUID() : readInput(idempotencyKeySchema, given, `The header ${IDEMPOTENCY_KEY}`);
  c.header(IDEMPOTENCY_KEY, key);
  return key;
}

/** Without its parameters, in small letters. */
export function contentTypeOf(c: Context): string {
  const [type = ''] = (c.req.header('Content-Type') ?? '').toLowerCase().split(';');
  return type.trim();
}

/** Between columns of CSV; a tab is named, since it cannot be seen. */
export function delimiterIn(given: string | undefined): string | undefined {
  return given === 'tab' ? '\t' : given;
}

/** Ten million recipients with a few values each. */
export const DEFAULT_MAX_IMPORT_BYTES = 1024 ** 3;

interface StreamLimits {
  readonly maxBytes: number;
  /** Says in the error what holds when the import breaks off, and what to do. */
  readonly ifCut: string;
  /** Says in the error what to do about a file that is too large. @default split it, or raise the limit */
  readonly remedy?: string;
}

/**
 * A file as it comes in: a slow reader slows its sender down.
 * @throws AppError INPUT_INVALID when it breaks off, INPUT_TOO_LARGE when it is over the limit: at once where its size
 *   is told
 */
export async function* streamOf(c: Context, limits: StreamLimits): AsyncGenerator<Uint8Array> {
  const { maxBytes, ifCut } = limits;
  if (Number(c.req.header('Content-Length')) > maxBytes) throw importTooLarge(limits);
  let sizeBytes = 0;
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes) break;
      yield chunk;
    }
  } catch (error) {
    throw new AppError('INPUT_INVALID', `The import ended before its body did. ${ifCut}`, { cause: error });
  }
  if (sizeBytes > maxBytes) throw importTooLarge(limits);
}

const SPLIT_OR_RAISE = 'Split the file, or raise the limit: EVERPOST_MAX_IMPORT_SIZE.';

function importTooLarge({ maxBytes, ifCut, remedy = SPLIT_OR_RAISE }: StreamLimits): AppError {
  return new AppError(
    'INPUT_TOO_LARGE',
    `The import is refused: it is over ${sizeText(maxBytes)}, the limit of this API. ${remedy} ${ifCut}`,
  );
}

function sizeText(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  return megabytes >= 1 ? `${Math.floor(megabytes)} MB` : `${Math.floor(bytes / 1024)} kB`;
}

/**
 * The chat id of a number as an operator writes it.
 * @param what  said in the message, e.g. `The suppression`
 * @throws AppError INPUT_INVALID; what was written is not repeated in it
 */
export function chatIdOf(
  what: string,
  { to, defaultCountry }: { readonly to: string; readonly defaultCountry?: string | undefined },
): string {
  const read = readNumber(to, countryOf(what, defaultCountry));
  if ('chatId' in read) return read.chatId;
  throw inputInvalid(what, [
    {
      path: 'to',
      message:
        read.reason === 'country_missing'
          ? "is written as inside a country: write it with its country's prefix, or give defaultCountry"
          : 'is neither a phone number of any country nor a chat id ending in @c.us, @g.us or @lid',
    },
  ]);
}

/** @throws AppError INPUT_INVALID */
export function countryOf(what: string, word: string | undefined) {
  if (word === undefined || isKnownCountry(word)) return word;
  throw inputInvalid(what, [{ path: 'defaultCountry', message: 'is no country with phone numbers of its own' }]);
}
