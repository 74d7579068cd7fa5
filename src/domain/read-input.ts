import type { z } from 'zod';
import { AppError, isRecord, UNSENDABLE, UNSENDABLE_WORDS, wellFormed, type Problem } from '../contract/index.js';

/** Parses an input by a schema. @throws AppError INPUT_INVALID with all problems at once */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const read = schema.safeParse(value);
  const problems = [...unsendableTexts(value), ...(read.success ? [] : problemsOf(read.error))];
  if (read.success && problems.length === 0) return read.data;
  throw inputInvalid(what, problems);
}

/**
 * The texts and field names in an input that cannot be stored and sent unchanged, with their paths. The schemas do not
 * check this: some fields are free, and a new one would be forgotten.
 */
export function unsendableTexts(input: unknown): Problem[] {
  const problems: Problem[] = [];
  // A workflow's input may be nested deeply, so this is no recursion.
  const left: { readonly value: unknown; readonly path: string }[] = [{ value: input, path: '' }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && UNSENDABLE.test(value)) problems.push({ path, message: UNSENDABLE_WORDS });
    if (Array.isArray(value))
      left.push(...value.map((one, at) => ({ value: one, path: `${path}[${at}]` })).toReversed());
    else if (isRecord(value)) {
      const fields = Object.entries(value).map(([name, field]) => ({
        name,
        value: field,
        path: fieldPath(path, wellFormed(name)),
      }));
      const misnamed = fields.filter(({ name }) => UNSENDABLE.test(name));
      problems.push(...misnamed.map((field) => ({ path: field.path, message: `has a name that ${UNSENDABLE_WORDS}` })));
      left.push(...fields.toReversed());
    }
  }
  return problems;
}

export function inputInvalid(what: string, problems: readonly Problem[]): AppError {
  const words = problems.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
  return new AppError('INPUT_INVALID', `${what} is refused: ${words}. Correct it and ask again; nothing was begun.`, {
    problems,
  });
}

const UNKNOWN_FIELD = 'is not a known field';
/** A campaign or a schedule keeps its text for longer than a code may be kept. */
const NOT_SENSITIVE = 'is only for a single message: send each code by POST /v1/messages';

export function isUnknownField({ message }: Problem): boolean {
  return message === UNKNOWN_FIELD;
}

export function problemsOf(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = pathOf(issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: pathOf([...issue.path, key]),
        message: key === 'sensitive' ? NOT_SENSITIVE : UNKNOWN_FIELD,
      }));
    }
    return [{ path, message: LIBRARY_WORDS.test(issue.message) ? wordsFor(issue) : issue.message }];
  });
}

/** The beginnings of zod's own messages; a schema that has words of its own keeps them. */
const LIBRARY_WORDS = /^(?:Too (?:small|big): |Invalid input: expected )/;

function wordsFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    const type = TYPES[issue.expected] ?? issue.expected;
    return issue.message.endsWith('received undefined') ? `is missing: give ${type}` : `is not ${type}`;
  }
  if (issue.code === 'too_small') {
    const parts = PARTS[issue.origin];
    if (parts === undefined) return `is ${issue.inclusive === false ? 'not more' : 'less'} than ${issue.minimum}`;
    if (issue.minimum === 1) return issue.origin === 'string' ? 'is empty' : 'is an empty list';
    return `has too few ${parts}: at least ${issue.minimum} are needed`;
  }
  if (issue.code !== 'too_big') return issue.message;
  const parts = PARTS[issue.origin];
  if (parts === undefined) return `is ${issue.inclusive === false ? 'not less' : 'more'} than ${issue.maximum}`;
  return `has too many ${parts}: at most ${issue.maximum} are allowed`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const PARTS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

/** A path in the form of the input, e.g. `buttons[0].url`. */
function pathOf(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : fieldPath(path, String(step))),
    '',
  );
}

function fieldPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
