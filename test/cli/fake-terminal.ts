import { Readable } from 'node:stream';
import { runCli } from '../../src/cli/commands/run-cli.js';
import type { ExitCode } from '../../src/cli/command-context.js';

export interface CliRun {
  readonly exitCode: ExitCode;
  /** Standard output, line by line. */
  readonly out: readonly string[];
  /** Standard error, line by line. */
  readonly err: readonly string[];
}

interface RunOptions {
  /** Standard output is a terminal of this width. @default it is a pipe */
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** What an operator at a terminal answers to each question. @default there is no terminal */
  readonly answer?: string;
  /** @default this process's */
  readonly cwd?: string;
  readonly onOut?: (line: string) => void;
  /** Receives the function that stands for Ctrl-C. */
  readonly onInterrupt?: (interrupt: () => void) => void;
}

/** Runs one command line in this process, with its own environment and standard input. */
export async function everpost(
  args: readonly string[],
  { env = {}, stdin = '', cwd = process.cwd(), onOut, onInterrupt, columns, answer }: RunOptions = {},
): Promise<CliRun> {
  const out: string[] = [];
  const err: string[] = [];
  const bytes: Uint8Array[] = [];
  const exitCode = await runCli(args, {
    out: (line) => {
      out.push(line);
      onOut?.(line);
    },
    err: (line) => void err.push(line),
    bytes: async (chunk) => void bytes.push(chunk),
    ...(answer !== undefined && {
      ask: async (question: string) => {
        err.push(question);
        return answer;
      },
    }),
    ...(columns !== undefined && { columns: () => columns }),
    stdin: Readable.from([stdin]),
    env: { EVERPOST_LOG_LEVEL: 'silent', ...env },
    cwd,
    ...(onInterrupt && { onInterrupt: (interrupted) => (onInterrupt(interrupted), () => undefined) }),
  });
  const file = Buffer.concat(bytes).toString();
  if (file !== '') out.push(...file.replace(/\n$/, '').split('\n'));
  return { exitCode, out, err };
}
