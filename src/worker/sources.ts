/** The sources of a schedule's recipients, read at each run. */
import { readFile, realpath } from 'node:fs/promises';
import {
  AppError,
  Secret,
  WORKBOOK_TYPE,
  charsetOf,
  codeOf,
  listFormatOfName,
  listFormatOfType,
  type ConnectionReference,
  type ListFormat,
  type ListOptions,
  type ScheduleRecipients,
} from '../contract/index.js';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Agent, request } from 'undici';
import { namesPrivateHost } from '../domain/index.js';
import { PRIVATE_ADDRESS, lookUpPublic, reasonOf } from './post-event.js';
import { Client } from 'pg';

export interface SourceOptions extends UrlLimits {
  /** Files of an instance are read only below the folder with its name in this directory. */
  readonly directory: string;
  /** The value of an environment variable. */
  readonly env: (name: string) => string | undefined;
}

type Source = Exclude<ScheduleRecipients, { readonly group: string }>;
type OpenFile = ListOptions & { readonly bytes: AsyncIterable<Uint8Array>; readonly format: ListFormat };

/** @throws AppError SCHEDULE_RUN_FAILED, also while the bytes are read */
export function openSourceWith(options: SourceOptions) {
  return async (instance: string, source: Source, signal: AbortSignal): Promise<OpenFile> => {
    const folder = path.join(options.directory, instance);
    if ('file' in source) {
      const { file, ...how } = source;
      const bytes = createReadStream(await pathInside(folder, file));
      return { ...how, bytes, format: listFormatOfName(file) ?? 'csv' };
    }
    if ('url' in source) {
      const { url, ...how } = source;
      const { bytes, contentType } = await openUrl(url, options, signal);
      const format = listFormatOfType(contentType) ?? listFormatOfName(new URL(url).pathname) ?? 'csv';
      return { encoding: charsetOf(contentType), ...how, bytes, format };
    }
    const { connection: reference, query, ...how } = source;
    const connection = await connectionOf(reference, folder, options);
    return { ...how, bytes: openQuery(connection, query, signal), format: 'ndjson' };
  };
}

async function connectionOf(
  reference: ConnectionReference,
  folder: string,
  { env }: Pick<SourceOptions, 'env'>,
): Promise<Secret> {
  if ('file' in reference) {
    const file = await pathInside(folder, reference.file);
    return new Secret((await readFile(file, 'utf8')).trim());
  }
  const value = env(reference.env)?.trim();
  if (value !== undefined && value !== '') return new Secret(value);
  throw sourceFailed(
    `The environment variable ${reference.env} is not set for the worker. Set it to the connection string.`,
  );
}

function sourceFailed(message: string, cause?: unknown): AppError {
  return new AppError('SCHEDULE_RUN_FAILED', message, { cause });
}

/**
 * The path of a file below the folder. A path that leaves the folder is refused before it is looked up: its error does
 * not show whether such a file exists.
 * @throws AppError SCHEDULE_RUN_FAILED, also for a link to a file outside of the folder
 */
async function pathInside(folder: string, file: string): Promise<string> {
  const named = path.resolve(folder, file);
  if (isInside(folder, named)) {
    const found = await real(named, file);
    if (isInside(await real(folder, folder), found)) return found;
  }
  throw sourceFailed(
    `The file ${file} is not in its instance's folder of sources. Move it below the folder with the instance's name in EVERPOST_SOURCES_DIR.`,
  );
}

function isInside(folder: string, file: string): boolean {
  const inside = path.relative(folder, file);
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
}

async function real(file: string, given: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const why = codeOf(error) ?? 'it cannot be opened';
    throw sourceFailed(
      `The file ${given} cannot be read (${why}). Each instance has a folder with its name in EVERPOST_SOURCES_DIR: move the file there.`,
      error,
    );
  }
}

const HEAD_WITHIN_MS = 30_000;
/** The time limit between two chunks of the body. */
const BODY_WITHIN_MS = 30_000;
const WHOLE_WITHIN_MS = 30 * 60_000;

interface UrlLimits {
  /** Whether the server may be on this machine or in a private network. */
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
}

/**
 * Reads a URL without following redirects. An API caller chose the URL, so it must not reach private addresses. The URL
 * may contain a key, so errors do not show it.
 * @throws AppError SCHEDULE_RUN_FAILED, also while the body is read
 */
async function openUrl(url: string, limits: UrlLimits, signal: AbortSignal) {
  const { allowPrivate } = limits;
  if (!allowPrivate && namesPrivateHost(new URL(url))) throw urlFailed(PRIVATE_ADDRESS);
  const dispatcher = new Agent({
    connect: { timeout: HEAD_WITHIN_MS, ...(allowPrivate ? {} : { lookup: lookUpPublic }) },
    headersTimeout: HEAD_WITHIN_MS,
    bodyTimeout: BODY_WITHIN_MS,
  });
  // Not AbortSignal.timeout: on Node 20 one to which only AbortSignal.any refers never fires once memory was collected.
  const over = new AbortController();
  setTimeout(() => over.abort(new Error('it took over 30 minutes')), WHOLE_WITHIN_MS).unref();
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      headers: { accept: `text/csv, application/x-ndjson, ${WORKBOOK_TYPE}`, 'user-agent': 'everpost' },
      signal: AbortSignal.any([signal, over.signal]),
    });
    if (statusCode !== 200) throw urlFailed(`HTTP ${statusCode}`);
    return { bytes: whole(body, limits, dispatcher), contentType: String(headers['content-type'] ?? '').slice(0, 200) };
  } catch (error) {
    await dispatcher.destroy();
    throw asUrlFailed(error);
  }
}

async function* whole(body: AsyncIterable<Uint8Array>, { maxBytes }: UrlLimits, dispatcher: Agent) {
  let left = maxBytes;
  try {
    for await (const piece of body) {
      left -= piece.byteLength;
      if (left < 0) throw urlFailed(`it has more than ${maxBytes} bytes`);
      yield piece;
    }
  } catch (error) {
    throw asUrlFailed(error);
  } finally {
    await dispatcher.destroy();
  }
}

function asUrlFailed(error: unknown): AppError {
  return error instanceof AppError ? error : urlFailed(reasonOf(error), error);
}

function urlFailed(why: string, cause?: unknown): AppError {
  return sourceFailed(`The URL of the recipients could not be read: ${why}.`, cause);
}

const CONNECT_WITHIN_MS = 10_000;
/** The time limit of one statement, which reads the first or the next rows. */
const STATEMENT_WITHIN_MS = 5 * 60_000;
const ROWS_AT_ONCE = 1_000;
/** The longest error text that is shown. A longer text of the server may contain rows. */
const MAX_WORDS = 300;

/**
 * Reads the rows of a query as NDJSON, in a read-only transaction. A cursor accepts only one
 * query. Errors have the text of the server or the code of the connection failure, never the connection string.
 * @throws AppError SCHEDULE_RUN_FAILED
 */
export async function* openQuery(connection: Secret, query: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const client = await connect(connection);
  const breakOff = () => void client.end();
  signal.addEventListener('abort', breakOff, { once: true });
  try {
    await client.query('begin read only');
    // In the extended protocol PostgreSQL accepts only one statement.
    await client.query({ text: `declare everpost_recipients no scroll cursor for ${query}`, queryMode: 'extended' } as {
      text: string;
    });
    for (;;) {
      const { rows } = await client.query<Record<string, unknown>>(`fetch ${ROWS_AT_ONCE} from everpost_recipients`);
      if (rows.length === 0) break;
      yield Buffer.from(rows.map((row) => `${JSON.stringify(fieldsOf(row))}\n`).join(''));
    }
    await client.query('rollback');
  } catch (error) {
    throw queryFailed(error);
  } finally {
    signal.removeEventListener('abort', breakOff);
    await client.end();
  }
}

async function connect(connection: Secret): Promise<Client> {
  const options = {
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    application_name: 'everpost recipients',
    options: '-c default_transaction_read_only=on',
  };
  let client;
  try {
    client = new Client({ ...options, connectionString: connection.reveal() });
  } catch {
    // The error itself contains the connection string.
    throw sourceFailed('The connection string of the recipients cannot be read.');
  }
  // A broken connection fails the query. Without a listener the event would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw queryFailed(error);
  }
  return client;
}

/** Converts times and JSON to strings. Null columns stay, since an option may name a column that has no value yet. */
function fieldsOf(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()];
      return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value];
    }),
  );
}

function queryFailed(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error) ?? 'no connection';
  // Errors of PostgreSQL have a severity. Other errors may name the host and the user.
  const words = error instanceof Error && 'severity' in error ? `: ${error.message.slice(0, MAX_WORDS)}` : '';
  return sourceFailed(`The query for the recipients failed (${code})${words}`);
}
