import type { z } from 'zod';
import { AppError, OPERATIONS, type OperationName, type Problem } from '../contract/index.js';
import { bodyOf } from './wire-request.js';
import { contractOf, type OperationRequest } from './operations/index.js';

/** The "100 kb" of the gateway's document, with 1024 bytes per kb as its kind of server counts the whole JSON body. */
const MAX_BODY_BYTES = 100 * 1024;

/**
 * Checks a request by the gateway's rules before it is sent.
 * @returns the request as it is sent, and warnings about values that the gateway advises against
 * @throws AppError INPUT_INVALID with all problems at once, INPUT_TOO_LARGE if only its size is wrong
 */
export function checkRequest<Name extends OperationName>(
  name: Name,
  request: unknown,
): { request: OperationRequest<Name>; warnings: string[] } {
  const contract = contractOf(name);
  const documented = contract.asDocumented?.(request) ?? request;
  const checked = contract.request.safeParse(documented, { error: wordsFor });
  if (!checked.success) {
    const problems = checked.error.issues.flatMap((issue) => problemsOf(name, issue));
    throw new AppError('INPUT_INVALID', summary(name, problems), { problems });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract of the operation has just read it as that
  const known = checked.data as OperationRequest<Name>;
  const isJson = OPERATIONS[name].verb === 'POST' && contract.toRawBody === undefined;
  const sizeBytes = isJson ? Buffer.byteLength(bodyOf(name, known)) : 0;
  if (sizeBytes > MAX_BODY_BYTES) {
    const problems = [{ path: '', message: 'request entity too large' }];
    throw new AppError('INPUT_TOO_LARGE', summary(name, problems), { problems });
  }
  return { request: known, warnings: contract.warnings?.(known) ?? [] };
}

function summary(name: OperationName, problems: readonly Problem[]): string {
  const shown = problems.slice(0, 5).map(({ message }) => message);
  const more = problems.length - shown.length;
  const rest = more > 0 ? `; and ${more} more` : '';
  return `The request for ${name} was not sent, it has ${problems.length} problem${problems.length === 1 ? '' : 's'}: ${shown.join('; ')}${rest}. Correct the request.`;
}

/** The gateway's text for a problem, if the contract has no text for it. It never contains a value. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  const name = `'${pathOf(issue.path ?? [])}'`;
  const lacking = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  if (lacking) return `Validation failed, details: ${name} is required`;
  if (issue.code === 'invalid_type')
    return `Validation failed, ${name} must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `Validation failed, details: ${name} must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? `Validation failed, details: ${name} length must be less than or equal to ${issue.maximum} characters long`
      : `Validation failed, ${name} must be less than or equal to ${issue.maximum}`;
  }
  if (issue.code === 'too_small') {
    return issue.origin === 'string'
      ? `Validation failed, details: ${name} is not allowed to be empty`
      : `Validation failed, ${name} must be larger than or equal to ${issue.minimum}`;
  }
  return undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

function problemsOf(name: OperationName, issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const path = pathOf([...issue.path, key]);
      return { path, message: `'${path}' is not a field of ${name}` };
    });
  }
  if (issue.code === 'invalid_union') {
    // Only the last alternative has content, so its text describes a valid value.
    const last = issue.errors.at(-1) ?? [];
    return last.flatMap((inner) => problemsOf(name, { ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ path: pathOf(issue.path), message: issue.message }];
}

/** A path such as `buttons[0].url`. An unknown field name is cut, since it may be any text. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`;
    const word = String(part).slice(0, 60);
    return before === '' ? word : `${before}.${word}`;
  }, '');
}
