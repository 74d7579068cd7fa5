import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fixedInstances, simulatorInstance } from '../../src/config/index.js';
import type { InstanceConfig } from '../../src/contract/index.js';
import { createGateway } from '../../src/gateway/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { startBackgroundJob, watchInstances, type BackgroundJob } from '../../src/worker/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { shiftOf } from '../support/shift.js';
import { eventually } from '../support/eventually.js';

const clock = { nowMs: () => Date.now() };
const log = (): void => undefined;

const ledger = useLedger();

describe('a background job', () => {
  test('runs on one of several workers, and on another when that one stops (LOOP-1)', async () => {
    const { leases } = ledger;
    const done: string[] = [];
    const leaseOf = (holder: string): BackgroundJob => ({
      name: 'count',
      everyMs: 20,
      round: () => Promise.resolve(void done.push(holder)),
    });
    const first = startBackgroundJob(leaseOf('first'), { leases, holder: 'first', log });
    await eventually(() => expect(done.length).toBeGreaterThan(2));
    const second = startBackgroundJob(leaseOf('second'), { leases, holder: 'second', log });
    const soFar = done.length;
    await eventually(() => expect(done.length).toBeGreaterThan(soFar + 2));
    expect(done).not.toContain('second');
    await first.stop();
    await eventually(() => expect(done).toContain('second'));
    await second.stop();
  });

  test('runs on each worker without a lease, if it asks for that', async () => {
    const { leases } = ledger;
    const rounds = [0, 0];
    const running = rounds.map((_, at) => {
      const round = () => Promise.resolve(void (rounds[at] = (rounds[at] ?? 0) + 1));
      const job = { name: 'everywhere', everyMs: 10, inEveryWorker: true, round };
      return startBackgroundJob(job, { leases, holder: `worker ${at}`, log });
    });
    await eventually(() => expect(Math.min(...rounds)).toBeGreaterThan(1));
    await Promise.all(running.map((job) => job.stop()));
    expect(await leases.acquire('everywhere', 'third', 60_000)).toBe(true);
  });

  test('continues after a failed round, and logs it (LOOP-2)', async () => {
    const { leases } = ledger;
    const logged: string[] = [];
    let rounds = 0;
    const failing: BackgroundJob = {
      name: 'fail once',
      everyMs: 10,
      round: () => (++rounds === 1 ? Promise.reject(new Error('not today')) : Promise.resolve()),
    };
    const running = startBackgroundJob(failing, {
      leases,
      holder: 'worker',
      log: ({ message }) => void logged.push(message),
    });
    await eventually(() => expect(rounds).toBeGreaterThan(1));
    await running.stop();
    expect(logged).toEqual(['fail once failed; retried automatically', 'fail once works again']);
  });

  test('begins a round early after a wake, also one that comes during a round (LOOP-3)', async () => {
    const { leases } = ledger;
    const wakes = new Set<() => void>();
    let rounds = 0;
    const job = {
      name: 'wait for wakes',
      everyMs: 60_000,
      wakes: (wake: () => void) => {
        wakes.add(wake);
        return { close: () => void wakes.delete(wake) };
      },
      round: () => {
        rounds += 1;
        if (rounds === 2) for (const wake of wakes) wake();
        return Promise.resolve();
      },
    };
    const running = startBackgroundJob(job, { leases, holder: 'worker', log });
    await eventually(() => expect(rounds).toBe(1));
    for (const wake of wakes) wake();
    await eventually(() => expect(rounds).toBe(3));
    await running.stop();
    expect(wakes.size).toBe(0);
  });

  test('keeps the pause that a round asked for, whatever wakes it (LOOP-3)', async () => {
    const { leases } = ledger;
    const began: number[] = [];
    let wakeIt: () => void = () => undefined;
    const job = {
      name: 'pause although woken',
      everyMs: 60_000,
      wakes: (wake: () => void) => {
        wakeIt = wake;
        return { close: () => undefined };
      },
      round: () => {
        began.push(performance.now());
        if (began.length > 1) return Promise.resolve();
        wakeIt();
        return Promise.resolve(200);
      },
    };
    const running = startBackgroundJob(job, { leases, holder: 'worker', log });
    await eventually(() => expect(began.length).toBe(1));
    wakeIt();
    await eventually(() => expect(began.length).toBeGreaterThan(1));
    await running.stop();
    const [first = 0, second = 0] = began;
    // A timer may fire a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(199);
  });

  test('aborts the round that runs when it stops, and releases the lease (LOOP-4)', async () => {
    const { leases } = ledger;
    let aborted = false;
    let hasBegun = false;
    const job: BackgroundJob = {
      name: 'wait for the stop',
      everyMs: 60_000,
      round: (signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          hasBegun = true;
          signal?.addEventListener('abort', () => {
            aborted = true;
            resolve();
          });
        }),
    };
    const running = startBackgroundJob(job, { leases, holder: 'worker', log });
    await eventually(() => expect(hasBegun).toBe(true));
    expect(await leases.acquire(job.name, 'another', 60_000)).toBe(false);
    await running.stop();
    expect(aborted).toBe(true);
    expect(await leases.acquire(job.name, 'another', 60_000)).toBe(true);
  });
});

describe('the job that reads instance states', () => {
  /** Two accounts of one simulator, and their states. */
  async function twoAccounts(idle: Partial<InstanceConfig> = {}) {
    const simulator = await startSimulator();
    const [main, other] = [`main-${randomUUID()}`, `other-${randomUUID()}`];
    const instances = fixedInstances([
      { ...simulatorInstance(simulator.url), name: main },
      { ...simulatorInstance(simulator.url), ...idle, name: other, idInstance: '1101000002' },
    ]);
    const gateway = createGateway({ instances, clock });
    onTestFinished(async () => {
      await gateway.close();
      await simulator.close();
    });
    const set = async (idInstance: string, state: string) => {
      await fetch(`${simulator.url}/_sim/instances/${idInstance}`, {
        method: 'PATCH',
        body: JSON.stringify({ state }),
      });
    };
    return { simulator, main, other, set, parts: { instances, ledger, gateway, clock, log } };
  }

  test('records the state of each instance, also of an unused one', async () => {
    const { main, other, set, parts } = await twoAccounts();
    await set('1101000001', 'notAuthorized');
    await set('1101000002', 'yellowCard');
    await watchInstances(parts).round();
    expect(await ledger.instanceStates.current(main)).toMatchObject({ state: 'notAuthorized' });
    expect(await ledger.instances.pauses(other)).toMatchObject([{ reason: 'yellowCard', witness: 'getStateInstance' }]);
  });

  test('skips an instance that does not offer it', async () => {
    const { simulator, other, parts } = await twoAccounts({ capabilities: ['sendMessage'] });
    await watchInstances(parts).round();
    expect(await ledger.instanceStates.current(other)).toBeUndefined();
    expect(simulator.requests()).toHaveLength(1);
  });

  test('reports each authorized instance, and whether that is new', async () => {
    const { main, other, parts } = await twoAccounts();
    const told: [string, boolean][] = [];
    const onAuthorized = (name: string, isNew: boolean) => Promise.resolve(void told.push([name, isNew]));
    await ledger.instanceStates.record({ instance: other, state: 'authorized', atMs: Date.now() });
    await watchInstances({ ...parts, onAuthorized }).round();
    expect(told.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      [main, true],
      [other, false],
    ]);
  });

  test('asks an authorized instance without due messages every fifth time, and any other each time', async () => {
    const { main, other, set, simulator, parts } = await twoAccounts();
    await set('1101000002', 'notAuthorized');
    const watch = watchInstances(parts);
    const asked = async () => {
      const before = simulator.requests().length;
      await watch.round();
      return simulator
        .requests()
        .slice(before)
        .map(({ idInstance }) => idInstance)
        .toSorted();
    };
    expect(await asked()).toEqual(['1101000001', '1101000002']);
    for (let times = 1; times < 5; times += 1) expect(await asked()).toEqual(['1101000002']);
    expect(await asked()).toEqual(['1101000001', '1101000002']);
    expect(await ledger.instanceStates.current(other)).toMatchObject({ state: 'notAuthorized' });
    await ledger.dispatch.beginShift(shiftOf(main), Date.now());
    expect(await asked()).toEqual(['1101000001', '1101000002']);
  });

  test('ignores an instance that does not answer', async () => {
    const instances = fixedInstances([{ ...simulatorInstance('http://127.0.0.1:9'), name: 'away' }]);
    const gateway = createGateway({ instances, clock });
    onTestFinished(() => gateway.close());
    const logged: unknown[] = [];
    const watch = watchInstances({ instances, ledger, gateway, clock, log: (entry) => void logged.push(entry) });
    await watch.round();
    expect(logged).toMatchObject([{ instance: 'away', code: 'GATEWAY_UNREACHABLE' }]);
    expect(await ledger.instanceStates.current('away')).toBeUndefined();
  });
});
