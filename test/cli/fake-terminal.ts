import { Readable } from 'node:stream';
import { runCli } from '../../src/cli/run-cli.js';
import type { ExitCode } from '../../src/cli/command-context.js';

export interface CliRun {
  readonly exitCode: ExitCode;
  /** Standard output, line by line. */
  readonly out: readonly string[];
  /** Standard error, line by line. */
  readonly err: readonly string[];
}

interface RunOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** @default this process's */
  readonly cwd?: string;
  readonly onOut?: (line: string) => void;
  /** Receives the function that stands for Ctrl-C. */
  readonly onInterrupt?: (interrupt: () => void) => void;
}

/** Runs one command line in this process, with its own environment and standard input. */
export async function everpost(
  args: readonly string[],
  { env = {}, stdin = '', cwd = process.cwd(), onOut, onInterrupt }: RunOptions = {},
): Promise<CliRun> {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runCli(args, {
    out: (text) => {
      out.push(...text.split('\n'));
      onOut?.(text);
    },
    err: (text) => err.push(...text.split('\n')),
    stdin: Readable.from([stdin]),
    env: { EVERPOST_LOG_LEVEL: 'silent', ...env },
    cwd,
    ...(onInterrupt && { onInterrupt: (interrupted) => (onInterrupt(interrupted), () => undefined) }),
  });
  return { exitCode, out, err };
}
