import { AppError, instanceOfSchedule, type ScheduleId, type ScheduleRun } from '../../contract/index.js';
import type { Ledger, ScheduleView } from '../../ledger/index.js';
import { inputInvalid } from '../../domain/index.js';
import { requestHash, scheduleCommandId, scheduleId } from '../ids.js';
import type { RouteDependencies } from '../http/route-dependencies.js';
import { readSchedule } from './read-schedule.js';

/** A schedule with its next times. They are absent while Temporal is unavailable or does not have the schedule yet. */
export interface ShownSchedule extends ScheduleView {
  readonly nextRuns?: readonly string[];
}

/** The same key takes effect once. */
export interface ScheduleWish {
  readonly key: string;
  readonly note?: string | undefined;
  /** The requester. */
  readonly witness: string;
}

const SHOWN_RUNS = 20;
const SHOWN_NEXT_RUNS = 5;
/** The most occurrences of one backfill. Each is a campaign or a message. */
const MOST_BACKFILLED = 100;

/** Every method except create and list throws AppError SCHEDULE_NOT_FOUND. */
export function schedulesWith(dependencies: RouteDependencies) {
  const { ledger, temporal, sync, clock, log } = dependencies;
  const { schedules } = ledger;

  async function existing(id: ScheduleId): Promise<ScheduleView> {
    return (await schedules.view(id)) ?? scheduleUnknown(id);
  }

  /** While Temporal is unavailable, the sweeper does the work later. */
  async function later(what: string, id: ScheduleId, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || !error.code.startsWith('TEMPORAL_')) throw error;
      log({ level: 'warn', message: `${what} later: Temporal is unavailable`, schedule: id, error });
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
     * Starts a run for each time in this range that has none.
     * @throws AppError INPUT_INVALID | TEMPORAL_UNAVAILABLE: Temporal computes the times
     */
    async backfill(id: ScheduleId, { from, to }: { readonly from: string; readonly to: string }) {
      await existing(id);
      const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
      if (toMs > clock.nowMs()) throw inputInvalid('The backfill', [{ path: 'to', message: 'is in the future' }]);
      if (fromMs > toMs) throw inputInvalid('The backfill', [{ path: 'from', message: 'is after to' }]);
      // `matchingTimes` excludes its first argument.
      const times = await temporal.matchingTimes(id, fromMs - 1, toMs);
      if (times.length > MOST_BACKFILLED) {
        const message = `contains ${times.length} times: at most ${MOST_BACKFILLED} are run at once`;
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
  throw new AppError('SCHEDULE_NOT_FOUND', `There is no schedule ${id}. List schedules: everpost schedule list`);
}
