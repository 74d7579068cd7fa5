import { z } from 'zod';
import {
  AppError,
  firstAccountOf,
  canonicalJson,
  type Caller,
  instanceOfSchedule,
  type ScheduleId,
  type ScheduleRun,
  parseUrl,
  present,
  type Problem,
  type ScheduledMessage,
  type ScheduleDefinition,
} from '../contract/index.js';
import { refuseEnded, scheduleUnknown, type Ledger, type ScheduleView } from '../ledger/index.js';
import {
  canonicalTimezone,
  cronProblem,
  hasTimeAfter,
  inputInvalid,
  namesPrivateHost,
  problemsOf,
} from '../domain/index.js';
import {
  type CampaignChecks,
  commandId,
  contentsFileProblems,
  fileProblems,
  firstOfEach,
  problemIf,
  problemsOfRefusal,
  readCampaign,
  readMessageRequest,
  requestHash,
  scheduleId,
  type DescribedSchedule,
} from '../starter/index.js';
import type { RouteDependencies } from './route-dependencies.js';
import { newScheduleSchema } from '../contract/schemas.js';

interface ScheduleChecks extends CampaignChecks {
  /** Whether recipients may be read from this machine or a private network, and callbacks posted there. */
  readonly allowPrivateCallbacks: boolean;
  /** Whether the schedule may name variables of the worker, which belong to no instance. */
  readonly mayNameVariables: boolean;
  readonly nowMs: number;
}

/** @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND, both with all problems */
export function readSchedule(value: unknown, checks: ScheduleChecks) {
  const read = newScheduleSchema.safeParse(value);
  const parts = z.looseObject({}).catch({}).parse(value);
  const campaign = readPart('campaign', parts['campaign'], (part) => readCampaign(part, checks));
  const message = readPart('message', parts['message'], (part) => {
    // A single message has no such field. It is checked with the schedule.
    const { data: { expiresIn: _, ...rest } = {}, success } = z.looseObject({}).safeParse(part);
    return readMessageRequest(success ? rest : part, checks);
  });
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...campaign.problems,
    ...message.problems,
    ...(read.success ? [...timeProblems(read.data, checks.nowMs), ...sourceProblems(read.data, checks)] : []),
  ];
  if (!read.success || problems.length > 0) throw inputInvalid('The schedule', firstOfEach(problems));
  const { id, paused: isPaused = false, note, ...definition } = read.data;
  let sent: ScheduledMessage | undefined;
  if (definition.message && message.read) {
    // With chat ids, as every run sends it.
    const { defaultCountry: _, ...rest } = definition.message;
    const { chatId, content } = message.read.request;
    sent = { ...rest, content, ...present({ to: chatId }) };
  }
  const timezone = definition.timezone && canonicalTimezone(definition.timezone);
  return { id, definition: { ...definition, ...present({ message: sent, timezone }) }, isPaused, note };
}

/**
 * A part of the schedule by its own reader. The paths of its problems begin with the part.
 * @throws AppError INSTANCE_NOT_FOUND
 */
function readPart<Read>(part: string, value: unknown, read: (value: unknown) => Read) {
  if (value === undefined) return { problems: [] };
  try {
    return { read: read(value), problems: [] };
  } catch (error) {
    return { problems: problemsOfRefusal(error, (path) => (path === '' ? part : `${part}.${path}`)) };
  }
}

function timeProblems(definition: ScheduleDefinition, nowMs: number): readonly Problem[] {
  const { cron, timezone = 'UTC', startAt, endAt } = definition;
  const isReversed = startAt !== undefined && endAt !== undefined && Date.parse(endAt) <= Date.parse(startAt);
  const problems = [
    ...cron.flatMap((text, at) => {
      const message = cronProblem(text);
      return message === undefined ? [] : [{ path: `cron[${at}]`, message }];
    }),
    ...problemIf(canonicalTimezone(timezone) === undefined, 'timezone', 'is not an IANA timezone, e.g. Europe/Lisbon'),
    ...problemIf(isReversed, 'endAt', 'is not after startAt'),
    ...problemIf(endAt !== undefined && Date.parse(endAt) <= nowMs, 'endAt', 'has passed'),
  ];
  if (problems.length > 0) return problems;
  const isNever = !hasTimeAfter(definition, nowMs);
  return problemIf(isNever, 'cron', 'has no time that ever comes, within startAt and endAt if they are given');
}

function sourceProblems(
  { recipients = { group: '' } }: ScheduleDefinition,
  { allowPrivateCallbacks, mayNameVariables }: ScheduleChecks,
): readonly Problem[] {
  const url = 'url' in recipients ? parseUrl(recipients.url) : undefined;
  return [
    ...problemIf(
      url !== undefined && !allowPrivateCallbacks && namesPrivateHost(url),
      'recipients.url',
      'is on this machine or in a private network. To allow this, set EVERPOST_ALLOW_PRIVATE_TARGETS=yes',
    ),
    ...problemIf(
      'connection' in recipients && 'env' in recipients.connection && !mayNameVariables,
      'recipients.connection.env',
      "is only for an API key of every instance. Name a file in the instance's folder of EVERPOST_SOURCES_DIR instead",
    ),
  ];
}

/** What Temporal's schedule shows, or has shown last. `nextRuns` is absent while Temporal cannot be asked. */
type Seen = Pick<ScheduleView, 'overlapped' | 'note'> & Partial<DescribedSchedule>;

/** The response to a command: without what the schedule sends, and without the texts of its runs. */
function progressOf(view: ScheduleView, { isPaused, note, nextRuns }: Seen = view) {
  const { id, isSynced, problem, createdAt } = view;
  const state = isPaused === undefined ? view.state : isPaused ? 'paused' : 'active';
  if (state === 'deleted') return scheduleUnknown(id);
  const next = isPaused === true ? undefined : nextRuns?.slice(0, SHOWN_NEXT_RUNS);
  return { id, state, isSynced, createdAt, ...present({ note, problem, nextRuns: next }) };
}

export function shownSchedule(
  view: ScheduleView,
  health: ReturnType<Awaited<ReturnType<Ledger['schedules']['healthOf']>>['get']>,
  seen: Seen = view,
) {
  const { missed = 0, failed = 0, failure, openRun } = health ?? {};
  const blockedBy = view.definition.overlap === 'allow' ? undefined : openRun;
  return {
    ...progressOf(view, seen),
    counts: { missed, overlapped: seen.overlapped, failed },
    ...present({ failure, blockedBy }),
    ...view.definition,
  };
}

/** How long the creation of a schedule waits for the gateway. */
const ASK_FOR_MS = 10_000;
const SHOWN_RUNS = 20;
const SHOWN_NEXT_RUNS = 5;
/** The most occurrences of one backfill. Each is a campaign or a message. */
const MOST_BACKFILLED = 100;

/** Every method except create and list throws AppError SCHEDULE_NOT_FOUND. */
export function schedulesWith(dependencies: RouteDependencies) {
  const { ledger, temporal, sync, clock, log, askGateway } = dependencies;
  const { schedules } = ledger;

  /** @throws AppError INPUT_INVALID */
  async function refuseUnsendableFile({ message, campaign }: ScheduleDefinition): Promise<void> {
    const nowMs = clock.nowMs();
    const inside = (part: string) => (problem: Problem) => ({ ...problem, path: `${part}.${problem.path}` });
    const ofMessage = message && (await fileProblems(dependencies, message, nowMs));
    const ofCampaign = campaign && (await contentsFileProblems(dependencies, campaign, nowMs));
    const problems = [...(ofMessage ?? []).map(inside('message')), ...(ofCampaign ?? []).map(inside('campaign'))];
    if (problems.length > 0) throw inputInvalid('The schedule', problems);
  }

  /**
   * The other sources are read by workers only, and may appear later. While the gateway cannot be asked, a run says why
   * it cannot read its recipients.
   * @throws AppError INPUT_INVALID
   */
  async function refuseUnknownGroup({ campaign, recipients }: ScheduleDefinition): Promise<void> {
    if (campaign === undefined || recipients === undefined || !('group' in recipients)) return;
    const instance = firstAccountOf(campaign);
    try {
      const wait = { timeoutMs: ASK_FOR_MS, signal: AbortSignal.timeout(ASK_FOR_MS) };
      await askGateway('getGroupData', instance, { groupId: recipients.group }, wait);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log({ level: 'info', message: 'the group of a schedule could not be read', instance, error });
      if (error.code !== 'OPERATION_FAILED') return;
      const why = error.gatewayText === undefined ? '' : `: ${error.gatewayText}`;
      const message = `cannot be read${why}. Check the id, and that the account of instance ${instance} is in the group`;
      throw inputInvalid('The schedule', [{ path: 'recipients.group', message }]);
    }
  }

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

  /** What Temporal shows now; undefined if it cannot be asked, or does not have the schedule. */
  async function seenNow({ id, state, isSynced }: ScheduleView): Promise<DescribedSchedule | undefined> {
    let seen: DescribedSchedule | undefined;
    if (state === 'ended' || !isSynced) return seen;
    await later('a schedule is shown as it was last seen', id, async () => {
      seen = await temporal.describe(id);
    });
    return seen;
  }

  async function shown(views: readonly ScheduleView[]) {
    const health = await schedules.healthOf(views.map(({ id }) => id));
    return Promise.all(views.map(async (view) => shownSchedule(view, health.get(view.id), await seenNow(view))));
  }

  /** Gives a new or changed schedule to Temporal. */
  async function synced(schedule: ScheduleView): Promise<ScheduleView> {
    const { id, isSynced } = schedule;
    if (isSynced) return schedule;
    await later('a schedule is given to Temporal', id, () => sync(id));
    return existing(id);
  }

  async function start(runs: readonly ScheduleRun[]): Promise<void> {
    for (const run of runs) await later('a run is started', run.scheduleId, () => temporal.startRun(run));
  }

  async function readDefinition(body: unknown, caller: Caller) {
    const mayNameVariables = caller.instances === undefined;
    const read = readSchedule(body, { ...dependencies, mayNameVariables, nowMs: clock.nowMs() });
    await refuseUnsendableFile(read.definition);
    return read;
  }

  return {
    /** @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH | SCHEDULE_DELETED */
    async create(body: unknown, { key, caller }: { readonly key: string; readonly caller: Caller }) {
      const { id: named, definition, isPaused, note } = await readDefinition(body, caller);
      const id = named ?? scheduleId(instanceOfSchedule(definition), key);
      if ((await schedules.view(id)) === undefined) await refuseUnknownGroup(definition);
      const { schedule: created, isNew } = await schedules.create({
        id,
        commandId: commandId('schedule', id, 'create', key),
        requestHash: requestHash({ definition, isPaused, note }),
        definition,
        isPaused,
        note,
        namespace: temporal.namespace,
        nowMs: clock.nowMs(),
      });
      const [schedule] = await shown([await synced(created)]);
      return { schedule: schedule ?? scheduleUnknown(id), isNew };
    },

    /**
     * Changes what the schedule sends and when. A run that has not started yet ends.
     * @param change  these fields replace those of the definition; null removes one
     * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | SCHEDULE_ENDED
     */
    async update(id: ScheduleId, change: Readonly<Record<string, unknown>>, caller: Caller) {
      const schedule = await existing(id);
      refuseEnded(schedule);
      const before = schedule.definition;
      const fields = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
      const { definition } = await readDefinition(Object.fromEntries(fields), caller);
      if (instanceOfSchedule(definition) !== instanceOfSchedule(before)) {
        throw inputInvalid('The change', [{ path: 'instance', message: 'cannot change: create another schedule' }]);
      }
      const isOtherSource = canonicalJson(definition.recipients) !== canonicalJson(before.recipients);
      if (isOtherSource) await refuseUnknownGroup(definition);
      const changed = await synced(await schedules.update(id, definition, clock.nowMs()));
      return progressOf(changed, await seenNow(changed));
    },

    async view(id: ScheduleId) {
      const [schedule] = await shown([await existing(id)]);
      return { ...(schedule ?? scheduleUnknown(id)), runs: await schedules.runs(id, SHOWN_RUNS) };
    },

    async list(filter: Parameters<Ledger['schedules']['list']>[0]) {
      const { items, ...page } = await schedules.list(filter);
      return { ...page, items: await shown(items) };
    },

    /**
     * SCHEDULE-1. Temporal pauses and resumes; the same key takes effect once.
     * @param asked.witness  the requester
     * @throws AppError SCHEDULE_ENDED | TEMPORAL_UNAVAILABLE
     */
    async steer(
      id: ScheduleId,
      command: 'pause' | 'resume',
      asked: { readonly key: string; readonly note?: string | undefined; readonly witness: string },
    ) {
      const { key, note = `${command}d by everpost`, witness: requestedBy } = asked;
      const schedule = await existing(id);
      const given = { commandId: commandId('schedule', id, command, key), note, requestedBy };
      if (schedule.state !== 'ended' && !(await schedules.tookEffect(id, given.commandId))) {
        const isDone = schedule.isSynced && (await temporal.steer(id, command, note));
        // Temporal does not have the schedule, or the last change of it, yet.
        if (!isDone) await sync(id).then(() => temporal.steer(id, command, note));
      }
      const steered = await schedules.steered(id, command, { ...given, nowMs: clock.nowMs() });
      return progressOf(steered, await seenNow(steered));
    },

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
      const refused = (path: string, message: string) => inputInvalid('The backfill', [{ path, message }]);
      if (toMs > clock.nowMs()) throw refused('to', 'is in the future');
      if (fromMs > toMs) throw refused('from', 'is after to');
      // `matchingTimes` excludes its first argument.
      const times = await temporal.matchingTimes(id, fromMs - 1, toMs);
      if (times.length > MOST_BACKFILLED) {
        throw refused('to', `contains ${times.length} times: at most ${MOST_BACKFILLED} are run at once`);
      }
      const runs = await schedules.backfill(id, times, clock.nowMs());
      await start(runs);
      return runs;
    },

    async remove(id: ScheduleId) {
      await existing(id);
      await schedules.remove(id);
      await later('a schedule is deleted in Temporal', id, () => sync(id));
    },
  };
}
