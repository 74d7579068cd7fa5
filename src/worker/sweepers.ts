/** Background jobs that ensure that Temporal drives every unfinished row of the ledger. */
import {
  DEFAULT_CATCHUP_WINDOW,
  forEachConcurrently,
  parseDurationMs,
  present,
  type LastRun,
  type LastRunWithId,
  type TemplateInput,
  type TemplateKey,
  type CampaignId,
  type CampaignProgress,
  type ScheduleRun,
  type RecurringJob,
  type Log,
} from '../contract/index.js';
import type {
  StartedRun,
  UnfinishedCampaign,
  UnfinishedMessage,
  ScheduleObservation,
  ScheduleView,
} from '../ledger/index.js';
import { byItself, type BackgroundJob, type JobDependencies } from './background-job.js';

/** Rows that a workflow drives until they have ended. */
interface Swept<Item> {
  readonly name: string;
  /** The name in the log, e.g. `a message`. */
  readonly what: string;
  /** Unfinished rows after the last one of the round before. Each row costs a request to Temporal. */
  page(limit: number, after: Item | undefined): Promise<readonly Item[]>;
  /** The longest page. */
  readonly limit: number;
  idsOf(item: Item): Readonly<Record<string, string>>;
  lastRun(item: Item): Promise<LastRunWithId>;
  /** Called if an operator ended the run. @returns a log text if the row ended too and needs no other run */
  endWith(item: Item, run: 'terminated' | 'cancelled', runId: string | undefined): Promise<string | undefined>;
  /** Starts a run, even after an ended one. No effect while a run is open. */
  start(item: Item): Promise<void>;
}

const EVERY_MS = 60_000;
const AT_ONCE = 8;

/** Gives each row without a run a new one: Temporal may have been restored from a backup or lost. */
function sweepRuns<Item>(log: Log, swept: Swept<Item>): BackgroundJob {
  const { name, what, limit } = swept;
  let after: Item | undefined;

  async function sweep(item: Item): Promise<void> {
    const { status: run, runId } = await swept.lastRun(item);
    if (run === 'running') return;
    const facts = { ...swept.idsOf(item), run };
    const ended = run === 'terminated' || run === 'cancelled' ? await swept.endWith(item, run, runId) : undefined;
    if (ended !== undefined) return log({ level: 'info', message: ended, ...facts });
    await swept.start(item);
    log({ level: 'warn', message: `${what} had no run and got one`, ...facts });
  }

  return {
    name,
    everyMs: EVERY_MS,
    async round() {
      const page = await swept.page(limit, after);
      await forEachConcurrently(AT_ONCE, page, byItself(log, swept.idsOf, sweep));
      after = page.length < limit ? undefined : page.at(-1);
    },
  };
}

interface SweeperDependencies<Drivers> extends JobDependencies {
  readonly drivers: Drivers;
  /** Only rows whose runs belong to this namespace are swept. */
  readonly namespace: string;
}

/**
 * Sweeps messages. If an operator ended the run, a pending message is cancelled; a posted one gets a run again until
 * its outcome is known.
 */
export function sweeper(
  dependencies: SweeperDependencies<{
    lastRun(message: UnfinishedMessage): Promise<LastRun>;
    start(message: UnfinishedMessage): Promise<StartedRun>;
  }>,
) {
  const { ledger, drivers, namespace, clock, log } = dependencies;
  return sweepRuns<UnfinishedMessage>(log, {
    name: 'sweep messages',
    what: 'a message',
    limit: 1_000,
    page: (limit, after) =>
      ledger.messages.unfinished({ namespace, nowMs: clock.nowMs(), limit, ...present({ afterId: after?.id }) }),
    idsOf: ({ id }) => ({ messageId: id }),
    lastRun: async (message) => ({ status: await drivers.lastRun(message) }),
    async start(message) {
      await ledger.messages.runsStarted([await drivers.start(message)], namespace, clock.nowMs());
    },
    async endWith({ id }, run) {
      const { state } = await ledger.messages.cancel(id, `workflow ${run}`, clock.nowMs());
      return state === 'cancelled' ? 'a message was cancelled with its run' : undefined;
    },
  });
}

/** Sweeps templates under review. If an operator ended the run, polling stops, and the template says so. */
export function templateSweeper(
  dependencies: SweeperDependencies<{
    lastRun(key: TemplateKey): Promise<LastRun>;
    continueRun(input: TemplateInput): Promise<void>;
  }>,
) {
  const { ledger, drivers, namespace, clock, log } = dependencies;
  return sweepRuns<TemplateInput>(log, {
    name: 'sweep templates',
    what: 'a template',
    limit: 100,
    page: (limit, after) => ledger.templates.unfinished({ namespace, limit, ...present({ after }) }),
    idsOf: ({ instance, elementName }) => ({ instance, elementName }),
    lastRun: async (key) => ({ status: await drivers.lastRun(key) }),
    async endWith(template) {
      await ledger.templates.endWatch(template, clock.nowMs());
      return 'a template is no longer followed, as its run';
    },
    start: drivers.continueRun,
  });
}

/** How the sweeper drives the runs of campaigns. */
interface CampaignDrivers {
  lastRun(id: CampaignId): Promise<LastRunWithId>;
  /** Starts a run that continues from the row, unless one is open. */
  follow(progress: CampaignProgress): Promise<void>;
  /** Lets Temporal start another try of the activity that waits in the open run. */
  waitAgain(id: CampaignId): Promise<void>;
}

/**
 * Sweeps campaigns. If an operator ended the run, the campaign is cancelled, once; it gets a run again while outcomes
 * are unknown. A run whose wait the ledger lacks in two rounds waits again: its worker died before it had recorded the wait,
 * or the ledger was restored.
 */
export function campaignSweeper({ ledger, drivers, namespace, clock, log }: SweeperDependencies<CampaignDrivers>) {
  let unheard = new Set<CampaignId>();
  return sweepRuns<UnfinishedCampaign>(log, {
    name: 'sweep campaigns',
    what: 'a campaign',
    limit: Infinity,
    async page() {
      const unfinished = await ledger.campaigns.unfinished(namespace);
      unheard = new Set(unfinished.flatMap(({ id }) => (unheard.has(id) ? [id] : [])));
      return unfinished;
    },
    idsOf: ({ id }) => ({ campaignId: id }),
    async lastRun({ id, isAwaited }) {
      const run = await drivers.lastRun(id);
      const wasUnheard = unheard.delete(id);
      if (run.status !== 'running' || isAwaited) return run;
      if (wasUnheard) await drivers.waitAgain(id);
      else unheard.add(id);
      return run;
    },
    async endWith({ id }, run, runId) {
      // Once for each run: the campaign may have been retried since, while Temporal was unavailable.
      const command = { id: `run-${run}:${runId}` };
      const { state } = await ledger.campaigns.cancel(id, `workflow ${run}`, clock.nowMs(), command);
      if (state === 'cancelling' || state === 'cancelled') {
        log({ level: 'info', message: 'a campaign was cancelled with its run', campaignId: id, run });
      }
      return undefined;
    },
    async start({ id }) {
      const progress = await ledger.campaigns.progress(id, clock.nowMs());
      if (progress !== undefined) await drivers.follow(progress);
    },
  });
}

interface ScheduleSweeperDependencies extends JobDependencies {
  readonly temporal: {
    readonly namespace: string;
    describe(id: ScheduleView['id']): Promise<ScheduleObservation | undefined>;
    matchingTimes(id: ScheduleView['id'], fromMs: number, toMs: number): Promise<string[]>;
    startRun(run: ScheduleRun): Promise<void>;
    lastRun(run: Pick<ScheduleRun, 'scheduleId' | 'at'>): Promise<LastRun>;
  };
  /** Updates Temporal's schedule to match the row. */
  readonly sync: (id: ScheduleView['id']) => Promise<void>;
}

const SCHEDULES_EVERY_MS = 30_000;
/** Temporal lists no more at once. */
const MOST_MATCHING_TIMES = 1_000;
/** The start of a younger run may be under way. */
const YOUNG_MS = 20_000;

/**
 * Writes schedules that differ to Temporal, which may have been down during a change, restored or lost, and records what
 * Temporal shows of the others. Gives every requested run a workflow. If an operator ended the workflow, the run has
 * ended.
 */
export function scheduleSweeper({ ledger, temporal, sync, clock, log }: ScheduleSweeperDependencies): BackgroundJob {
  async function follow(schedule: ScheduleView): Promise<void> {
    const { id, version, isSynced, problem, state } = schedule;
    if (isSynced && (problem !== undefined || state === 'ended')) return;
    const seen = isSynced ? await temporal.describe(id) : undefined;
    if (seen?.version === version) {
      const isMissing = !seen.isPaused && seen.missed !== schedule.missedSeen;
      if (!isMissing || (await recordMissed(schedule))) await ledger.schedules.observe(id, seen, clock.nowMs());
      return;
    }
    // Another version: an older copy of Temporal or of the ledger was restored.
    await sync(id);
    log({ level: 'info', message: 'a schedule was written to Temporal', schedule: id, state });
  }

  /** SCHEDULE-9. A ledger that was restored may lack the row of a run. @returns false if there are more times */
  async function recordMissed(schedule: ScheduleView): Promise<boolean> {
    const { id, definition, missedUntil } = schedule;
    const untilMs = clock.nowMs() - parseDurationMs(definition.catchupWindow ?? DEFAULT_CATCHUP_WINDOW);
    const times = await temporal.matchingTimes(id, Date.parse(missedUntil), untilMs);
    const missed: string[] = [];
    for (const at of await ledger.schedules.withoutRun(schedule, times)) {
      if ((await temporal.lastRun({ scheduleId: id, at })) === 'none') missed.push(at);
    }
    const last = times.length < MOST_MATCHING_TIMES ? undefined : times.at(-1);
    await ledger.schedules.recordMissed(
      schedule,
      missed,
      last === undefined ? Math.max(untilMs, Date.parse(missedUntil)) : Date.parse(last),
      clock.nowMs(),
    );
    if (missed.length > 0) log({ level: 'warn', message: 'Temporal missed times of a schedule', schedule: id, missed });
    return last === undefined;
  }

  async function sweep(run: ScheduleRun): Promise<void> {
    if (clock.nowMs() - Date.parse(run.createdAt) < YOUNG_MS) return;
    const last = await temporal.lastRun(run);
    if (last === 'running') return;
    if (last === 'none') {
      await temporal.startRun(run);
      return log({ level: 'info', message: 'a run of a schedule was started', schedule: run.scheduleId, at: run.at });
    }
    // The run has ended and its row has not: the ledger was restored from an older backup.
    const end =
      run.state === 'started'
        ? { state: 'started' as const, ...(last === 'ended' ? {} : { reason: `workflow_${last}` }) }
        : last === 'ended'
          ? { state: 'failed' as const, reason: 'already_ran', text: 'its workflow has ended: nothing is sent again' }
          : { state: 'skipped' as const, reason: `workflow_${last}` };
    await ledger.schedules.endRun(run.scheduleId, run.at, end, clock.nowMs());
    log({ level: 'warn', message: 'a run of a schedule ended with its workflow', schedule: run.scheduleId, run: last });
  }

  return {
    name: 'sweep schedules',
    everyMs: SCHEDULES_EVERY_MS,
    async round() {
      const followed = byItself<ScheduleView>(log, ({ id }) => ({ schedule: id }), follow);
      for (const schedule of await ledger.schedules.ofNamespace(temporal.namespace)) await followed(schedule);
      const swept = byItself<ScheduleRun>(log, ({ scheduleId, at }) => ({ schedule: scheduleId, at }), sweep);
      for (const run of await ledger.schedules.openRuns(temporal.namespace)) await swept(run);
    },
  };
}

interface StarterDependencies<Item> extends JobDependencies {
  /** Has no effect while the item has a run. */
  readonly start: (item: Item) => Promise<void>;
}

/** Starts the activity of unfinished amendments, which Temporal may have lost or never received. */
export function amendmentSweeper({ ledger, start, log }: StarterDependencies<CampaignId>): BackgroundJob {
  return {
    name: 'sweep amendments',
    // An edit can be posted for only 15 minutes, so an amendment without a running activity is detected quickly.
    everyMs: 10_000,
    async round() {
      for (const id of await ledger.amendments.open()) {
        const message = 'an amendment could not be started; retried automatically';
        await start(id).catch((error: unknown) => log({ level: 'warn', message, campaignId: id, error }));
      }
    },
  };
}

/** Starts the runs of recurring jobs that are due. */
export function startRecurringJobs({ ledger, start, clock, log }: StarterDependencies<RecurringJob>): BackgroundJob {
  return {
    name: 'start recurring jobs',
    everyMs: 5_000,
    async round() {
      for (const job of await ledger.account.due(clock.nowMs())) {
        const message = 'a recurring job could not be started; retried automatically';
        await start(job).catch((error: unknown) => log({ level: 'warn', message, job: job.id, error }));
      }
    },
  };
}
