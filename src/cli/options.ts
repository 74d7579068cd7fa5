/** Arguments and options of commands, and their parsers. The types are derived from the help syntax. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { InvalidArgumentError, type Option } from 'commander';
import { AppError, JsonTooDeepError, parseDurationMs, parseJson } from '../contract/index.js';
import type { Terminal } from './terminal.js';

/** An option whose value is neither a plain text nor a switch. */
export interface OptionSpec<Value> {
  readonly description: string;
  shape(option: Option): Option;
  /** Carries the type only. */
  readonly value?: Value;
}

/** An option that always has a value. */
export interface AlwaysGiven<Value> extends OptionSpec<Value> {
  readonly isAlwaysGiven: true;
}

/** Descriptions or specs, keyed by the help syntax of an argument or option. */
export type Specs = Readonly<Record<string, OptionSpec<unknown> | string>>;

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type NameOf<Syntax> = Syntax extends `<${infer Name}>` | `[${infer Name}]`
  ? Name
  : Syntax extends `--no-${infer Name}`
    ? Camel<Name>
    : Syntax extends `--${infer Name} ${string}`
      ? Camel<Name>
      : Syntax extends `--${infer Name}`
        ? Camel<Name>
        : never;

type ValueOf<Syntax, Spec> =
  Spec extends OptionSpec<infer Value>
    ? Value
    : Syntax extends `--no-${string}`
      ? boolean
      : Syntax extends `--${string}[${string}`
        ? string | true
        : Syntax extends `--${string} <${string}` | `<${string}` | `[${string}`
          ? string
          : true;

type IsAlwaysGiven<Syntax, Spec> = Syntax extends `<${string}` | `--no-${string}`
  ? true
  : Spec extends AlwaysGiven<unknown>
    ? true
    : false;

type Values<All> = {
  readonly [Syntax in keyof All as IsAlwaysGiven<Syntax, All[Syntax]> extends true ? NameOf<Syntax> : never]: ValueOf<
    Syntax,
    All[Syntax]
  >;
} & {
  readonly [Syntax in keyof All as IsAlwaysGiven<Syntax, All[Syntax]> extends true ? never : NameOf<Syntax>]?: ValueOf<
    Syntax,
    All[Syntax]
  >;
};

/** The arguments and options of one invocation, by name. */
export type Given<Args extends Specs, Options extends Specs> = Values<Args> & Values<Options>;

/** One of these words. */
export function choice<Word extends string>(words: readonly Word[], description: string): OptionSpec<Word> {
  return { description, shape: (option) => option.choices(words) };
}

/** Several of these words, for flags like `--state <state...>`. */
export function severalOf<Word extends string>(
  words: readonly Word[],
  description: string,
): OptionSpec<readonly Word[]> {
  return { description, shape: (option) => option.choices(words) };
}

/** @param read  throws InvalidArgumentError; `before` is the value of an earlier occurrence */
export function parsed<Value>(
  read: (text: string, before: Value | undefined) => Value,
  description: string,
): OptionSpec<Value> {
  return { description, shape: (option) => option.argParser<Value>(read) };
}

/** A whole number in a range. @param problem  the message for any other value */
export function numberOption(min: number, max: number, problem: string, description: string): OptionSpec<number> {
  return parsed((text) => {
    if (!/^\d{1,10}$/.test(text) || Number(text) < min || Number(text) > max) throw new InvalidArgumentError(problem);
    return Number(text);
  }, description);
}

export function portOption(description: string): OptionSpec<number> {
  return numberOption(0, 65_535, 'must be a port number from 0 to 65535; 0 picks a free one', description);
}

/** An option that may be repeated, once for each value. */
export function repeated(description: string): OptionSpec<readonly string[]> {
  return parsed((value, before = []) => [...before, value], description);
}

/** A mandatory option. */
export function required(description: string): AlwaysGiven<string>;
export function required<Value>(spec: OptionSpec<Value>): AlwaysGiven<Value>;
export function required(given: OptionSpec<unknown> | string): AlwaysGiven<unknown> {
  const spec = typeof given === 'string' ? textual(given) : given;
  return { ...spec, shape: (option) => spec.shape(option).makeOptionMandatory(), isAlwaysGiven: true };
}

/** @param shown  the default as help prints it */
export function byDefault(value: string, description: string): AlwaysGiven<string>;
export function byDefault<Value>(value: Value, spec: OptionSpec<Value>, shown?: string): AlwaysGiven<Value>;
export function byDefault(value: unknown, given: OptionSpec<unknown> | string, shown?: string): AlwaysGiven<unknown> {
  const spec = typeof given === 'string' ? textual(given) : given;
  return { ...spec, shape: (option) => spec.shape(option).default(value, shown), isAlwaysGiven: true };
}

function textual(description: string): OptionSpec<string> {
  return { description, shape: (option) => option };
}

/** `--instance` of a command that needs one account. */
export const INSTANCE = {
  '--instance <name>': 'the account (default: EVERPOST_INSTANCE, else the only configured account)',
} as const;

/** `--country` of a command that reads numbers. */
export const COUNTRY = { '--country <code>': 'country of numbers without a country code, e.g. DE' } as const;

/** `--timeout` of a command that waits for an outcome, in milliseconds. */
export function timeoutOption(description: string) {
  const waitFor = '60s';
  const option = byDefault(durationOption(waitFor), parsed(durationOption, description), waitFor);
  return { '--timeout <duration>': option } as const;
}

/** Reads an option like `--timeout 60s`. */
export function durationOption(text: string): number {
  try {
    return parseDurationMs(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** `--since` of a command. Its value is ISO 8601. */
export function sinceOption(what: string, example = '24h'): OptionSpec<string> {
  return parsed(pastTime, `${what}: ISO 8601, or a duration before now, e.g. ${example}`);
}

/** Reads an option like `--since 24h` or `--since 2026-03-01T00:00:00Z`. @returns ISO 8601 */
export function pastTime(text: string): string {
  if (/^\d{4}-/.test(text)) {
    const atMs = Date.parse(text);
    if (Number.isNaN(atMs)) throw new InvalidArgumentError('must be a time like 2026-03-01T00:00:00Z');
    return new Date(atMs).toISOString();
  }
  return new Date(Date.now() - durationOption(text)).toISOString();
}

/**
 * Reads the JSON of an option: the JSON itself, `@file`, or `-` for standard input.
 * @param option  the name of the option, e.g. `--body`
 * @throws AppError INPUT_INVALID
 */
export async function readJsonOption(option: string, given: string, terminal: Terminal): Promise<unknown> {
  try {
    if (given === '-') return parseJson(await readAll(terminal.stdin));
    if (given.startsWith('@')) return parseJson(await readFile(path.resolve(terminal.cwd, given.slice(1)), 'utf8'));
    return parseJson(given);
  } catch (error) {
    const why =
      error instanceof SyntaxError
        ? 'is not valid JSON'
        : error instanceof JsonTooDeepError
          ? error.message
          : 'cannot be read';
    const what = option.replace(/^--/, '');
    throw new AppError('INPUT_INVALID', `The ${what} ${why}. Give JSON, @file, or - for standard input.`, {
      problems: [{ path: option, message: error instanceof Error ? error.message : String(error) }],
      cause: error,
    });
  }
}
