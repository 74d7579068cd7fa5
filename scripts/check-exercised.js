// Which documented answers of the API no test has seen. Tests write each one that they saw to the file that is named here
// (test/starter/documented-api.ts), one a line: the operation and the status.
import { readFileSync } from 'node:fs';

/** Any request may be answered by these; that each is, somewhere, is enough. */
const SHARED = ['401', '500', '503'];

/** Not exercised, with the reason. */
const EXCEPTIONS = new Map([
  ['openapi 200', 'the document itself: test/starter/openapi.test.ts'],
  ['docs 200', 'the page: test/starter/openapi.test.ts'],
]);

/**
 * @param {{ paths: Record<string, Record<string, { operationId: string, responses: Record<string, unknown> }>> }} document
 * @param {ReadonlySet<string>} seen
 * @returns {string[]} what is missing, and exceptions that are none any more
 */
export function notExercised(document, seen) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .filter((status) => status !== 'default' && !SHARED.includes(status))
      .map((status) => `${operationId} ${status}`),
  );
  const missing = documented.filter((answer) => !seen.has(answer) && !EXCEPTIONS.has(answer));
  const stale = [...EXCEPTIONS.keys()].filter((answer) => seen.has(answer) || !documented.includes(answer));
  return [
    ...missing.map((answer) => `No test has seen ${answer}. Test it, or add an exception with its reason.`),
    ...stale.map((answer) => `${answer} is no exception any more. Remove it from the list.`),
  ];
}

const [file] = process.argv.slice(2);
if (file !== undefined) {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  const problems = notExercised(document, new Set(readFileSync(file, 'utf8').trim().split('\n')));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
