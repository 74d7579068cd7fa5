/**
 * Many people through one instance, by way of a shallow queue.
 *
 *   look: settle, feed what the queue has room for → wait until there is room again, or for news → look …
 *                                                     until the campaign's row says that it has ended
 *
 * The row in the ledger decides, this run only drives: a second run, a reset or a restored Temporal goes on from the row. What
 * the run knows are counts, of which those with the higher version are the truth. No person, number or text comes in here.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  CAMPAIGN_CANCEL_UPDATE,
  CAMPAIGN_CHANGED_SIGNAL,
  CAMPAIGN_CHANGE_UPDATE,
  CAMPAIGN_END_STATES,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_PLAN_QUERY,
  CAMPAIGN_PROGRESS_QUERY,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  RETRY_SCOPES,
  withPace,
  type CampaignAnswer,
  type CampaignInput,
  type CampaignProgress,
  type CampaignResult,
  type ChangePace,
  type CommandCondition,
  type FeedingPlan,
  type PacedProgress,
  type RetriedPeople,
  type RetryRequest,
} from '../contract/index.js';
import { feeding, steering } from './activity-proxies.js';
import { campaignDetails, feedingPlan } from './campaign-details.js';
import { faultPoints } from './fault-points.js';

export const pauseUpdate = defineUpdate<CampaignAnswer, [CommandCondition?]>(CAMPAIGN_PAUSE_UPDATE);
export const resumeUpdate = defineUpdate<CampaignAnswer, [CommandCondition?]>(CAMPAIGN_RESUME_UPDATE);
export const cancelCampaignUpdate = defineUpdate<CampaignAnswer, [CommandCondition?]>(CAMPAIGN_CANCEL_UPDATE);
export const changeUpdate = defineUpdate<PacedProgress, [ChangePace, CommandCondition?]>(CAMPAIGN_CHANGE_UPDATE);
export const retryUpdate = defineUpdate<RetriedPeople, [RetryRequest, CommandCondition?]>(CAMPAIGN_RETRY_UPDATE);
export const progressQuery = defineQuery<PacedProgress>(CAMPAIGN_PROGRESS_QUERY);
export const planQuery = defineQuery<FeedingPlan>(CAMPAIGN_PLAN_QUERY);
export const campaignChangedSignal = defineSignal(CAMPAIGN_CHANGED_SIGNAL);

const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');

export async function campaign(input: CampaignInput): Promise<CampaignResult> {
  const run = new CampaignRun(input);
  const whole = CancellationScope.current();
  setHandler(progressQuery, () => run.progress);
  setHandler(planQuery, () => run.plan());
  setHandler(campaignChangedSignal, () => run.lookSoon());
  setHandler(pauseUpdate, (order) => run.pause(commandOf(order)));
  setHandler(resumeUpdate, (order) => run.resume(commandOf(order)));
  setHandler(cancelCampaignUpdate, (order) => run.cancel('request', commandOf(order)));
  setHandler(changeUpdate, (change, order) => run.change(change, commandOf(order)), {
    validator: validateChange,
  });
  setHandler(retryUpdate, (retry, order) => run.retry(retry, commandOf(order)), { validator: validateRetry });
  // A person who cancels the run in the Web UI means the campaign. What was posted is found out about all the same.
  whole.cancelRequested.catch(() => CancellationScope.nonCancellable(() => run.cancelByOperator()));
  await CancellationScope.nonCancellable(() => run.untilEnded());
  if (whole.consideredCancelled) {
    throw new CancelledFailure(
      'The run was cancelled, and the campaign with it; its report says what became of everybody.',
    );
  }
  return run.result();
}

interface Command extends CommandCondition {
  readonly id: string;
}

/** The update's id names the command: the ledger lets it take effect once, however often it is delivered. */
function commandOf(order: CommandCondition = {}): Command {
  const { id } = currentUpdateInfo() ?? fail();
  return { id, ...order };
}

function fail(): never {
  throw new Error('A command was read outside of an update.');
}

function validateChange({ waterMarks, deadline }: ChangePace, _condition?: CommandCondition): void {
  if (waterMarks === undefined && deadline === undefined) {
    throw refusal('waterMarks, deadline: give at least one. A new text goes by the HTTP API.');
  }
  if (waterMarks === undefined) return;
  const { highWater, lowWater } = waterMarks;
  if (!Number.isInteger(highWater) || !Number.isInteger(lowWater) || lowWater < 0 || highWater <= lowWater) {
    throw refusal('waterMarks: whole numbers, lowWater at least 0 and below highWater.');
  }
}

function validateRetry({ scopes }: RetryRequest, _condition?: CommandCondition): void {
  if (scopes.length > 0 && scopes.every((scope) => RETRY_SCOPES.includes(scope))) return;
  throw refusal(`scopes: one or more of ${RETRY_SCOPES.join(', ')}.`);
}

function refusal(words: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(words, 'INPUT_INVALID');
}

class CampaignRun {
  private readonly campaignId: CampaignInput['campaignId'];
  private known: CampaignProgress;
  /** Grows with everything that may make another look worth while. */
  private news = 0;
  private nextLookAtMs: number | undefined;
  private isBeingCancelled = false;
  /** Settled once everything that was asked for before has been answered. */
  private steered: Promise<unknown> = Promise.resolve();

  constructor({ campaignId, progress }: CampaignInput) {
    this.campaignId = campaignId;
    this.known = progress;
    setCurrentDetails(campaignDetails(withPace(progress, Date.now())));
  }

  get progress(): PacedProgress {
    return withPace(this.known, Date.now());
  }

  plan(): FeedingPlan {
    return feedingPlan(withPace(this.known, Date.now()), this.nextLookAtMs);
  }

  result(): CampaignResult {
    const { state, audience, counts } = this.known;
    return { campaignId: this.campaignId, state, audience, counts };
  }

  lookSoon(): void {
    this.news += 1;
  }

  async untilEnded(): Promise<void> {
    for (;;) {
      const seen = this.news;
      const { progress, nextLookMs } = await feeding.feedCampaign({ campaignId: this.campaignId });
      this.learn(progress);
      if (this.hasEnded()) {
        await condition(() => this.isIdle());
        // Somebody may have asked for a retry meanwhile.
        if (this.hasEnded()) return;
      } else if (workflowInfo().continueAsNewSuggested) {
        await condition(() => this.isIdle());
        faultPoints.reached('campaign.before_continue_as_new');
        await continueAsNew<typeof campaign>({ campaignId: this.campaignId, progress: this.known });
      } else {
        await this.waitForNews(seen, nextLookMs);
      }
    }
  }

  pause(command: Command): Promise<CampaignAnswer> {
    return this.steer(() => steering.pauseCampaign({ campaignId: this.campaignId, command }));
  }

  resume(command: Command): Promise<CampaignAnswer> {
    return this.steer(() => steering.resumeCampaign({ campaignId: this.campaignId, command }));
  }

  cancel(witness: string, command: Command): Promise<CampaignAnswer> {
    return this.steer(() => steering.cancelCampaign({ campaignId: this.campaignId, witness, command }));
  }

  async change(change: ChangePace, command: Command): Promise<PacedProgress> {
    const campaignId = this.campaignId;
    const { progress } = await this.steer(async () => ({
      progress: await steering.changeCampaign({ ...change, campaignId, command }),
    }));
    return progress;
  }

  retry(retry: RetryRequest, command: Command): Promise<RetriedPeople> {
    return this.steer(() => steering.retryCampaign({ ...retry, campaignId: this.campaignId, command }));
  }

  async cancelByOperator(): Promise<void> {
    this.isBeingCancelled = true;
    try {
      await this.cancel('workflow cancelled', { id: `run-cancelled:${workflowInfo().runId}` });
    } catch (error) {
      // It had ended by itself.
      if (!isRefusal(error, 'CAMPAIGN_ENDED')) throw error;
    } finally {
      this.isBeingCancelled = false;
    }
  }

  /**
   * What somebody asked for is done also when the run is being cancelled meanwhile: they wait for the answer. One after the
   * other: a step whose worker died is done again, and must not undo what was asked for and answered since.
   */
  private async steer<Answer extends { readonly progress: CampaignProgress }>(
    act: () => Promise<Answer>,
  ): Promise<Answer> {
    const before = this.steered;
    const answering = CancellationScope.nonCancellable(() => before.then(act));
    this.steered = answering.catch(() => undefined);
    try {
      const answer = await answering;
      this.learn(answer.progress);
      this.lookSoon();
      return answer;
    } catch (error) {
      // The ledger knows of a command that this run has not heard of.
      if (isRefusal(error, 'COMMAND_SUPERSEDED')) this.lookSoon();
      throw error;
    }
  }

  /** Of two, the higher version is the truth; of one version, what was counted later. */
  private learn(progress: CampaignProgress): void {
    if (progress.version < this.known.version) return;
    const stateChanged = progress.state !== this.known.state;
    this.known = progress;
    if (stateChanged) upsertSearchAttributes([{ key: stateAttribute, value: progress.state }]);
    setCurrentDetails(campaignDetails(withPace(progress, Date.now())));
  }

  private async waitForNews(seen: number, ms: number): Promise<void> {
    this.nextLookAtMs = Date.now() + ms;
    const waiting = this.known.waiting?.code;
    await condition(() => this.news !== seen, ms, waiting === undefined ? {} : { summary: waiting });
    this.nextLookAtMs = undefined;
  }

  private hasEnded(): boolean {
    return CAMPAIGN_END_STATES.includes(this.known.state);
  }

  private isIdle(): boolean {
    return allHandlersFinished() && !this.isBeingCancelled;
  }
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === code;
}
