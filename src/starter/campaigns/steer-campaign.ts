import {
  AppError,
  CAMPAIGN_RETRY_UPDATE,
  EDITS_PER_SECOND,
  withPace,
  type Amendment,
  type AmendmentPlan,
  type AmendRequest,
  type CampaignId,
  type CampaignProgress,
  type CampaignResponse,
  type PacedProgress,
  type RetriedRecipients,
  type RetryRequest,
} from '../../contract/index.js';
import { editSpacingMs, inputInvalid } from '../../domain/index.js';
import type { AskedCommand, CommandKind, UpdateCampaign } from '../../ledger/index.js';
import type { RouteDependencies } from '../http/route-dependencies.js';
import { campaignUpdateId, requestHash } from '../ids.js';
import type { Wait } from '../temporal/temporal-call.js';
import { waitUntil } from '../wait-until.js';
import { campaignUnknown } from './campaigns.js';
import { templateProblems } from './read-campaign.js';

/** A command for a campaign: with the same key it takes effect once. */
export interface Wish extends Wait {
  readonly key: string;
  /** Who asks. */
  readonly witness: string;
}

/** `waiting`: accepted, and not done yet; repeat the request with the same key. */
export type Granted<Result> = Result | 'waiting';

interface SteeringCommand<Applied, Result> {
  readonly kind: CommandKind;
  readonly request?: object;
  /** Takes effect once; a repeated call returns the current state. */
  readonly apply: (command: AskedCommand, before: PacedProgress) => Promise<Applied>;
  readonly response: (applied: Applied) => Granted<Result> | Promise<Granted<Result>>;
}

/**
 * Starts campaigns and steers those that run. A command takes effect in the ledger, also while Temporal is away; the
 * dispatcher is woken and the run notified afterwards. Under the same key it takes effect once, and never after a
 * command that was requested later.
 * @throws AppError COMMAND_SUPERSEDED | IDEMPOTENCY_MISMATCH
 */
export function steeringWith(dependencies: RouteDependencies) {
  const { ledger, campaignRuns, clock, bell, wake, followCampaign, startAmendment } = dependencies;
  const { instances, checkOperation } = dependencies;
  const { campaigns, amendments } = ledger;

  const paced = (progress: CampaignProgress): PacedProgress => withPace(progress, clock.nowMs());

  async function known(id: CampaignId): Promise<PacedProgress> {
    return paced((await campaigns.progress(id, clock.nowMs())) ?? campaignUnknown(id));
  }

  /** The dispatcher claims by the ledger's current state, and the run shows it. */
  function spread(progress: CampaignProgress): void {
    bell.ring(progress.id);
    void wake(progress.instance);
    void followCampaign(progress);
  }

  async function grant<Applied, Result extends object>(
    id: CampaignId,
    { key, witness }: Wish,
    { kind, request, apply, response }: SteeringCommand<Applied, Result>,
  ): Promise<Granted<Result>> {
    const before = await known(id);
    const hash = requestHash(request === undefined ? [] : [request]);
    const command = { id: campaignUpdateId(id, kind, key), requestHash: hash, requestedBy: witness };
    const given = await campaigns.ask(id, kind, command, clock.nowMs());
    if (given !== undefined) return given as Result;
    const applied = await apply(command, before);
    spread(await known(id));
    const result = await response(applied);
    if (result === 'waiting') return result;
    return (await campaigns.recordResult(id, command.id, result)) as Result;
  }

  function editsFrom({ instance }: PacedProgress) {
    const perSecond = instances.get(instance).rateLimits?.['editMessage'] ?? EDITS_PER_SECOND;
    return { nowMs: clock.nowMs(), spacingMs: editSpacingMs(perSecond) };
  }

  function refuseBrokenText(id: CampaignId, { text }: AmendRequest): void {
    const problems = templateProblems({ kind: 'text', text }, checkOperation);
    const named = problems.map(({ message }) => ({ path: 'text', message }));
    if (problems.length > 0) throw inputInvalid(`The amendment of campaign ${id}`, named);
  }

  /** Returns once the POSTs under way have ended, or can no longer begin. */
  async function stopped(id: CampaignId, { timeoutMs, signal }: Wish): Promise<Granted<CampaignResponse>> {
    const isDone = ({ sending, reconcileAfterMs = 0 }: Awaited<ReturnType<typeof campaigns.underWay>>) =>
      sending === 0 || reconcileAfterMs <= clock.nowMs();
    const read = () => campaigns.underWay(id);
    const left = signal ?? new AbortController().signal;
    const underWay = await waitUntil(bell, { id, read, isDone, timeoutMs, signal: left });
    return isDone(underWay) ? { progress: await known(id), inGatewayQueue: underWay.inQueue } : 'waiting';
  }

  /** A retry may go through a million recipients, which is a worker's task where there is a worker. */
  async function retryByRun(
    before: PacedProgress,
    retry: RetryRequest,
    command: AskedCommand,
    wait: Wait,
  ): Promise<Granted<RetriedRecipients>> {
    const { id, state } = before;
    const update = { name: CAMPAIGN_RETRY_UPDATE, args: [retry], updateId: command.id };
    const byRun =
      state === 'draft'
        ? 'gone'
        : await campaignRuns.updateWithStart<RetriedRecipients>(before, update, wait).catch(unlessAway);
    if (byRun !== 'gone') return byRun;
    const retried = await campaigns.retry(id, retry, clock.nowMs(), command);
    return { ...retried, progress: paced(retried.progress) };
  }

  return {
    /** @throws AppError CAMPAIGN_NOT_FOUND */
    progress: known,

    /**
     * Starts a campaign once, ever.
     * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_EMPTY | CAMPAIGN_INCOMPLETE
     */
    async start(id: CampaignId): Promise<{ readonly isReplay: boolean }> {
      const before = await known(id);
      const isReplay = before.state !== 'draft';
      // The start is durable here; if the run does not begin now, the sweeper starts it.
      spread(isReplay ? before : await campaigns.start(id, campaignRuns.namespace, clock.nowMs()));
      return { isReplay };
    },

    /**
     * Answers once no further send can begin and those under way have ended.
     * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_ENDED
     */
    pause: (id: CampaignId, wish: Wish) =>
      grant(id, wish, {
        kind: 'pause',
        apply: (command) => campaigns.pause(id, clock.nowMs(), command),
        response: () => stopped(id, wish),
      }),

    resume: (id: CampaignId, wish: Wish) =>
      grant(id, wish, {
        kind: 'resume',
        apply: (command) => campaigns.resume(id, clock.nowMs(), command),
        response: async (progress): Promise<CampaignResponse> => ({
          progress: paced(progress),
          inGatewayQueue: (await campaigns.underWay(id)).inQueue,
        }),
      }),

    /** As {@link pause}. */
    cancel: (id: CampaignId, wish: Wish) =>
      grant(id, wish, {
        kind: 'cancel',
        apply: (command) => campaigns.cancel(id, wish.witness, clock.nowMs(), command),
        response: () => stopped(id, wish),
      }),

    /** @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_INCOMPLETE | INPUT_INVALID */
    update: (id: CampaignId, change: UpdateCampaign, wish: Wish) =>
      grant(id, wish, {
        kind: 'update',
        request: change,
        apply: (command) => campaigns.update(id, change, clock.nowMs(), command),
        response: paced,
      }),

    /** @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | INPUT_INVALID (the deadline has passed) */
    retry: (id: CampaignId, retry: RetryRequest, wish: Wish) =>
      grant(id, wish, {
        kind: 'retry',
        request: retry,
        apply: (command, before) => retryByRun(before, retry, command, wish),
        response: (retried) => retried,
      }),

    /** What {@link amend} could do now. @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | EDIT_NOT_TEXT */
    async planAmendment(id: CampaignId, request: AmendRequest): Promise<AmendmentPlan> {
      refuseBrokenText(id, request);
      return amendments.plan(id, request.text, editsFrom(await known(id)));
    },

    /**
     * Gives a new text to all recipients, also to those who have an older one.
     * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_INCOMPLETE | EDIT_NOT_TEXT | INPUT_INVALID
     */
    async amend(id: CampaignId, request: AmendRequest, wish: Wish): Promise<Granted<Amendment>> {
      refuseBrokenText(id, request);
      const amendment = await grant<Amendment, Amendment>(id, wish, {
        kind: 'amend',
        request,
        apply: (asked, before) => amendments.begin(id, request, editsFrom(before), asked),
        response: (begun) => begun,
      });
      // From the ledger's commit on it is durable: should the activity not begin now, the sweeper begins it.
      void startAmendment(id);
      return amendment;
    },
  };
}

/** While Temporal or its workers are unavailable, no run can be queried. */
function unlessAway(error: unknown): 'gone' {
  if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return 'gone';
  throw error;
}
