import { describe, expect, it } from 'vitest';
import { growth, checkConnections, checkOpenRuns, checkProcesses, checkTables } from '../../scripts/soak/flat.js';

const MB = 1_048_576;
const SAMPLES = 60;
const MESSAGES_A_SAMPLE = 100;

type Sample = Parameters<typeof checkProcesses>[0][number];

/** A worker that lives through the whole soak. `at` counts the samples from 0. */
function soak(worker: (at: number) => Partial<Sample['processes'][number]> = () => ({})): Sample[] {
  return Array.from({ length: SAMPLES }, (_, at) => {
    // Collections differ by some hundred kilobytes.
    const noise = ((at * 7919) % 11) * 50_000;
    const usual = { rssMb: 200 + (at % 5), handles: 40 + (at % 3), resources: 20, lagMs: 5 };
    const process = { name: 'worker-1', life: 1, work: at * MESSAGES_A_SAMPLE, heapBytes: 60 * MB + noise, ...usual };
    return { atMs: at * 10_000, messages: at * MESSAGES_A_SAMPLE, processes: [{ ...process, ...worker(at) }] };
  });
}

const leaking = (samples: readonly Sample[]) =>
  checkProcesses(samples).flatMap(({ what, isFlat }) => (isFlat ? [] : [what]));

describe('which processes are checked', () => {
  it('checks a process that lived long enough, and no other', () => {
    expect(checkProcesses(soak())).toHaveLength(4);
    expect(checkProcesses(soak((at) => ({ life: Math.floor(at / 15) })))).toEqual([]);
  });

  it('does not count the growth of the first half of a life', () => {
    expect(leaking(soak((at) => ({ heapBytes: (at < 29 ? 20 + at : 49) * MB })))).toEqual([]);
  });
});

describe('the heap', () => {
  it('finds a process flat whose collections only differ', () => {
    expect(leaking(soak())).toEqual([]);
  });

  it('finds a leak of 1 kB for each message', () => {
    const heap = (at: number) => 60 * MB + at * MESSAGES_A_SAMPLE * 1_024 + ((at * 7919) % 11) * 50_000;
    expect(leaking(soak((at) => ({ heapBytes: heap(at) })))).toEqual([
      'worker-1 (life 1): heap for each message or request',
    ]);
  });
});

describe('handles, resources, resident memory and connections', () => {
  it('finds a handle that is left open for a hundred messages', () => {
    expect(leaking(soak((at) => ({ handles: 40 + at })))).toEqual(['worker-1 (life 1): handles']);
  });

  it('finds resources and native memory that are kept', () => {
    expect(leaking(soak((at) => ({ resources: 20 + at, rssMb: 200 + 2 * at })))).toEqual([
      'worker-1 (life 1): resident MB',
      'worker-1 (life 1): active resources',
    ]);
  });

  it('finds connections that are left open, and not those that an outage ends', () => {
    const connected = (of: (at: number) => number) =>
      checkConnections(soak().map((sample, at) => ({ ...sample, connections: of(at) }))).map(({ isFlat }) => isFlat);
    expect(connected((at) => (at === 30 ? 0 : 24))).toEqual([true]);
    expect(connected((at) => 24 + Math.floor(at / 4))).toEqual([false]);
  });

  it('ignores single outliers in the growth of a series', () => {
    const points = Array.from({ length: 20 }, (_, at): [number, number] => [at, at === 19 ? 900 : 5]);
    expect(growth(points)).toBe(0);
  });
});

describe('tables and workflows', () => {
  const withTable = (table: (at: number) => { rows: number; bytes: number }) =>
    soak().map((sample, at) => ({ ...sample, tables: { some: table(at) } }));
  const checked = (samples: Sample[], most: Record<string, number>) => {
    const end = samples.at(-1);
    return end === undefined ? [] : checkTables(samples, end, most).map(({ isFlat }) => isFlat);
  };

  it('accepts as many bytes for a later row as for an earlier one, and finds more', () => {
    const rows = (at: number) => 3 * at * MESSAGES_A_SAMPLE;
    expect(
      checked(
        withTable((at) => ({ rows: rows(at), bytes: 400 * rows(at) })),
        {},
      ),
    ).toEqual([true]);
    expect(
      checked(
        withTable((at) => ({ rows: rows(at), bytes: 400 * rows(at) * (at / 10) })),
        {},
      ),
    ).toEqual([false]);
  });

  it('finds a table with more rows for a message than it may have', () => {
    const rows = (at: number) => 7 * at * MESSAGES_A_SAMPLE;
    expect(
      checked(
        withTable((at) => ({ rows: rows(at), bytes: 400 * rows(at) })),
        {},
      ),
    ).toEqual([false]);
  });

  it('accepts rows of work only up to their number', () => {
    const three = withTable(() => ({ rows: 3, bytes: 8_192 }));
    expect([checked(three, { some: 3 }), checked(three, { some: 2 })]).toEqual([[true], [false]]);
  });

  it('finds workflows that stay open, and does not take a server that did not answer for none', () => {
    const [sample] = soak();
    if (sample === undefined) throw new Error('no sample');
    const isFlat = (openRuns?: number) =>
      checkOpenRuns({ ...sample, ...(openRuns !== undefined && { openRuns }) }, 5)[0]?.isFlat;
    expect([isFlat(5), isFlat(6), isFlat()]).toEqual([true, false, false]);
  });
});
