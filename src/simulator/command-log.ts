import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from './gateway-model.js';

/** The mode of the file, which holds messages of contacts and the instance's token. */
const OWNER_ONLY = 0o600;

/** A command with its time: `atMs` by the simulator's clock, `sourceMs` and `speed` to resume that clock. */
export interface LoggedCommand {
  readonly number: number;
  readonly atMs: number;
  readonly sourceMs: number;
  readonly speed: number;
  readonly command: Command;
}

/** The store of commands. */
export interface CommandLog {
  /** The ids of this log's model are derived from it. */
  readonly seed: string;
  append(logged: LoggedCommand): void;
  /** Deletes all commands, for a reset of the model. */
  restart(seed: string): void;
  close(): void;
}

/**
 * Opens a file with the seed and one JSON line for each command, written before the response to its request. An
 * incomplete last line was never acknowledged, and is removed.
 * @throws Error if the file is damaged before its last line (code DATA_FILE_DAMAGED), or cannot be opened
 */
export function openCommandLog(dataFile: string, newSeed: string): { log: CommandLog; commands: LoggedCommand[] } {
  makeFolder(dirname(dataFile));
  const file = openSync(dataFile, 'a+', OWNER_ONLY);
  const text = readFileSync(dataFile, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  ftruncateSync(file, Buffer.byteLength(whole));
  const [first, ...lines] = whole.split('\n').slice(0, -1);
  const write = (line: unknown): void => {
    writeSync(file, `${JSON.stringify(line)}\n`);
  };
  const seed = first === undefined ? newSeed : (parseLine(first, 1, dataFile) as { seed: string }).seed;
  if (first === undefined) write({ seed });
  const log: CommandLog = {
    seed,
    append: write,
    restart: (next) => {
      ftruncateSync(file);
      write({ seed: next });
    },
    close: () => closeSync(file),
  };
  return { log, commands: lines.map((line, index) => parseLine(line, index + 2, dataFile) as LoggedCommand) };
}

/** Creates each folder in turn: Node's recursive mkdir never returns below /proc, where no folder can be created. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function parseLine(line: string, number: number, dataFile: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const words = `Simulator data file ${dataFile} is damaged at line ${number}. Move it away to start without it.`;
    throw Object.assign(new Error(words, { cause }), { code: 'DATA_FILE_DAMAGED' });
  }
}
