import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/index.js';
import { AppError } from '../contract/index.js';

/** What a command sees of the process: facts go to `out`, everything else to `err`. */
export interface Terminal {
  /** Writes a line of facts. */
  out(line: string): void;
  /** Writes a line for a reader. */
  err(line: string): void;
  /** Overwrites the last line on a terminal; undefined where output goes to a file or a pipe. */
  readonly live?: (line: string) => void;
  /** How many columns the window has now; undefined where output goes to a file or a pipe. */
  readonly columns?: () => number;
  /** Asks the operator at the terminal and returns their line; undefined without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** Calls back at Ctrl-C, which then ends nothing by itself, until the returned function is called. */
  readonly onInterrupt?: (interrupted: () => void) => () => void;
  readonly stdin: Readable;
  readonly env: Environment;
  readonly cwd: string;
}

/**
 * Whether the operator at the terminal agrees.
 * @param elsewhere  without a terminal: what was not done, and the command for a script
 * @throws AppError INPUT_INVALID without a terminal to ask at
 */
export async function agrees({ ask }: Terminal, question: string, elsewhere: string): Promise<boolean> {
  if (ask === undefined) throw new AppError('INPUT_INVALID', `There is no terminal to ask at, and ${elsewhere}`);
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    ...(process.stdout.isTTY ? { live: overwriteLine, columns: windowColumns } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: askOnTerminal } : {}),
    onInterrupt: (interrupted) => {
      process.once('SIGINT', interrupted);
      return () => process.off('SIGINT', interrupted);
    },
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
  };
}

/** On standard error, so that facts can be piped on. */
async function askOnTerminal(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await asking.question(question);
  } finally {
    asking.close();
  }
}

function windowColumns(): number {
  return process.stdout.columns || 80;
}

/** Cut to the window: of a line that wraps, only the last row could be overwritten. */
function overwriteLine(line: string): void {
  process.stdout.write(`\r\u001b[2K${line.slice(0, windowColumns() - 1)}`);
}

/**
 * Calls `end` once when the reader of the output has gone, as in `everpost message show … | head -1`: output without a
 * reader needs no stack. Any other error of the stream is thrown.
 */
export function endWhenOutputCloses(output: Writable, end: () => void): void {
  let isEnding = false;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!isEnding) end();
    isEnding = true;
  });
}
