import { AppError } from '../contract/index.js';

/**
 * An error as an operator should read it: what failed, each problem it does not name itself on a line of its own, what
 * to do. A stack trace is printed with EVERPOST_LOG_LEVEL=debug only.
 */
export function errorLines(error: unknown, { withStack }: { readonly withStack: boolean }): string[] {
  if (error instanceof AppError && error.next !== 'bug') {
    const problems = (error.problems ?? [])
      .filter(({ message }) => !error.message.includes(message))
      .map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`);
    const gateway = error.gatewayText === undefined ? [] : [`  The gateway says: ${error.gatewayText}`];
    const candidates = (error.candidates ?? []).map((id) => `  ${id}`);
    return [
      `everpost: ${error.message} [${error.code}]`,
      ...problems,
      ...candidates,
      ...gateway,
      ...stackOf(error, withStack),
    ];
  }
  const words = error instanceof Error ? error.message : String(error);
  return [
    `everpost: unexpected error: ${words.split('\n')[0]}`,
    ...(withStack ? stackOf(error, true) : ['  Set EVERPOST_LOG_LEVEL=debug to see where it comes from.']),
  ];
}

function stackOf(error: unknown, withStack: boolean): string[] {
  return withStack && error instanceof Error && error.stack !== undefined ? [error.stack] : [];
}
