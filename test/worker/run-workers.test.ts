import { EventEmitter, once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { runToTheirEnd } from '../../src/worker/start-worker.js';

type State = 'RUNNING' | 'STOPPING' | 'STOPPED' | 'FAILED';

/** A worker of the SDK whose run ends as the test says. */
function aWorker() {
  let state: State = 'RUNNING';
  const ending = new EventEmitter();
  const run = once(ending, 'end').then(() => undefined);
  return {
    run: () => run,
    getState: () => state,
    shutdown(): void {
      state = 'STOPPED';
      ending.emit('end');
    },
    /** Without an error, as the SDK does: it has failed, and its run waits for a server. */
    fail(error?: Error): void {
      state = 'FAILED';
      if (error !== undefined) ending.emit('error', error);
    },
  };
}

/** Two workers whose runs have begun, and how often their connection was closed. */
function aPair() {
  const [one, other] = [aWorker(), aWorker()];
  const close = vi.fn(() => Promise.resolve());
  return { one, other, close, ended: runToTheirEnd([one, other], { close }) };
}

describe('the two workers of a process', () => {
  it('end together, and then their connection', async () => {
    const { one, other, close, ended } = aPair();
    one.shutdown();
    await ended;
    expect(other.getState()).toBe('STOPPED');
    expect(close).toHaveBeenCalledOnce();
  });

  it.each([
    ['with the error of the one that failed, after the other has ended', new Error('no namespace'), 'no namespace'],
    [
      'within seconds when the run of the failed one does not end',
      undefined,
      'The worker failed: Temporal, or a proxy',
    ],
  ])('fail %s', async (_, error, message) => {
    const { one, other, ended } = aPair();
    one.fail(error);
    await expect(ended).rejects.toThrow(message);
    expect(other.getState()).toBe('STOPPED');
  });
});
