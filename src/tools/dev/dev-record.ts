/** The addresses of a running `everpost dev`, in a file in its data directory. Commands read them there. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { AppError, codeOf } from '../../contract/index.js';
import { processStart } from '../../process/index.js';

const factsSchema = z.object({
  apiUrl: z.string(),
  temporalAddress: z.string(),
  /** Absent with a configured Temporal server, whose Web UI may be anywhere. */
  temporalUiUrl: z.string().exactOptional(),
  /** Absent if instances are configured. */
  simulatorUrl: z.string().exactOptional(),
  dataDir: z.string(),
});
export type DevStackFacts = Readonly<z.infer<typeof factsSchema>>;

const recordSchema = factsSchema.extend({
  pid: z.number(),
  /** Distinguishes the process from a later one with the same pid. */
  startedAt: z.string(),
  host: z.string(),
});

/** The state of the `everpost dev` that uses a data directory. */
export type DevRecord =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly facts: DevStackFacts; readonly pid: number }
  /** Left by a killed process. Its ports may belong to another program now. */
  | { readonly kind: 'stale'; readonly pid: number };

const FILE = 'dev.json';

/** Writes the record atomically, readable for this user only. @returns a function that removes it */
export async function writeDevRecord(facts: DevStackFacts): Promise<() => Promise<void>> {
  const file = path.join(facts.dataDir, FILE);
  const record = { ...facts, pid: process.pid, startedAt: processStart(process.pid), host: hostname() };
  await rm(`${file}.new`, { force: true });
  await writeFile(`${file}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return () => rm(file, { force: true });
}

/** @throws AppError CONFIG_INVALID if the record cannot be read */
export async function readDevRecord(dataDir: string): Promise<DevRecord> {
  const file = path.join(dataDir, FILE);
  let record: z.infer<typeof recordSchema>;
  try {
    record = recordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    // An error without a code comes from the content.
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'none' };
    throw new AppError(
      'CONFIG_INVALID',
      `The addresses of everpost dev in ${file} cannot be read: ${code ?? 'it is not a record of everpost dev'}. Delete the file, or set EVERPOST_API_URL.`,
      { cause },
    );
  }
  const { pid, startedAt, host, ...facts } = record;
  const isRunning = host === hostname() && processStart(pid) === startedAt;
  return isRunning ? { kind: 'running', facts, pid } : { kind: 'stale', pid };
}
