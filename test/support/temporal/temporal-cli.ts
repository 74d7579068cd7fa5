import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findTemporalCli } from '../../../src/tools/local-temporal/index.js';
import { binaryOptions } from './temporal-programs.js';

const execute = promisify(execFile);
const TIMEOUT_MS = 50_000;

export interface CliResponse {
  /** Its parsed output. */
  readonly json: unknown;
  readonly stderr: string;
}

/** Runs Temporal's own command line tool, without our client. */
export type TemporalCli = (...args: readonly string[]) => Promise<CliResponse>;

export async function temporalCli(place: {
  readonly address: string;
  readonly namespace: string;
}): Promise<TemporalCli> {
  const { path } = await findTemporalCli(binaryOptions('TEMPORAL_CLI_PATH'));
  const fixed = ['--address', place.address, '--namespace', place.namespace, '--output', 'json'];
  return async (...args) => {
    const { stdout, stderr } = await execute(path, [...args, ...fixed], { timeout: TIMEOUT_MS }).catch(outputOf);
    return { json: stdout.trim() === '' ? undefined : JSON.parse(stdout), stderr };
  };
}

/** A failed workflow and a refused update are results too; no output at all is an error. */
function outputOf(error: unknown): { stdout: string; stderr: string } {
  const { stdout, stderr } = error as { stdout?: string; stderr?: string };
  if (!stdout && !stderr) throw error;
  return { stdout: stdout ?? '', stderr: stderr ?? '' };
}
