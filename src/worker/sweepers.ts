/** Background jobs that ensure that Temporal drives every unfinished row of the ledger. */
import {
  forEachConcurrently,
  present,
  type LastRun,
  type TemplateInput,
  type TemplateKey,
  type CampaignId,
  type CampaignProgress,
  type CampaignState,
  type ScheduleRun,
  type RecurringJob,
} from '../contract/index.js';
import type { UnfinishedMessage, ScheduleView } from '../ledger/index.js';
import type { BackgroundJob, JobDependencies } from './background-job.js';
import type { Log } from './temporal-runtime.js';

/** Rows that a workflow drives until they have ended. */
interface Swept<Item> {
  readonly name: string;
  /** For the log, e.g. `a message`. */
  readonly what: string;
  /** Unfinished rows after the last one of the previous round. Each costs a request to Temporal. */
  page(after: Item | undefined): Promise<readonly Item[]>;
  /** The longest page. */
  readonly limit: number;
  idsOf(item: Item): Readonly<Record<string, string>>;
  lastRun(item: Item): Promise<LastRun>;
  /** An operator ended the run. @returns a log text if the row has ended with its run and needs no other run */
  endWith(item: Item, run: 'terminated' | 'cancelled'): Promise<string | undefined>;
  /** Starts a run, also after one that has ended; no effect while one is open. */
  start(item: Item): Promise<void>;
}

const EVERY_MS = 60_000;
const AT_ONCE = 8;

/** Ensures that all rows have a run: Temporal may have been restored from a backup or lost. */
function sweepRuns<Item>(swept: Swept<Item>, log: Log): BackgroundJob {
  const { name, what, limit } = swept;
  let after: Item | undefined;

  async function sweep(item: Item): Promise<void> {
    const run = await swept.lastRun(item);
    if (run === 'running') return;
    const facts = { ...swept.idsOf(item), run };
    const ended = run === 'terminated' || run === 'cancelled' ? await swept.endWith(item, run) : undefined;
    if (ended !== undefined) return log({ level: 'info', message: ended, ...facts });
    await swept.start(item);
    log({ level: 'warn', message: `${what} without a run has one again`, ...facts });
  }

  return {
    name,
    everyMs: EVERY_MS,
    async round() {
      const page = await swept.page(after);
      await forEachConcurrently(AT_ONCE, page, sweep);
      after = page.length < limit ? undefined : page.at(-1);
    },
  };
}

export interface SweeperDependencies<Drivers> extends JobDependencies {
  readonly drivers: Drivers;
  /** Only rows whose runs belong to this namespace are swept. */
  readonly namespace: string;
}

/** The runs of messages, as needed for sweeping. */
export interface MessageDrivers {
  lastRun(message: UnfinishedMessage): Promise<LastRun>;
  start(message: UnfinishedMessage): Promise<void>;
}

/**
 * A run may also have failed for another reason than the message. A run that an operator ended cancels its message if it
 * was not posted yet; a posted one still has a run, since its outcome is not known yet.
 */
export function sweeper({
  ledger,
  drivers,
  namespace,
  clock,
  log,
}: SweeperDependencies<MessageDrivers>): BackgroundJob {
  const limit = 1_000;
  const swept: Swept<UnfinishedMessage> = {
    name: 'sweep messages',
    what: 'a message',
    limit,
    page: (after) =>
      ledger.messages.unfinished({ namespace, nowMs: clock.nowMs(), limit, ...present({ afterId: after?.id }) }),
    idsOf: ({ id }) => ({ id }),
    lastRun: (message) => drivers.lastRun(message),
    async endWith({ id }, run) {
      const { state } = await ledger.messages.cancel(id, `workflow ${run}`, clock.nowMs());
      return state === 'cancelled' ? 'a message was cancelled with its run' : undefined;
    },
    start: (message) => drivers.start(message),
  };
  return sweepRuns(swept, log);
}

/** The runs of templates, as needed for sweeping. */
interface TemplateDrivers {
  lastRun(key: TemplateKey): Promise<LastRun>;
  continueRun(input: TemplateInput): Promise<void>;
}

/** A run follows the review until it is decided. With a run that an operator ended, polling stops, and the template says so. */
export function templateSweeper({
  ledger,
  drivers,
  namespace,
  clock,
  log,
}: SweeperDependencies<TemplateDrivers>): BackgroundJob {
  const limit = 100;
  const swept: Swept<TemplateInput> = {
    name: 'sweep templates',
    what: 'a template',
    limit,
    page: (after) => ledger.templates.unfinished({ namespace, limit, ...present({ after }) }),
    idsOf: ({ instance, elementName }) => ({ instance, elementName }),
    lastRun: (template) => drivers.lastRun(template),
    async endWith(template) {
      await ledger.templates.endWatch(template, clock.nowMs());
      return 'a template is no longer followed, as its run';
    },
    start: (template) => drivers.continueRun(template),
  };
  return sweepRuns(swept, log);
}

/** The runs of campaigns, as needed for sweeping. */
export interface CampaignDrivers {
  /** The status of the last run, and the campaign's state that the run has. */
  lastRun(id: CampaignId): Promise<{ readonly run: LastRun; readonly knownState?: string }>;
  continueRun(progress: CampaignProgress): Promise<void>;
  /** An open run reads the ledger at once. */
  notifyChanged(id: CampaignId): Promise<void>;
}

/**
 * A run that an operator ended cancels its campaign; while outcomes of posted messages are unknown, it still has a run. A
 * run that missed a pause or a resume, since Temporal was away then, is notified.
 */
export function campaignSweeper({
  ledger,
  drivers,
  namespace,
  clock,
  log,
}: SweeperDependencies<CampaignDrivers>): BackgroundJob {
  const swept: Swept<{ readonly id: CampaignId; readonly state: CampaignState }> = {
    name: 'sweep campaigns',
    what: 'a campaign',
    limit: Infinity,
    page: () => ledger.campaigns.unfinished(namespace),
    idsOf: ({ id }) => ({ campaign: id }),
    async lastRun({ id, state }) {
      const { run, knownState } = await drivers.lastRun(id);
      if (run === 'running' && knownState !== state) await drivers.notifyChanged(id);
      return run;
    },
    async endWith({ id }, run) {
      await ledger.campaigns.cancel(id, `workflow ${run}`, clock.nowMs());
      log({ level: 'info', message: 'a campaign was cancelled with its run', campaign: id, run });
      return undefined;
    },
    async start({ id }) {
      const progress = await ledger.campaigns.progress(id, clock.nowMs());
      if (progress !== undefined) await drivers.continueRun(progress);
    },
  };
  return sweepRuns(swept, log);
}

interface ScheduleSweeperDependencies extends JobDependencies {
  readonly temporal: {
    readonly namespace: string;
    nextTimes(id: ScheduleView['id']): Promise<readonly string[] | undefined>;
    startRun(run: ScheduleRun): Promise<void>;
    lastRun(run: ScheduleRun): Promise<LastRun>;
  };
  /** Updates Temporal's schedule to match ours. */
  readonly sync: (schedule: ScheduleView) => Promise<void>;
}

const SCHEDULES_EVERY_MS = 30_000;
/** Its start may be under way. */
const YOUNG_MS = 20_000;

/**
 * Ensures that Temporal has every schedule as the ledger has it: it may have been away when a schedule was changed, or
 * have been restored or lost. Also ensures that every requested run has a workflow; a run whose workflow an operator
 * ended has ended.
 */
export function scheduleSweeper({ ledger, temporal, sync, clock, log }: ScheduleSweeperDependencies): BackgroundJob {
  async function follow(schedule: ScheduleView): Promise<void> {
    const { id } = schedule;
    const isThere =
      schedule.isSynced && (schedule.problem !== undefined || (await temporal.nextTimes(id)) !== undefined);
    if (isThere) return;
    await sync(schedule);
    log({ level: 'info', message: 'a schedule was given to Temporal', schedule: id, state: schedule.state });
  }

  async function sweep(run: ScheduleRun): Promise<void> {
    if (clock.nowMs() - Date.parse(run.createdAt) < YOUNG_MS) return;
    const last = await temporal.lastRun(run);
    if (last === 'running') return;
    if (last === 'none') {
      await temporal.startRun(run);
      return log({ level: 'info', message: 'a run of a schedule was started', schedule: run.scheduleId, at: run.at });
    }
    // The run ended, and its row is still open: the ledger was restored from an older backup.
    const end =
      last === 'ended'
        ? { state: 'failed' as const, reason: 'already_ran', text: 'its workflow has ended: nothing is sent again' }
        : { state: 'skipped' as const, reason: `workflow_${last}` };
    await ledger.schedules.endRun(run.scheduleId, run.at, end, clock.nowMs());
    log({ level: 'warn', message: 'a run of a schedule ended with its workflow', schedule: run.scheduleId, run: last });
  }

  return {
    name: 'sweep schedules',
    everyMs: SCHEDULES_EVERY_MS,
    async round() {
      for (const schedule of await ledger.schedules.ofNamespace(temporal.namespace)) await follow(schedule);
      for (const run of await ledger.schedules.openRuns(temporal.namespace)) await sweep(run);
    },
  };
}

interface StarterDependencies<Item> extends JobDependencies {
  /** No effect while it is under way. */
  readonly start: (item: Item) => Promise<void>;
}

/** An edit can be posted for only 15 minutes, so an amendment without a running activity is detected quickly. */
const AMENDMENTS_EVERY_MS = 10_000;

/** Starts the activity of amendments that have not ended: Temporal was away, was restored, or lost it. */
export function amendmentSweeper({ ledger, start, log }: StarterDependencies<CampaignId>): BackgroundJob {
  return {
    name: 'sweep amendments',
    everyMs: AMENDMENTS_EVERY_MS,
    async round() {
      for (const id of await ledger.amendments.open()) {
        await start(id).catch((error: unknown) => {
          log({ level: 'warn', message: 'an amendment could not be started; retried automatically', id, error });
        });
      }
    },
  };
}

const JOBS_EVERY_MS = 5_000;

/** Starts the runs of recurring jobs that are due. */
export function startRecurringJobs({ ledger, start, clock, log }: StarterDependencies<RecurringJob>): BackgroundJob {
  return {
    name: 'start recurring jobs',
    everyMs: JOBS_EVERY_MS,
    async round() {
      for (const job of await ledger.account.due(clock.nowMs())) {
        await start(job).catch((error: unknown) => {
          log({
            level: 'warn',
            message: 'a recurring job could not be started; retried automatically',
            job: job.id,
            error,
          });
        });
      }
    },
  };
}
