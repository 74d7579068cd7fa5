/** Where a schedule's recipients are read from, at each run. */
import { readFile } from 'node:fs/promises';
import { AppError, Secret, type ConnectionReference, type ScheduleRecipients } from '../../contract/index.js';
import { openFile, pathInside } from './open-file.js';
import { openQuery } from './open-query.js';
import { openUrl, type UrlLimits } from './open-url.js';

export interface SourceOptions extends UrlLimits {
  /** Files, and files with connection strings, are read only below it. */
  readonly directory: string;
  /** The value of an environment variable. */
  readonly env: (name: string) => string | undefined;
}

export interface OpenedSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly format: 'csv' | 'ndjson';
  readonly delimiter?: string | undefined;
}

type OpenSource = (
  source: Exclude<ScheduleRecipients, { readonly group: string }>,
  signal: AbortSignal,
) => Promise<OpenedSource>;

/** @throws AppError SCHEDULE_RUN_FAILED, also while the bytes are read */
export function openSourceWith(options: SourceOptions): OpenSource {
  return async (source, signal) => {
    if ('file' in source) {
      const { file } = source;
      return { bytes: await openFile(options.directory, file), format: formatOf(file), delimiter: characterOf(source) };
    }
    if ('url' in source) {
      const { bytes, contentType } = await openUrl(source.url, options, signal);
      const format = /ndjson|jsonl/i.test(contentType) ? 'ndjson' : formatOf(new URL(source.url).pathname);
      return { bytes, format, delimiter: characterOf(source) };
    }
    const connection = await connectionOf(source.connection, options);
    return { bytes: openQuery(connection, source.query, signal), format: 'ndjson' };
  };
}

function characterOf({ delimiter }: { readonly delimiter?: string }): string | undefined {
  return delimiter === 'tab' ? '\t' : delimiter;
}

function formatOf(name: string): 'csv' | 'ndjson' {
  return /\.(?:ndjson|jsonl)$/i.test(name) ? 'ndjson' : 'csv';
}

async function connectionOf(reference: ConnectionReference, { directory, env }: SourceOptions): Promise<Secret> {
  if ('file' in reference) {
    const file = await pathInside(directory, reference.file);
    return new Secret((await readFile(file, 'utf8')).trim());
  }
  const value = env(reference.env)?.trim();
  if (value !== undefined && value !== '') return new Secret(value);
  throw new AppError(
    'SCHEDULE_RUN_FAILED',
    `The environment variable ${reference.env} is not set for the worker. It holds the connection string.`,
  );
}
