/** The examples of HTTP clients, run as by their readers: with only what each names. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { sendBooking } from '../../examples/send-http.js';
import { findOnPath } from '../../src/tools/local-temporal/download-binary.js';
import { aLiveApi, type LiveApi } from '../api/live-api.js';
import { test } from '../support/temporal/temporal.js';

const execute = promisify(execFile);
const TO = '15551234567';

let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `http-examples-${randomUUID()}`);
});
test.afterAll(() => live.close());

async function expectSentOnce(send: (booking: string) => Promise<unknown>): Promise<void> {
  const booking = randomUUID();
  const before = live.phoneOf(TO).length;
  const sent = await send(booking);
  expect(sent).toMatchObject({ state: 'delivered' });
  // A second run is still one message.
  expect(await send(booking)).toEqual(sent);
  expect(live.phoneOf(TO)).toHaveLength(before + 1);
}

const PROGRAMS = [
  { language: 'Python', command: 'python3', args: ['examples/send_http.py'] },
  { language: 'Go', command: 'go', args: ['run', 'examples/send_http.go'] },
];
/** An example is skipped on a machine without its language. */
const FOUND = await Promise.all(
  PROGRAMS.map(async (one) => ({ ...one, program: (await findOnPath(one.command, process.env['PATH'] ?? ''))[0] })),
);

describe('an example sends a message once, and waits until it is delivered', () => {
  test('TypeScript', () =>
    expectSentOnce(async (booking) => {
      const { id, state } = await sendBooking(live.url, booking, TO);
      return { id, state };
    }));

  for (const { language, program, args } of FOUND) {
    const run = () =>
      expectSentOnce(async (booking) => {
        const cwd = fileURLToPath(new URL('../..', import.meta.url));
        const { stdout } = await execute(program ?? '', [...args, live.url, booking], { cwd });
        return JSON.parse(stdout) as unknown;
      });
    if (program === undefined) test.skip(`${language} (skipped: it is not on PATH)`, () => undefined);
    else test(language, run);
  }
});
