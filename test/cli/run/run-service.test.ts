import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const RUN_SERVICE = new URL('../../../dist/cli/commands/run/run-service.js', import.meta.url).href;

/** A separate process: an uncaught error affects the whole process. */
async function serviceThat(failing: string): Promise<{ code: unknown; out: string; err: string }> {
  const script = `
    import { runService } from ${JSON.stringify(RUN_SERVICE)};
    const ended = new Promise(() => undefined);
    const start = async ({ teardown, stopping }) => {
      teardown.add('part', () => console.log('part ended'));
      ${failing}
      return { ended };
    };
    const log = ({ level, message }) => level === 'error' && console.log(message);
    process.exitCode = await runService({ log, stopWithinMs: 5_000, start }).catch((error) => {
      console.error(error);
      return 1;
    });`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, out, err) => {
      resolve({ code: error?.code ?? 0, out, err });
    });
  });
}

describe('an uncaught error', () => {
  it.each([
    ['while the service runs', "setTimeout(() => { throw new Error('not foreseen'); });"],
    ['as a rejection', "void Promise.reject(new Error('not foreseen'));"],
    [
      'while the service starts',
      `setTimeout(() => { throw new Error('not foreseen'); });
       await new Promise((resolve) => stopping.addEventListener('abort', resolve));
       stopping.throwIfAborted();`,
    ],
  ])('%s ends the started parts, and then the process', async (_when, failing) => {
    const { code, out, err } = await serviceThat(failing);
    expect({ code, out }).toEqual({
      code: 1,
      out: 'Uncaught error; stopping all parts\npart ended\n',
    });
    expect(err).toContain('Error: not foreseen');
  });
});

describe('a part that cannot be ended', () => {
  it('does not keep the process alive', async () => {
    const { code, out } = await serviceThat(`
      teardown.add('stuck part', () => Promise.reject(new Error('stuck')));
      setInterval(() => undefined, 1_000);
      return { ended: Promise.resolve(new Error('it failed')) };`);
    expect({ code, out }).toEqual({ code: 1, out: 'stuck part did not end cleanly\npart ended\n' });
  });
});
