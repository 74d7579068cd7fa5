import {
  AppError,
  CAMPAIGN_RETRY_UPDATE,
  EDITS_PER_SECOND,
  accountsOf,
  type Amendment,
  type AmendmentPlan,
  type AmendRequest,
  type CampaignId,
  type CampaignProgress,
  type CampaignResponse,
  type RetriedRecipients,
  type ResumeRequest,
  type RetryRequest,
  type StartRequest,
  campaignUnknown,
} from '../../contract/index.js';
import { editSpacingMs, inputInvalid } from '../../domain/index.js';
import { FORECAST_IN_RESPONSE, type AskedCommand, type CommandKind, type UpdateCampaign } from '../../ledger/index.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { campaignUpdateId, requestHash, templateProblems, type Wait } from '../../starter/index.js';
import { waitUntil } from '../waiting.js';

/** A command for a campaign. It takes effect once for each key. */
export interface Wish extends Wait {
  readonly key: string;
  /** The requester. */
  readonly witness: string;
}

/** `waiting`: accepted but not done. The caller repeats the request with the same key. */
export type Granted<Result> = Result | 'waiting';

/**
 * Starts campaigns and controls running ones. A command takes effect in the ledger, also while Temporal is unavailable;
 * afterwards the dispatcher is woken and the run notified. Each key takes effect once, and never after a command that
 * was requested later.
 * @throws AppError COMMAND_SUPERSEDED | IDEMPOTENCY_MISMATCH
 */
export function steeringWith(dependencies: RouteDependencies) {
  const { ledger, campaignRuns, clock, bell, wake, followCampaign, startAmendment } = dependencies;
  const { instances, checkOperation } = dependencies;
  const { campaigns, amendments } = ledger;

  async function known(id: CampaignId): Promise<CampaignProgress> {
    const progress = await campaigns.progress(id, clock.nowMs(), FORECAST_IN_RESPONSE);
    if (progress === undefined) throw campaignUnknown(id);
    return progress;
  }

  /** The dispatcher claims by the ledger's current state, and the run shows that state. */
  function spread(progress: CampaignProgress): void {
    bell.ring(progress.id);
    for (const instance of accountsOf(progress)) void wake(instance);
    void followCampaign(progress);
  }

  /** @param apply  takes effect once; called again, it returns the current state */
  async function grant<Result extends object>(
    id: CampaignId,
    { key, witness }: Wish,
    { kind, request }: { readonly kind: CommandKind; readonly request?: object | undefined },
    apply: (command: AskedCommand) => Promise<Granted<Result>>,
  ): Promise<Granted<Result>> {
    if ((await campaigns.state(id)) === undefined) throw campaignUnknown(id);
    const hash = requestHash(request === undefined ? [] : [request]);
    const what = kind === 'update' && request !== undefined ? { what: Object.keys(request).join(', ') } : {};
    const command = { id: campaignUpdateId(id, kind, key), requestHash: hash, requestedBy: witness, ...what };
    const given = await campaigns.ask(id, kind, command, clock.nowMs());
    if (given !== undefined) return given as Result;
    const result = await apply(command);
    if (result === 'waiting') return result;
    return (await campaigns.recordResult(id, command.id, result)) as Result;
  }

  function editsNow() {
    const spacingMs = (instance: string): number | undefined => {
      if (!instances.names().includes(instance)) return undefined;
      return editSpacingMs(instances.get(instance).rateLimits?.['editMessage'] ?? EDITS_PER_SECOND);
    };
    return { nowMs: clock.nowMs(), spacingMs };
  }

  function refuseBrokenText(id: CampaignId, { text }: AmendRequest): void {
    const problems = templateProblems({ kind: 'text', text }, checkOperation);
    const named = problems.map(({ message }) => ({ path: 'text', message }));
    if (problems.length > 0) throw inputInvalid(`The amendment of campaign ${id}`, named);
  }

  /** @returns the POSTs under way once they have ended, or none can begin */
  async function postsEnded(id: CampaignId, { timeoutMs, signal }: Wish, of: 'all' | 'removed') {
    const isDone = ({ sending, reconcileAfterMs = 0 }: Awaited<ReturnType<typeof campaigns.underWay>>) =>
      sending === 0 || reconcileAfterMs <= clock.nowMs();
    const read = () => campaigns.underWay(id, of);
    const left = signal ?? new AbortController().signal;
    const underWay = await waitUntil(bell, { id, read, isDone, timeoutMs, signal: left });
    return isDone(underWay) ? underWay : 'waiting';
  }

  async function stopped(id: CampaignId, wish: Wish): Promise<Granted<CampaignResponse>> {
    const underWay = await postsEnded(id, wish, 'all');
    return underWay === 'waiting' ? underWay : { progress: await known(id), inGatewayQueue: underWay.inQueue };
  }

  /** A retry may read a million recipients. A worker does this if one is running. */
  async function retried(id: CampaignId, retry: RetryRequest, command: AskedCommand, wait: Wait) {
    const before = await known(id);
    const update = { name: CAMPAIGN_RETRY_UPDATE, args: [retry], updateId: command.id };
    const byRun =
      before.state === 'draft'
        ? 'gone'
        : await campaignRuns
            .updateWithStart<RetriedRecipients>(before, update, wait)
            .catch((error: unknown): 'gone' => {
              // While Temporal or its workers are unavailable, no run can be queried.
              if (error instanceof AppError && error.code === 'TEMPORAL_UNAVAILABLE') return 'gone';
              throw error;
            });
    return byRun === 'gone' ? campaigns.retry(id, retry, clock.nowMs(), command) : byRun;
  }

  return {
    /** @throws AppError CAMPAIGN_NOT_FOUND */
    progress: known,

    /**
     * Starts a campaign. A campaign starts only once.
     * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_EMPTY | CAMPAIGN_ENDED (it was cancelled) | CAMPAIGN_INCOMPLETE |
     *   CAMPAIGN_REJECTED_LINES
     */
    async start(
      id: CampaignId,
      options: StartRequest & { readonly requestedBy?: string } = {},
    ): Promise<{ readonly isReplay: boolean }> {
      const { state } = await known(id);
      // The start is durable here. If the run cannot be started now, the sweeper starts it.
      spread(await campaigns.start(id, campaignRuns.namespace, clock.nowMs(), options));
      return { isReplay: state !== 'draft' };
    },

    /**
     * Returns once no further POST can begin and those under way have ended.
     * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_ENDED
     */
    pause: (id: CampaignId, wish: Wish) =>
      grant(id, wish, { kind: 'pause' }, async (command) => {
        spread(await campaigns.pause(id, clock.nowMs(), command));
        return stopped(id, wish);
      }),

    /** @throws AppError as {@link pause} | INPUT_INVALID (the campaign has no such account) */
    resume: (id: CampaignId, { instance }: ResumeRequest, wish: Wish) =>
      grant(
        id,
        wish,
        { kind: 'resume', request: instance === undefined ? undefined : { instance } },
        async (command): Promise<CampaignResponse> => {
          const nowMs = clock.nowMs();
          const resumed =
            instance === undefined
              ? campaigns.resume(id, nowMs, command)
              : campaigns.resumeAccount(id, instance, nowMs, command);
          const progress = await resumed;
          spread(progress);
          return { progress, inGatewayQueue: (await campaigns.underWay(id)).inQueue };
        },
      ),

    /** Like {@link pause}. */
    cancel: (id: CampaignId, wish: Wish) =>
      grant(id, wish, { kind: 'cancel' }, async (command) => {
        spread(await campaigns.cancel(id, wish.witness, clock.nowMs(), command));
        return stopped(id, wish);
      }),

    /**
     * Once it returns, nothing more is posted from an account that was removed.
     * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_INCOMPLETE | INPUT_INVALID
     */
    update: (id: CampaignId, change: UpdateCampaign, wish: Wish) =>
      grant(id, wish, { kind: 'update', request: change }, async (command) => {
        const progress = await campaigns.update(id, change, clock.nowMs(), command);
        spread(progress);
        const isLeft = change.instances !== undefined && (await postsEnded(id, wish, 'removed')) === 'waiting';
        return isLeft ? 'waiting' : progress;
      }),

    /** @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | INPUT_INVALID (the deadline has passed) */
    retry: (id: CampaignId, retry: RetryRequest, wish: Wish) =>
      grant(id, wish, { kind: 'retry', request: retry }, async (command) => {
        const result = await retried(id, retry, command, wish);
        if (result !== 'waiting') spread(result.progress);
        return result;
      }),

    /**
     * The result of {@link amend} if it were called now. @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED |
     * EDIT_NOT_TEXT
     */
    async planAmendment(id: CampaignId, request: AmendRequest): Promise<AmendmentPlan> {
      refuseBrokenText(id, request);
      return amendments.plan(id, request.text, editsNow());
    },

    /** Newest first. @throws AppError CAMPAIGN_NOT_FOUND */
    async amendments(id: CampaignId): Promise<Amendment[]> {
      return amendments.list(id, editsNow());
    },

    /**
     * Sends a new text to all recipients, also to those who have an older one.
     * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_INCOMPLETE | EDIT_NOT_TEXT | INPUT_INVALID
     */
    async amend(id: CampaignId, request: AmendRequest, wish: Wish): Promise<Granted<Amendment>> {
      refuseBrokenText(id, request);
      const amendment = await grant(id, wish, { kind: 'amend', request }, async (asked) => {
        const begun = await amendments.begin(id, request, editsNow(), asked);
        spread(await known(id));
        return begun;
      });
      // The ledger's commit makes the amendment durable. If the activity cannot be started now, the sweeper starts it.
      void startAmendment(id);
      return amendment;
    },
  };
}
