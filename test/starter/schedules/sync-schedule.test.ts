import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { AppError, type ScheduleDefinition, type ScheduleId } from '../../../src/contract/index.js';
import type { ScheduleView } from '../../../src/ledger/index.js';
import { syncScheduleWith } from '../../../src/starter/index.js';
import { scheduleSweeper } from '../../../src/worker/index.js';
import { useLedger } from '../../support/ledger/ledger.js';

/** Proves SCHEDULE-1 and SCHEDULE-9. */
const ledger = useLedger();

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR = 3_600_000;
const clock = { nowMs: () => NOW };

const definitionOf = (cron: string): ScheduleDefinition => ({
  message: { instance: 'main', content: { kind: 'status', text: 'Open' } },
  cron: [cron],
});

function create(id: ScheduleId, cron: string, { isPaused = false, nowMs = NOW - 1_000 } = {}) {
  const asked = { id, commandId: randomUUID(), requestHash: 'h', definition: definitionOf(cron), isPaused };
  return ledger.schedules.create({ ...asked, namespace: 'default', nowMs });
}

/** Temporal's schedules: what each has, and what happens while one is written. */
function aTemporal() {
  const has = new Map<string, { readonly cron: readonly string[]; readonly isPaused: boolean }>();
  const temporal = {
    has,
    whileWritten: undefined as (() => Promise<unknown>) | undefined,
    async ensure({ id, definition: { cron }, state }: Pick<ScheduleView, 'id' | 'definition' | 'state'>) {
      const work = temporal.whileWritten;
      temporal.whileWritten = undefined;
      await work?.();
      has.set(id, { cron, isPaused: has.get(id)?.isPaused ?? state === 'paused' });
      return undefined;
    },
    remove: async (id: ScheduleId) => has.delete(id),
  };
  return { temporal, sync: syncScheduleWith({ ledger, temporal, clock }) };
}

type Sweeper = Parameters<typeof scheduleSweeper>[0];

/** A round of the sweeper, for which Temporal has no schedule, no time and no run unless `temporal` says so. */
function sweep(sync: Sweeper['sync'], temporal: Partial<Sweeper['temporal']>, log: Sweeper['log'] = () => undefined) {
  const all: Sweeper['temporal'] = {
    namespace: 'default',
    describe: async () => undefined,
    matchingTimes: async () => [],
    lastRun: async () => 'none',
    startRun: async () => undefined,
    ...temporal,
  };
  return scheduleSweeper({ ledger, clock, log, sync, temporal: all }).round();
}

const newId = () => `s-${randomUUID().slice(0, 8)}` as ScheduleId;

it('Temporal has the newest version, also when an older one reaches it last', async () => {
  const { temporal, sync } = aTemporal();
  const id = newId();
  await create(id, '0 9 * * *');
  temporal.whileWritten = async () => {
    await ledger.schedules.update(id, definitionOf('0 10 * * *'), NOW);
    await sync(id);
  };
  await sync(id);
  expect(temporal.has.get(id)).toMatchObject({ cron: ['0 10 * * *'] });
  expect(await ledger.schedules.view(id)).toMatchObject({ isSynced: true });
});

it('Temporal has no schedule that was deleted while it was written', async () => {
  const { temporal, sync } = aTemporal();
  const id = newId();
  await create(id, '0 9 * * *');
  temporal.whileWritten = async () => {
    await ledger.schedules.remove(id);
    await sync(id);
  };
  await sync(id);
  expect(temporal.has.has(id)).toBe(false);
});

it('a schedule that was created again has its own pause, and keeps that of Temporal afterwards', async () => {
  const { temporal, sync } = aTemporal();
  const id = newId();
  await create(id, '0 9 * * *', { isPaused: true });
  await sync(id);
  await ledger.schedules.remove(id);
  await create(id, '0 9 * * *');
  await sync(id);
  expect(temporal.has.get(id)).toMatchObject({ isPaused: false });
  temporal.has.set(id, { cron: ['0 9 * * *'], isPaused: true });
  await ledger.schedules.update(id, definitionOf('0 10 * * *'), NOW);
  await sync(id);
  expect(temporal.has.get(id)).toEqual({ cron: ['0 10 * * *'], isPaused: true });
});

it('a schedule that an older copy of Temporal or of the ledger has otherwise is written again', async () => {
  const { temporal, sync } = aTemporal();
  const id = newId();
  await create(id, '0 9 * * *');
  await sync(id);
  const seen = (version: number) =>
    sweep(sync, {
      describe: async () => ({ version, isPaused: false, missed: 0, overlapped: 0 }),
      lastRun: async () => 'running',
    });
  const { version = NaN } = (await ledger.schedules.view(id)) ?? {};
  for (const other of [version - 1, version + 1, NaN]) {
    temporal.has.set(id, { cron: ['0 5 * * *'], isPaused: false });
    await seen(other);
    expect(temporal.has.get(id)).toMatchObject({ cron: ['0 9 * * *'] });
  }
  temporal.has.clear();
  await seen(version);
  expect(temporal.has.has(id)).toBe(false);
});

it('a schedule that fails for its own reason delays no other, and no run (LOOP-5)', async () => {
  const { sync } = aTemporal();
  const ids = [newId(), newId()].toSorted();
  for (const id of ids) await create(id, '0 9 * * *');
  const run = await ledger.schedules.trigger(ids[1]!, 'now', NOW - 60_000);
  const [started, logged] = [[] as string[], [] as unknown[]];
  const refused = (refuse: unknown) =>
    sweep(
      (id) => (id === ids[0] ? Promise.reject(refuse) : sync(id)),
      { startRun: async ({ at }) => void started.push(at) },
      (entry) => void logged.push(entry),
    );
  await refused(new RangeError('a bug'));
  expect(await ledger.schedules.view(ids[1]!)).toMatchObject({ isSynced: true });
  expect(started).toContain(run.at);
  expect(logged).toContainEqual(expect.objectContaining({ level: 'error', schedule: ids[0] }));
  await expect(refused(new AppError('TEMPORAL_UNAVAILABLE', 'away'))).rejects.toThrow('away');
});

it('the times that Temporal missed are missed runs, once each, though its counter repeats them (SCHEDULE-9)', async () => {
  const { sync } = aTemporal();
  const id = newId();
  const at = (hoursAgo: number) => new Date(NOW - hoursAgo * HOUR).toISOString();
  await create(id, '0 * * * *', { nowMs: NOW - 10 * HOUR });
  await sync(id);
  const { version = NaN } = (await ledger.schedules.view(id)) ?? {};
  // It has a workflow, and a restored ledger has no row of it.
  const ran = at(7);
  await ledger.schedules.beginRun(id, at(9), NOW - 9 * HOUR);
  const missedAfter = async (missed: number, isPaused = false) => {
    await sweep(sync, {
      describe: async () => ({ version, isPaused, missed, overlapped: 0 }),
      matchingTimes: async (_, fromMs, untilMs) =>
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
          .map(at)
          .filter((time) => fromMs < Date.parse(time) && Date.parse(time) <= untilMs),
      lastRun: async (run) => (run.at === ran || run.at === at(9) ? 'running' : 'none'),
    });
    const runs = await ledger.schedules.runs(id, 20);
    return runs.filter(({ reason }) => reason === 'temporal_away').map((run) => run.at);
  };
  expect(await missedAfter(0)).toEqual([]);
  const missed = [at(1), at(2), at(3), at(4), at(5), at(6), at(8)];
  expect(await missedAfter(2)).toEqual(missed);
  expect((await ledger.schedules.healthOf([id])).get(id)).toMatchObject({ missed: 7, failure: { at: at(1) } });
  expect(await missedAfter(9)).toEqual(missed);
  expect(await missedAfter(9, true)).toEqual(missed);
});
