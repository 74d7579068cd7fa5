import {
  AppError,
  CAMPAIGN_CANCEL_UPDATE,
  CAMPAIGN_UPDATE_UPDATE,
  CAMPAIGN_END_STATES,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  withPace,
  type CampaignResponse,
  type CampaignId,
  type CampaignProgress,
  type PacedProgress,
  type Clock,
  type RetriedRecipients,
  type RetryRequest,
} from '../../contract/index.js';
import type { AskedCommand, UpdateCampaign, CommandKind, Ledger } from '../../ledger/index.js';
import type { ChangeBell } from '../change-bell.js';
import { campaignUpdateId, requestHash } from '../ids.js';
import type { Wait } from '../message-runs.js';
import { waitUntil } from '../wait-until.js';
import type { CampaignRuns, CampaignUpdate } from './campaign-runs.js';
import { campaignUnknown } from './campaigns.js';

/** A wish about a campaign: under the same key it is granted once. */
export interface Wish extends Wait {
  readonly key: string;
}

/** `waiting`: it is taken, and not done yet; ask again with the same key. */
export type Granted<Result> = Result | 'waiting';

/**
 * Starts campaigns and steers those that run. A command takes effect in the ledger, also while Temporal is away; the
 * run hears of it afterwards. Under the same key it takes effect once, and never after a command that was asked for
 * later.
 * @throws AppError COMMAND_SUPERSEDED | IDEMPOTENCY_MISMATCH
 */
export interface CampaignSteering {
  /**
   * Starts a campaign once, ever.
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_EMPTY | CAMPAIGN_INCOMPLETE | TEMPORAL_UNAVAILABLE (nothing was
   *   begun)
   */
  start(id: CampaignId): Promise<{ readonly isReplay: boolean }>;
  /**
   * Answers once no further send can begin and those under way have ended. @throws AppError CAMPAIGN_NOT_FOUND |
   * CAMPAIGN_NOT_STARTED | CAMPAIGN_ENDED
   */
  pause(id: CampaignId, wish: Wish): Promise<Granted<CampaignResponse>>;
  resume(id: CampaignId, wish: Wish): Promise<Granted<CampaignResponse>>;
  /** As {@link pause}. */
  cancel(id: CampaignId, wish: Wish): Promise<Granted<CampaignResponse>>;
  /** @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_INCOMPLETE | INPUT_INVALID */
  update(id: CampaignId, change: UpdateCampaign, wish: Wish): Promise<Granted<PacedProgress>>;
  /** How it stands now. @throws AppError CAMPAIGN_NOT_FOUND */
  progress(id: CampaignId): Promise<PacedProgress>;
  /** @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | INPUT_INVALID (the deadline has passed) */
  retry(id: CampaignId, retry: RetryRequest, wish: Wish): Promise<Granted<RetriedRecipients>>;
}

export interface SteeringDependencies {
  readonly ledger: Ledger;
  readonly runs: CampaignRuns;
  readonly clock: Clock;
  readonly bell: ChangeBell;
  /** Resolves when Temporal answers. */
  readonly reachable: () => Promise<void>;
}

/** How a command takes effect, and how the run is told of it. */
interface SteeringCommand<Applied, Result> {
  readonly kind: CommandKind;
  /** Of the update. */
  readonly name: string;
  readonly args: CampaignUpdate['args'];
  /** False where there is no run to tell. */
  readonly needsRun: (progress: CampaignProgress) => boolean;
  /** Takes effect once; called again it returns how things are. */
  readonly apply: (command: AskedCommand) => Promise<Applied>;
  /** Without a run to answer. */
  readonly response: (applied: Applied) => Promise<Granted<Result>>;
}

export function createCampaignSteering({
  ledger,
  runs,
  clock,
  bell,
  reachable,
}: SteeringDependencies): CampaignSteering {
  const { campaigns } = ledger;

  async function known(id: CampaignId): Promise<PacedProgress> {
    return paced((await campaigns.progress(id)) ?? campaignUnknown(id));
  }

  const paced = (progress: CampaignProgress): PacedProgress => withPace(progress, clock.nowMs());

  /**
   * A command takes effect in the ledger at once, so it never waits for Temporal. The run is told by an update with the
   * same id: its history shows the command, and the ledger ignores the update, however late or often it is delivered.
   */
  async function grant<Applied, Result>(
    id: CampaignId,
    { kind, name, args, needsRun, apply, response }: SteeringCommand<Applied, Result>,
    { key, ...wait }: Wish,
  ): Promise<Granted<Result>> {
    const before = await known(id);
    const command = { id: campaignUpdateId(id, name, key), requestHash: requestHash(args) };
    const given = await campaigns.ask(id, kind, command, clock.nowMs());
    if (given !== undefined) return given as Result;
    const told = needsRun(before);
    // A retry may go through a million recipients, which is a worker's task; everything else is one transaction.
    if (kind !== 'retry') await apply(command);
    bell.ring(id);
    const update = { name, args, updateId: command.id };
    const responded = told ? await runs.updateWithStart<Result>(before, update, wait).catch(unlessAway) : 'gone';
    bell.ring(id);
    if (responded !== 'gone') return responded;
    const applied = await apply(command);
    await wake(id);
    const result = await response(applied);
    if (result === 'waiting') return result;
    return (await campaigns.recordResult(id, command.id, result)) as Result;
  }

  /** The sweeper gives a campaign without a run one. */
  async function wake(id: CampaignId): Promise<void> {
    bell.ring(id);
    await runs.notifyChanged(id).catch(unlessAway);
  }

  async function stopped(id: CampaignId, { timeoutMs, signal }: Wish): Promise<Granted<CampaignResponse>> {
    const isOver = ({
      sending,
      reconcileAfterMs = 0,
    }: {
      readonly sending: number;
      readonly reconcileAfterMs?: number;
    }) => sending === 0 || reconcileAfterMs <= clock.nowMs();
    const read = () => campaigns.underWay(id);
    const left = signal ?? new AbortController().signal;
    const underWay = await waitUntil(bell, { id, read, isDone: isOver, timeoutMs, signal: left });
    return isOver(underWay) ? { progress: await known(id), inGatewayQueue: underWay.inQueue } : 'waiting';
  }

  return {
    progress: known,

    async start(id) {
      const before = await known(id);
      if (before.state !== 'draft') {
        if (!hasEnded(before)) await runs.continueRun(before).catch(unlessAway);
        return { isReplay: true };
      }
      await reachable();
      const started = await campaigns.start(id, runs.namespace, clock.nowMs());
      // From here on it is durable: should the run not begin now, the sweeper begins it.
      await runs.continueRun(started).catch(unlessAway);
      bell.ring(id);
      return { isReplay: false };
    },

    pause: (id, wish) =>
      grant(
        id,
        {
          kind: 'pause',
          name: CAMPAIGN_PAUSE_UPDATE,
          args: [],
          needsRun: isOpen,
          apply: (command) => campaigns.pause(id, clock.nowMs(), command),
          response: () => stopped(id, wish),
        },
        wish,
      ),

    resume: (id, wish) =>
      grant(
        id,
        {
          kind: 'resume',
          name: CAMPAIGN_RESUME_UPDATE,
          args: [],
          needsRun: isOpen,
          apply: (command) => campaigns.resume(id, clock.nowMs(), command),
          response: async (progress) => ({
            progress: paced(progress),
            inGatewayQueue: (await campaigns.underWay(id)).inQueue,
          }),
        },
        wish,
      ),

    cancel: (id, wish) =>
      grant(
        id,
        {
          kind: 'cancel',
          name: CAMPAIGN_CANCEL_UPDATE,
          args: [],
          needsRun: isOpen,
          apply: (command) => campaigns.cancel(id, 'request', clock.nowMs(), command),
          response: () => stopped(id, wish),
        },
        wish,
      ),

    update: (id, change, wish) =>
      grant(
        id,
        {
          kind: 'update',
          name: CAMPAIGN_UPDATE_UPDATE,
          args: [change],
          // A text must not enter a history.
          needsRun: (progress) => isOpen(progress) && change.content === undefined,
          apply: (command) => campaigns.update(id, change, clock.nowMs(), command),
          response: (progress) => Promise.resolve(paced(progress)),
        },
        wish,
      ),

    retry: (id, retry, wish) =>
      grant(
        id,
        {
          kind: 'retry',
          name: CAMPAIGN_RETRY_UPDATE,
          args: [retry],
          needsRun: ({ state }) => state !== 'draft',
          apply: (command) => campaigns.retry(id, retry, clock.nowMs(), command),
          response: (retried) => Promise.resolve({ ...retried, progress: paced(retried.progress) }),
        },
        wish,
      ),
  };
}

function hasEnded({ state }: CampaignProgress): boolean {
  return CAMPAIGN_END_STATES.includes(state);
}

function isOpen(progress: CampaignProgress): boolean {
  return progress.state !== 'draft' && !hasEnded(progress);
}

/** With Temporal away, or no worker there, no run can be asked. */
function unlessAway(error: unknown): 'gone' {
  if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return 'gone';
  throw error;
}
