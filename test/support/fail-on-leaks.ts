import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { closeRemaining } from './close-after-test.js';
import { eventually } from './eventually.js';
import { takeUndocumented } from './undocumented.js';

/*
 * After every test: nothing was printed, and every response of the API is in its OpenAPI document.
 * After every file: no listening server and no child process is left.
 * A test that expects output mocks the console itself, and restores it.
 */
const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const OUTLIVING = ['TCPServerWrap', 'PipeServerWrap', 'ProcessWrap'];

let printed: string[] = [];
const before = openHandles();

beforeEach(() => {
  printed = [];
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => {
      printed.push(
        `console.${method}: ${words.map((word) => (typeof word === 'string' ? word : inspect(word))).join(' ')}`,
      );
    });
  }
});

afterEach(async () => {
  await closeRemaining();
  for (const method of METHODS) vi.mocked(console[method]).mockRestore();
  expect(printed, 'a test prints nothing').toEqual([]);
  expect(takeUndocumented(), 'exchanges with the API that its OpenAPI document does not describe').toEqual([]);
});

afterAll(async () => {
  await eventually(() => expect(leftOpen(), 'servers and processes that a test file left open').toEqual([]));
});

/** What is open and was not before. A handle that an earlier file of this process was closing then may be gone now. */
function leftOpen(): string[] {
  const earlier = [...before];
  return openHandles().filter((kind) => {
    const at = earlier.indexOf(kind);
    if (at >= 0) earlier.splice(at, 1);
    return at < 0;
  });
}

function openHandles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => OUTLIVING.includes(kind))
    .toSorted();
}
