import { AppError, instanceOfSchedule, type ScheduleId, type ScheduleRun } from '../../contract/index.js';
import type { Ledger, ScheduleView } from '../../ledger/index.js';
import { inputInvalid } from '../../domain/index.js';
import { requestHash, scheduleCommandId, scheduleId } from '../ids.js';
import type { RouteDependencies } from '../http/route-dependencies.js';
import { readSchedule } from './read-schedule.js';

/** A schedule with its next times; without them while Temporal cannot be asked, or has no schedule of it yet. */
export interface ShownSchedule extends ScheduleView {
  readonly nextRuns?: readonly string[];
}

/** Under the same key it is granted once. */
export interface ScheduleWish {
  readonly key: string;
  readonly note?: string | undefined;
  /** Who asks. */
  readonly witness: string;
}

const SHOWN_RUNS = 20;
const SHOWN_NEXT_RUNS = 5;
/** Each is a campaign or a message. */
const MOST_BACKFILLED = 100;

/** Every method but create and list throws AppError SCHEDULE_NOT_FOUND. */
export function schedulesWith(dependencies: RouteDependencies) {
  const { ledger, temporal, sync, clock, log } = dependencies;
  const { schedules } = ledger;

  async function existing(id: ScheduleId): Promise<ScheduleView> {
    return (await schedules.view(id)) ?? scheduleUnknown(id);
  }

  /** While Temporal is away, the sweeper does the work later. */
  async function later(what: string, id: ScheduleId, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('TEMPORAL_')) throw error;
      log({ level: 'warn', message: `${what} later: Temporal is away`, schedule: id, error });
    }
  }

  async function shown(schedule: ScheduleView): Promise<ShownSchedule> {
    if (schedule.state !== 'active') return schedule;
    let nextRuns: string[] | undefined;
    await later('the next runs are shown', schedule.id, async () => {
      nextRuns = (await temporal.nextTimes(schedule.id))?.slice(0, SHOWN_NEXT_RUNS);
    });
    return nextRuns === undefined ? schedule : { ...schedule, nextRuns };
  }

  async function synced(schedule: ScheduleView): Promise<ShownSchedule> {
    if (!schedule.isSynced) await later('a schedule is given to Temporal', schedule.id, () => sync(schedule));
    return shown(await existing(schedule.id));
  }

  async function start(runs: readonly ScheduleRun[]): Promise<void> {
    for (const run of runs) await later('a run is started', run.scheduleId, () => temporal.startRun(run));
  }

  async function change(id: ScheduleId, command: 'pause' | 'resume', { key, note, witness }: ScheduleWish) {
    const asked = { commandId: scheduleCommandId(id, command, key), note, requestedBy: witness, nowMs: clock.nowMs() };
    return synced(await schedules[command](id, asked));
  }

  return {
    /** @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH | SCHEDULE_DELETED */
    async create(body: unknown, key: string) {
      const { id: named, definition, isPaused, note } = readSchedule(body, dependencies);
      const id = named ?? scheduleId(instanceOfSchedule(definition), key);
      const { schedule, isNew } = await schedules.create({
        id,
        commandId: scheduleCommandId(id, 'create', key),
        requestHash: requestHash({ definition, isPaused, note }),
        definition,
        isPaused,
        note,
        namespace: temporal.namespace,
        nowMs: clock.nowMs(),
      });
      return { schedule: await synced(schedule), isNew };
    },

    async view(id: ScheduleId) {
      const [schedule, runs] = [await shown(await existing(id)), await schedules.runs(id, SHOWN_RUNS)];
      return { ...schedule, runs };
    },

    async list(filter: Parameters<Ledger['schedules']['list']>[0]) {
      const { items, ...page } = await schedules.list(filter);
      return { ...page, items: await Promise.all(items.map(shown)) };
    },

    pause: (id: ScheduleId, wish: ScheduleWish) => change(id, 'pause', wish),

    resume: (id: ScheduleId, wish: ScheduleWish) => change(id, 'resume', wish),

    async trigger(id: ScheduleId, key: string) {
      const run = await schedules.trigger(id, key, clock.nowMs());
      await start([run]);
      return run;
    },

    /**
     * Runs for the times in this range that have none.
     * @throws AppError INPUT_INVALID | TEMPORAL_UNAVAILABLE: Temporal says which times these are
     */
    async backfill(id: ScheduleId, { from, to }: { readonly from: string; readonly to: string }) {
      await existing(id);
      const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
      if (toMs > clock.nowMs()) throw inputInvalid('The backfill', [{ path: 'to', message: 'is in the future' }]);
      if (fromMs > toMs) throw inputInvalid('The backfill', [{ path: 'from', message: 'is after to' }]);
      // From the moment before, which itself is left out.
      const times = await temporal.matchingTimes(id, fromMs - 1, toMs);
      if (times.length > MOST_BACKFILLED) {
        const message = `takes in ${times.length} times, at most ${MOST_BACKFILLED} are run at once`;
        throw inputInvalid('The backfill', [{ path: 'to', message }]);
      }
      const runs = await schedules.addRuns(id, 'backfill', times, clock.nowMs());
      await start(runs);
      return runs;
    },

    async remove(id: ScheduleId) {
      await existing(id);
      await schedules.remove(id, clock.nowMs());
      const left = (await schedules.ofNamespace(temporal.namespace)).find((schedule) => schedule.id === id);
      if (left !== undefined) await later('a schedule is deleted in Temporal', id, () => sync(left));
    },
  };
}

export function scheduleUnknown(id: string): never {
  throw new AppError('SCHEDULE_NOT_FOUND', `There is no schedule ${id}. Check the id: everpost schedule list`);
}
