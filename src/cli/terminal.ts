import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/index.js';
import { AppError } from '../contract/index.js';

/**
 * The process as a command sees it: results go to `out`, everything else to `err`.
 *
 * TERMINAL-1 Texts of other parties (names, messages, reasons) control no terminal and forge no line: every line that a
 *    command prints goes through {@link printable}, which {@link printableOnly} adds to a terminal. The linter refuses
 *    other writes to standard output and standard error.
 */
export interface Terminal {
  /** Writes a line of the result. */
  out(line: string): void;
  /** Writes a line for the operator. */
  err(line: string): void;
  /** Writes bytes of a file to standard output, unchanged. Use {@link copyTo}, which escapes them on a terminal. */
  bytes(chunk: Uint8Array): Promise<void>;
  /** Overwrites the last line on a terminal; undefined if output goes to a file or a pipe. */
  readonly live?: (line: string) => void;
  /** The current width of the window; undefined if output goes to a file or a pipe. */
  readonly columns?: () => number;
  /** Asks the operator a question and returns the typed line; undefined without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** Calls back on Ctrl-C instead of ending the process, until the returned function is called. */
  readonly onInterrupt?: (interrupted: () => void) => () => void;
  readonly stdin: Readable;
  readonly env: Environment;
  readonly cwd: string;
}

/** Control characters, line separators, and the characters that reorder the text of a line. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * A text as one line that controls no terminal: control characters are shown as in JSON, e.g. `\u001b`. JSON keeps its
 * value, since it contains such characters only within strings.
 */
export function printable(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** TERMINAL-1. The same terminal, on which every line is printable. */
export function printableOnly(terminal: Terminal): Terminal {
  const { live, ask } = terminal;
  return {
    ...terminal,
    out: (line) => terminal.out(printable(line)),
    err: (line) => terminal.err(printable(line)),
    ...(live && { live: (line: string) => live(printable(line)) }),
    ...(ask && { ask: (question: string) => ask(printable(question)) }),
  };
}

/** Copies a file to standard output: unchanged to a file or a pipe, as printable lines on a terminal. */
export async function copyTo(terminal: Terminal, file: AsyncIterable<Uint8Array>): Promise<void> {
  if (terminal.columns === undefined) {
    for await (const chunk of file) await terminal.bytes(chunk);
    return;
  }
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of file) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) terminal.out(line);
  }
  rest += decoder.decode();
  if (rest !== '') terminal.out(rest);
}

/**
 * Asks the operator at the terminal to confirm.
 * @param elsewhere  without a terminal: what was not done, and the command for a script
 * @throws AppError INPUT_INVALID without a terminal
 */
export async function agrees({ ask }: Terminal, question: string, elsewhere: string): Promise<boolean> {
  if (ask === undefined)
    throw new AppError('INPUT_INVALID', `The command asks for confirmation and has no terminal: ${elsewhere}`);
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}

/** Intervals at which progress is printed: on a terminal, and in a log. */
const LIVE_EVERY_MS = 250;
const LOGGED_EVERY_MS = 5_000;

/** Shows the progress of a long command until the returned function is called. */
export function showRepeatedly({ live, err }: Terminal, progress: () => string): () => void {
  const timer = setInterval(() => (live ?? err)(progress()), live === undefined ? LOGGED_EVERY_MS : LIVE_EVERY_MS);
  return () => {
    clearInterval(timer);
    live?.('');
  };
}

export function processTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    // A slow reader slows the writer. A reader that has gone ends the process: endWhenOutputCloses.
    bytes: (chunk) => new Promise((resolve) => void process.stdout.write(chunk, () => resolve())),
    // Cuts the line to the window, because only the last row of a wrapped line could be overwritten.
    ...(process.stdout.isTTY && {
      live: (line: string) => void process.stdout.write(`\r\u001b[2K${line.slice(0, windowColumns() - 1)}`),
      columns: windowColumns,
    }),
    ...(process.stdin.isTTY &&
      process.stderr.isTTY && {
        // On standard error, so that standard output can be piped.
        async ask(question: string) {
          const asking = createInterface({ input: process.stdin, output: process.stderr });
          try {
            return await asking.question(question);
          } finally {
            asking.close();
          }
        },
      }),
    onInterrupt: (interrupted) => {
      process.once('SIGINT', interrupted);
      return () => process.off('SIGINT', interrupted);
    },
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
  };
}

function windowColumns(): number {
  return process.stdout.columns || 80;
}

/**
 * Calls `end` once when the reader closes the output, as in `everpost message show … | head -1`, so that no stack trace
 * is printed. Throws any other error of the stream.
 */
export function endWhenOutputCloses(output: Writable, end: () => void): void {
  let isEnding = false;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!isEnding) end();
    isEnding = true;
  });
}
