/** How the workflows of messages that came by HTTP are started from their rows. */
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import { startBackgroundJob, startMessageRuns } from '../../src/worker/index.js';
import { eventually } from '../support/eventually.js';

interface Row {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: 'text';
  readonly expiresAt: string;
}

const aRow = (at: number): Row => ({
  id: `msg_${at}` as MessageId,
  instance: 'main',
  kind: 'text',
  expiresAt: '2026-03-02T12:00:00.000Z',
});

/** Rows in memory that need a workflow; `wake` announces further ones. */
function aStarter(options: {
  readonly rows?: number;
  readonly isOurs?: boolean;
  readonly isBusy?: () => boolean;
  readonly start?: (row: Row) => Promise<void>;
}) {
  const wanted = new Map(Array.from({ length: options.rows ?? 0 }, (_, at) => [aRow(at).id, aRow(at)]));
  const started: MessageId[] = [];
  const logged: unknown[] = [];
  const released: string[] = [];
  const handlers = new Set<(instance: string) => void>();
  let polls = 0;
  const job = startMessageRuns({
    ...(options.isBusy === undefined ? {} : { isBusy: options.isBusy }),
    clock: { nowMs: () => 0 },
    namespace: 'default',
    start: async (row) => {
      await options.start?.(row as Row);
      started.push(row.id);
      return { id: row.id, runId: `run of ${row.id}` };
    },
    ledger: {
      messages: {
        runsToStart: async (limit) => {
          polls += 1;
          return [...wanted.values()].slice(0, limit);
        },
        runsStarted: async (runs) => {
          for (const { id, runId } of runs) {
            expect(runId).toBe(`run of ${id}`);
            wanted.delete(id);
          }
        },
      },
      wakes: {
        listen(handler) {
          handlers.add(handler);
          return { close: () => void handlers.delete(handler) };
        },
      },
    },
  });
  const starter = startBackgroundJob(job, {
    holder: 'worker-1',
    log: (entry) => void logged.push(entry),
    leases: {
      acquire: () => Promise.resolve(options.isOurs ?? true),
      release: async (_, holder) => void released.push(holder),
    },
  });
  const add = (row: Row): void => {
    wanted.set(row.id, row);
    for (const handler of handlers) handler(row.instance);
  };
  return { starter, wanted, started, logged, released, handlers, add, looks: () => polls };
}

/** Counts how many starts are under way at a time. */
function countingStart() {
  let atWork = 0;
  let most = 0;
  return {
    most: () => most,
    async start(): Promise<void> {
      most = Math.max(most, (atWork += 1));
      await new Promise(setImmediate);
      atWork -= 1;
    },
  };
}

/** Proves RUNS-1 to RUNS-5. */
describe('the starter of workflows', () => {
  it('starts one for each row that needs one, eight at a time, and marks them', async () => {
    const { start, most } = countingStart();
    const { starter, wanted, started } = aStarter({ rows: 200, start });
    await eventually(() => expect(wanted.size).toBe(0));
    expect(new Set(started).size).toBe(200);
    expect(started).toHaveLength(200);
    expect(most()).toBe(8);
    await starter.stop();
  });

  it('starts one at a time while the worker is busy, and the rest afterwards', async () => {
    let isBusy = true;
    const { start, most } = countingStart();
    const { starter, wanted, started, looks } = aStarter({ rows: 100, start, isBusy: () => isBusy });
    await eventually(() => expect(looks()).toBe(2));
    expect(started.length).toBeLessThanOrEqual(2);
    expect(most()).toBe(1);
    isBusy = false;
    await eventually(() => expect(wanted.size).toBe(0));
    expect(started).toHaveLength(100);
    await starter.stop();
  });

  it('starts a workflow that is announced while it waits a quarter of a second later', async () => {
    let startedAtMs = 0;
    const start = async (): Promise<void> => void (startedAtMs = performance.now());
    const { starter, started, add, looks } = aStarter({ start });
    await eventually(() => expect(looks()).toBeGreaterThan(0));
    const announcedAtMs = performance.now();
    add(aRow(1));
    await eventually(() => expect(started).toEqual(['msg_1']));
    // A timer may end a millisecond early.
    expect(startedAtMs - announcedAtMs).toBeGreaterThan(240);
    await starter.stop();
  });

  it('marks the started ones when another start fails, logs that once, and starts the rest later', async () => {
    let isAway = true;
    const { starter, wanted, started, logged } = aStarter({
      rows: 20,
      start: ({ id }) => (isAway && id === 'msg_3' ? Promise.reject(new Error('away')) : Promise.resolve()),
    });
    await eventually(() => expect(logged).toHaveLength(1));
    expect(started).not.toHaveLength(0);
    expect(started.filter((id) => wanted.has(id))).toEqual([]);
    isAway = false;
    await eventually(() => expect(wanted.size).toBe(0));
    await eventually(() => expect(logged).toMatchObject([{ level: 'warn' }, { level: 'info' }]));
    expect(started).toHaveLength(20);
    await starter.stop();
  });

  it('does nothing while another worker has the lease', async () => {
    const { starter, started, add, looks, released } = aStarter({ rows: 3, isOurs: false });
    add(aRow(9));
    await starter.stop();
    expect([started, looks(), released]).toEqual([[], 0, []]);
  });

  it('ends after the starts under way, stops listening and releases its lease', async () => {
    const begun: string[] = [];
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const { starter, started, handlers, released } = aStarter({
      rows: 64,
      start: async ({ id }) => {
        begun.push(id);
        await held;
      },
    });
    await eventually(() => expect(begun).toHaveLength(8));
    const stopped = starter.stop();
    finish();
    await stopped;
    expect(started).toHaveLength(8);
    expect(handlers.size).toBe(0);
    expect(released).toEqual(['worker-1']);
  });
});
