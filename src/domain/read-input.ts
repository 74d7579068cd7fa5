import type { z } from 'zod';
import { AppError, type Problem } from '../contract/index.js';

/** Parses an input by a schema. @throws AppError INPUT_INVALID with all problems at once */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw inputInvalid(what, problemsOf(read.error));
}

export function inputInvalid(what: string, problems: readonly Problem[]): AppError {
  const words = problems.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
  return new AppError('INPUT_INVALID', `${what} is refused: ${words}. Correct it and ask again; nothing was begun.`, {
    problems,
  });
}

const UNKNOWN_FIELD = 'is not a known field';

export function isUnknownField({ message }: Problem): boolean {
  return message === UNKNOWN_FIELD;
}

export function problemsOf(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = pathOf(issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: UNKNOWN_FIELD }));
    }
    if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
      return [{ path, message: `is missing (${issue.expected})` }];
    }
    return [{ path, message: issue.message }];
  });
}

/** A path in the form of the input, e.g. `buttons[0].url`. */
function pathOf(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>(
    (path, step) =>
      typeof step === 'number' ? `${path}[${step}]` : path === '' ? String(step) : `${path}.${String(step)}`,
    '',
  );
}
