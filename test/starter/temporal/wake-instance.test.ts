/** How an instance is woken: by an announcement to the workers, or by a signal to its workflow. */
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createWaker } from '../../../src/starter/index.js';
import { eventually } from '../../support/eventually.js';

let connection: Connection;
beforeAll(() => {
  // Nothing listens on the port of the discard service.
  connection = Connection.lazy({ address: '127.0.0.1:9' });
});
afterAll(() => connection.close());

/** A waker with a ledger in memory, and a client whose signals are recorded, or fail. */
function aWaker({ signalWith }: { readonly signalWith?: () => Promise<unknown> } = {}) {
  const served = new Set<string>();
  /** The number of shifts of the instance. */
  const shifts = new Map<string, number>();
  const clock = { now: Date.now() };
  const happened: string[] = [];
  const logged: unknown[] = [];
  const signals: { readonly type: string; readonly options: object }[] = [];
  const client = new Client({ connection });
  const ended: unknown[] = [];
  vi.spyOn(client.activity, 'fail').mockImplementation(async (activity: unknown) => void ended.push(activity));
  vi.spyOn(client.workflow, 'signalWithStart').mockImplementation(async (type, options) => {
    signals.push({ type: String(type), options });
    await signalWith?.();
    return client.workflow.getHandle(options.workflowId) as never;
  });
  const wake = createWaker({
    client,
    clock: { nowMs: () => clock.now },
    log: (entry) => void logged.push(entry),
    ledger: {
      wakes: { announce: (instance) => void happened.push(`announced ${instance}`) },
      dispatch: {
        lastShift: (instance) => {
          happened.push(`looked ${instance}`);
          return Promise.resolve({ epoch: String(shifts.get(instance) ?? 0), isServing: served.has(instance) });
        },
      },
    },
  });
  return { wake, served, shifts, clock, happened, logged, signals, ended };
}

/** Proves WAKER-1 to WAKER-6. */
describe('waking an instance', () => {
  it('announces it first and reads the ledger afterwards, and does no more while a shift serves it', async () => {
    const { wake, served, happened, signals } = aWaker();
    served.add('main');
    await wake('main');
    expect(happened).toEqual(['announced main', 'looked main']);
    expect(signals).toEqual([]);
  });

  it('signals its workflow, and starts a missing one, when no shift serves it', async () => {
    const { wake, signals } = aWaker();
    await wake('main');
    expect(signals).toEqual([
      {
        type: 'instance',
        options: expect.objectContaining({
          workflowId: 'instance:main',
          taskQueue: 'everpost-dispatch',
          args: [{ instance: 'main' }],
          signal: 'wake',
        }),
      },
    ]);
  });

  it('does it once more for all requests that come during a wake', async () => {
    let answer = (): void => undefined;
    const { wake, shifts, happened, signals } = aWaker({
      signalWith: () => new Promise<void>((resolve) => (answer = resolve)),
    });
    const first = wake('main');
    await eventually(() => expect(signals).toHaveLength(1));
    const others = [wake('main'), wake('main'), wake('main')];
    // A shift began and ended meanwhile.
    shifts.set('main', 1);
    answer();
    await eventually(() => expect(signals).toHaveLength(2));
    answer();
    await Promise.all([first, ...others]);
    expect(signals).toHaveLength(2);
    expect(happened.filter((what) => what === 'announced main')).toHaveLength(4);
  });

  it('sends no further signal before a shift has begun, but for a minute at most', async () => {
    const { wake, shifts, clock, signals } = aWaker();
    await wake('main');
    await wake('main');
    expect(signals).toHaveLength(1);
    await wake('other');
    expect(signals).toHaveLength(2);
    shifts.set('main', 1);
    await wake('main');
    expect(signals).toHaveLength(3);
    clock.now += 59_999;
    await wake('main');
    expect(signals).toHaveLength(3);
    clock.now += 1;
    await wake('main');
    expect(signals).toHaveLength(4);
  });

  it('ends its try once when no shift has begun eight seconds after the signal', async () => {
    const { wake, clock, signals, ended } = aWaker();
    await wake('main');
    clock.now += 7_999;
    await wake('main');
    expect(ended).toEqual([]);
    clock.now += 1;
    await wake('main');
    await wake('main');
    expect(ended).toEqual([{ workflowId: 'instance:main', activityId: 'dispatch' }]);
    expect(signals).toHaveLength(1);
  });

  it('pauses before the next read, however often it is requested', async () => {
    const { wake, served, happened } = aWaker();
    served.add('main');
    await wake('main');
    const beganAtMs = performance.now();
    await Promise.all([wake('main'), wake('main'), wake('main')]);
    expect(performance.now() - beganAtMs).toBeGreaterThanOrEqual(20);
    expect(happened.filter((what) => what === 'looked main')).toHaveLength(2);
  });

  it('does not wait for another instance', async () => {
    const { wake, served, signals } = aWaker({ signalWith: () => new Promise(() => undefined) });
    served.add('other');
    void wake('main');
    await eventually(() => expect(signals).toHaveLength(1));
    await wake('other');
  });

  it('never throws while Temporal is unavailable, logs it once, and logs when it works again', async () => {
    let isAway = true;
    const { wake, logged } = aWaker({
      signalWith: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()),
    });
    for (const instance of ['a', 'b', 'a']) await wake(instance);
    isAway = false;
    await wake('a');
    expect(logged).toMatchObject([{ level: 'warn' }, { level: 'info', failures: 3 }]);
  });
});
