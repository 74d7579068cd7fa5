import { describe, expect, it } from 'vitest';
import { runToTheirEnd } from '../../src/worker/start-worker.js';

type State = 'RUNNING' | 'STOPPING' | 'STOPPED' | 'FAILED';

/** A worker of the SDK whose run ends as the test says. */
function aWorker() {
  let state: State = 'RUNNING';
  let end = (): void => undefined;
  let failWith = (_error: Error): void => undefined;
  const run = new Promise<void>((resolve, reject) => {
    end = resolve;
    failWith = reject;
  });
  return {
    run: () => run,
    getState: () => state,
    shutdown(): void {
      state = 'STOPPED';
      end();
    },
    /** As the SDK does: it has failed, and its run waits for a server. */
    failWithoutEnd(): void {
      state = 'FAILED';
    },
    fail(error: Error): void {
      state = 'FAILED';
      failWith(error);
    },
  };
}

function aConnection() {
  let closed = 0;
  return {
    close(): Promise<void> {
      closed += 1;
      return Promise.resolve();
    },
    closed: () => closed,
  };
}

describe('the two workers of a process', () => {
  it('end together, and then their connection', async () => {
    const [one, other] = [aWorker(), aWorker()];
    const connection = aConnection();
    const ended = runToTheirEnd([one, other], connection);
    one.shutdown();
    await ended;
    expect(other.getState()).toBe('STOPPED');
    expect(connection.closed()).toBe(1);
  });

  it('fail with the error of the one that failed, after the other has ended', async () => {
    const [one, other] = [aWorker(), aWorker()];
    const ended = runToTheirEnd([one, other], aConnection());
    one.fail(new Error('no namespace'));
    await expect(ended).rejects.toThrow('no namespace');
    expect(other.getState()).toBe('STOPPED');
  });

  it('fail within seconds when one failed and its run does not end', async () => {
    const [one, other] = [aWorker(), aWorker()];
    const ended = runToTheirEnd([one, other], aConnection());
    one.failWithoutEnd();
    await expect(ended).rejects.toMatchObject({ code: 'TEMPORAL_UNAVAILABLE' });
    expect(other.getState()).toBe('STOPPED');
  });
});
