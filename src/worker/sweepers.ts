import {
  present,
  type Clock,
  type LastRun,
  type MessageId,
  type TemplateInput,
  type TemplateKey,
  type CampaignId,
  type CampaignProgress,
  type CampaignState,
  type ScheduleRun,
  type RecurringJob,
} from '../contract/index.js';
import type { Ledger, UnfinishedMessage, ScheduleView } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

/** The runs of messages, as far as sweeping needs them. */
export interface MessageDrivers {
  lastRun(message: UnfinishedMessage): Promise<LastRun>;
  /** Starts a run, also after one that has ended; does nothing while one is open. */
  start(message: UnfinishedMessage): Promise<void>;
}

export interface SweeperDependencies {
  readonly messages: Pick<Ledger['messages'], 'unfinished' | 'cancel'>;
  readonly drivers: MessageDrivers;
  /** Only messages whose runs live here are swept. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;
/** Each message costs a request to Temporal. The next round continues where this one stopped. */
const MOST_IN_A_ROUND = 1_000;
const AT_ONCE = 8;

/**
 * Ensures that every unfinished message has a run: Temporal may have been restored from a backup or lost, or the run
 * failed for another reason than the message. A run that an operator terminated or cancelled cancels its message if it was not
 * posted yet; a posted one still has a run, since its outcome is not known yet.
 */
export function sweeper({ messages, drivers, namespace, clock, log }: SweeperDependencies): BackgroundJob {
  let afterId: MessageId | undefined;

  async function sweep(message: UnfinishedMessage): Promise<void> {
    const { id } = message;
    const last = await drivers.lastRun(message);
    if (last === 'running') return;
    if (last === 'terminated' || last === 'cancelled') {
      const row = await messages.cancel(id, `workflow ${last}`, clock.nowMs());
      if (row.state === 'cancelled') {
        return log({ level: 'info', message: 'a message was cancelled with its run', id, run: last });
      }
    }
    await drivers.start(message);
    log({ level: 'warn', message: 'a message without a run has one again', id, run: last });
  }

  return {
    name: 'sweep messages',
    everyMs: EVERY_MS,
    async round() {
      const nowMs = clock.nowMs();
      const limit = MOST_IN_A_ROUND;
      const page = await messages.unfinished({
        namespace,
        nowMs,
        limit,
        ...present({ afterId }),
      });
      const queue = page.values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const message of queue) await sweep(message);
        }),
      );
      afterId = page.length < limit ? undefined : page.at(-1)?.id;
    },
  };
}

/** The runs of templates, as far as sweeping needs them. */
export interface TemplateDrivers {
  lastRun(key: TemplateKey): Promise<LastRun>;
  /** Starts a run, also after one that has ended; does nothing while one is open. */
  continueRun(input: TemplateInput): Promise<void>;
}

export interface TemplateSweeperDependencies {
  readonly templates: Pick<Ledger['templates'], 'unfinished' | 'endWatch'>;
  readonly drivers: TemplateDrivers;
  /** Only templates whose runs live here are swept. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
}

const TEMPLATES_EVERY_MS = 60_000;
/** Each template costs a request to Temporal. The next round continues where this one stopped. */
const MOST_TEMPLATES_IN_A_ROUND = 100;

/**
 * Ensures that every template whose review is not decided has a run that follows it. A run that an operator terminated or
 * cancelled is not started again, and the template says that polling has stopped.
 */
export function templateSweeper({
  templates,
  drivers,
  namespace,
  clock,
  log,
}: TemplateSweeperDependencies): BackgroundJob {
  let after: TemplateKey | undefined;

  async function sweep(input: TemplateInput): Promise<void> {
    const { instance, elementName } = input;
    const last = await drivers.lastRun(input);
    if (last === 'running') return;
    if (last === 'terminated' || last === 'cancelled') {
      await templates.endWatch(input, clock.nowMs());
      log({ level: 'info', message: 'a template is no longer followed, as its run', instance, elementName, run: last });
      return;
    }
    await drivers.continueRun(input);
    log({ level: 'warn', message: 'a template without a run has one again', instance, elementName, run: last });
  }

  return {
    name: 'sweep templates',
    everyMs: TEMPLATES_EVERY_MS,
    async round() {
      const limit = MOST_TEMPLATES_IN_A_ROUND;
      const page = await templates.unfinished({ namespace, limit, ...present({ after }) });
      for (const input of page) await sweep(input);
      after = page.length < limit ? undefined : page.at(-1);
    },
  };
}

/** The runs of campaigns, as far as sweeping needs them. */
export interface CampaignDrivers {
  /** The status of the last run, and the campaign's state that the run has. */
  lastRun(id: CampaignId): Promise<{ readonly run: LastRun; readonly knownState?: string }>;
  /** Starts a run that continues from the row, also after one that has ended; does nothing while one is open. */
  continueRun(progress: CampaignProgress): Promise<void>;
  /** An open run reads the ledger now. */
  notifyChanged(id: CampaignId): Promise<void>;
}

export interface CampaignSweeperDependencies {
  readonly campaigns: Pick<Ledger['campaigns'], 'unfinished' | 'cancel' | 'progress'>;
  readonly drivers: CampaignDrivers;
  /** Only campaigns whose runs live here are swept. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Log;
}

const CAMPAIGNS_EVERY_MS = 60_000;

/**
 * Ensures that every campaign that has not ended has a run: Temporal may have been restored from a backup or lost. A run
 * that an operator terminated cancels its campaign; while outcomes of posted messages are unknown, it still has a run.
 * A run that missed a pause or a resume, since Temporal was away then, is notified.
 */
export function campaignSweeper({
  campaigns,
  drivers,
  namespace,
  clock,
  log,
}: CampaignSweeperDependencies): BackgroundJob {
  async function sweep(id: CampaignId, state: CampaignState): Promise<void> {
    const { run: last, knownState } = await drivers.lastRun(id);
    if (last === 'running') return knownState === state ? undefined : drivers.notifyChanged(id);
    if (last === 'terminated' || last === 'cancelled') {
      await campaigns.cancel(id, `workflow ${last}`, clock.nowMs());
      log({ level: 'info', message: 'a campaign was cancelled with its run', campaign: id, run: last });
    }
    const progress = await campaigns.progress(id, clock.nowMs());
    if (progress === undefined) return;
    await drivers.continueRun(progress);
    log({ level: 'warn', message: 'a campaign without a run has one again', campaign: id, run: last });
  }

  return {
    name: 'sweep campaigns',
    everyMs: CAMPAIGNS_EVERY_MS,
    async round() {
      for (const { id, state } of await campaigns.unfinished(namespace)) await sweep(id, state);
    },
  };
}

interface ScheduleSweeperDependencies {
  readonly schedules: Pick<Ledger['schedules'], 'ofNamespace' | 'openRuns' | 'endRun'>;
  readonly temporal: {
    readonly namespace: string;
    nextTimes(id: ScheduleView['id']): Promise<readonly string[] | undefined>;
    startRun(run: ScheduleRun): Promise<void>;
    lastRun(run: ScheduleRun): Promise<LastRun>;
  };
  /** Makes Temporal's schedule follow ours. */
  readonly sync: (schedule: ScheduleView) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const SCHEDULES_EVERY_MS = 30_000;
/** Its start may be under way. */
const YOUNG_MS = 20_000;

/**
 * Ensures that Temporal has every schedule as the ledger has it: it may have been away when a schedule was changed, or
 * have been restored or lost. Also ensures that every requested run has a workflow; a run whose workflow an operator
 * ended has ended.
 */
export function scheduleSweeper({ schedules, temporal, sync, clock, log }: ScheduleSweeperDependencies): BackgroundJob {
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
    await schedules.endRun(run.scheduleId, run.at, end, clock.nowMs());
    log({ level: 'warn', message: 'a run of a schedule ended with its workflow', schedule: run.scheduleId, run: last });
  }

  return {
    name: 'sweep schedules',
    everyMs: SCHEDULES_EVERY_MS,
    async round() {
      for (const schedule of await schedules.ofNamespace(temporal.namespace)) await follow(schedule);
      for (const run of await schedules.openRuns(temporal.namespace)) await sweep(run);
    },
  };
}

interface AmendmentSweeperDependencies {
  readonly amendments: Pick<Ledger['amendments'], 'open'>;
  /** Does nothing for a campaign whose amendment is being worked on. */
  readonly start: (id: CampaignId) => Promise<void>;
  readonly log: Log;
}

/** An edit can be posted for 15 minutes: an amendment that nothing works on is found soon. */
const AMENDMENTS_EVERY_MS = 10_000;

/** Starts the activity of amendments that have not ended: Temporal was away, was restored, or lost it. */
export function amendmentSweeper({ amendments, start, log }: AmendmentSweeperDependencies): BackgroundJob {
  return {
    name: 'sweep amendments',
    everyMs: AMENDMENTS_EVERY_MS,
    async round() {
      for (const id of await amendments.open()) {
        await start(id).catch((error: unknown) => {
          log({ level: 'warn', message: 'an amendment could not be started; retried automatically', id, error });
        });
      }
    },
  };
}

interface RecurringJobsDependencies {
  readonly account: Pick<Ledger['account'], 'due'>;
  /** Does nothing for a job that is under way. */
  readonly start: (job: RecurringJob) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const JOBS_EVERY_MS = 5_000;

/** Starts the runs of recurring jobs that are due. */
export function startRecurringJobs({ account, start, clock, log }: RecurringJobsDependencies): BackgroundJob {
  return {
    name: 'start recurring jobs',
    everyMs: JOBS_EVERY_MS,
    async round() {
      for (const job of await account.due(clock.nowMs())) {
        await start(job).catch((error: unknown) => {
          log({ level: 'warn', message: 'a recurring job could not be started; tried again', job: job.id, error });
        });
      }
    },
  };
}
