/**
 * The workflow of a campaign: its progress, commands and end. The dispatcher of the instance sends the messages.
 *
 *   poll: end it if it is done, find what it waits for → wait for a while, or for a command → poll …
 *                                         until the campaign's row has ended
 *
 * The row in the ledger is authoritative: a second run, a reset or a restored Temporal continues from the row. The run
 * has only counts; those with the higher version are current. It contains no recipient, number or text.
 */
import {
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
  CAMPAIGN_UPDATE_UPDATE,
  CAMPAIGN_END_STATES,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_PLAN_QUERY,
  CAMPAIGN_PROGRESS_QUERY,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  withPace,
  type CampaignResponse,
  type CampaignInput,
  type CampaignProgress,
  type CampaignResult,
  type UpdatePace,
  type CommandCondition,
  type DispatchPlan,
  type PacedProgress,
  type RetriedRecipients,
  type RetryRequest,
} from '../contract/index.js';
import { ledger, steering, faultPoints } from './activity-proxies.js';
import { campaignAttribute, campaignDetails, dispatchPlan, instanceAttribute, stateAttribute } from './web-ui.js';
import {
  Opening,
  checkCampaign,
  checkChange,
  checkCommand,
  checkRetry,
  failingAsItself,
  refusal,
  refuse,
} from './refusals.js';

const pauseUpdate = defineUpdate<CampaignResponse, [CommandCondition?]>(CAMPAIGN_PAUSE_UPDATE);
const resumeUpdate = defineUpdate<CampaignResponse, [CommandCondition?]>(CAMPAIGN_RESUME_UPDATE);
const cancelCampaignUpdate = defineUpdate<CampaignResponse, [CommandCondition?]>(CAMPAIGN_CANCEL_UPDATE);
const updateUpdate = defineUpdate<PacedProgress, [UpdatePace, CommandCondition?]>(CAMPAIGN_UPDATE_UPDATE);
const retryUpdate = defineUpdate<RetriedRecipients, [RetryRequest, CommandCondition?]>(CAMPAIGN_RETRY_UPDATE);
const progressQuery = defineQuery<PacedProgress>(CAMPAIGN_PROGRESS_QUERY);
const planQuery = defineQuery<DispatchPlan>(CAMPAIGN_PLAN_QUERY);
const campaignChangedSignal = defineSignal(CAMPAIGN_CHANGED_SIGNAL);

export async function campaign(input: CampaignInput): Promise<CampaignResult> {
  refuse('The campaign', checkCampaign(input));
  const { campaignId } = input;
  const run = new CampaignRun(input);
  const whole = CancellationScope.current();
  const validator = (order?: CommandCondition): void => refuse('The command', checkCommand(order));
  setHandler(progressQuery, () => run.progress);
  setHandler(planQuery, () => run.plan());
  setHandler(campaignChangedSignal, () => run.pollSoon());
  setHandler(
    pauseUpdate,
    (order) => run.steer(commandOf(order), (command) => steering.pauseCampaign({ campaignId, command })),
    { validator },
  );
  setHandler(
    resumeUpdate,
    (order) => run.steer(commandOf(order), (command) => steering.resumeCampaign({ campaignId, command })),
    { validator },
  );
  setHandler(cancelCampaignUpdate, (order) => run.cancel('request', commandOf(order)), { validator });
  setHandler(updateUpdate, (change, order) => run.update(change, commandOf(order)), {
    validator: (change, order?) => refuse('The change', [...checkChange(change), ...checkCommand(order)]),
  });
  setHandler(
    retryUpdate,
    (retry, order) =>
      run.steer(commandOf(order), (command) => steering.retryCampaign({ ...retry, campaignId, command })),
    { validator: (retry, order?) => refuse('The retry', [...checkRetry(retry), ...checkCommand(order)]) },
  );
  // An operator who cancels the run in the Web UI cancels the campaign. Outcomes of posted messages are recorded then
  // too.
  whole.cancelRequested.catch(() => CancellationScope.nonCancellable(() => run.cancelWithRun()));
  await CancellationScope.nonCancellable(() => run.open());
  await CancellationScope.nonCancellable(() => run.untilEnded());
  if (whole.consideredCancelled) {
    throw new CancelledFailure(
      'The run was cancelled, and the campaign with it; its report shows the state of every recipient.',
    );
  }
  return run.result();
}

interface Command extends CommandCondition {
  readonly id: string;
}

/** The update's id is the command's id, so that the ledger applies a repeated update once. */
function commandOf(order: CommandCondition = {}): Command {
  const update = currentUpdateInfo();
  if (update === undefined) throw new Error('A command was read outside of an update.');
  return { id: update.id, ...order };
}

class CampaignRun {
  private readonly campaignId: CampaignInput['campaignId'];
  private known: CampaignProgress | undefined;
  private readonly opening = new Opening();
  /** Increases with every change that needs another poll. */
  private changes = 0;
  private nextPollAtMs: number | undefined;
  private isBeingCancelled = false;
  /** Resolves when every earlier command has its response. */
  private steered: Promise<unknown> = Promise.resolve();

  constructor({ campaignId, progress }: CampaignInput) {
    this.campaignId = campaignId;
    if (progress === undefined) return;
    this.known = progress;
    setCurrentDetails(campaignDetails(withPace(progress, Date.now())));
  }

  get progress(): PacedProgress {
    if (this.known !== undefined) return withPace(this.known, Date.now());
    throw refusal('CAMPAIGN_NOT_STARTED', `The run of campaign ${this.campaignId} has not read it yet. Ask again.`);
  }

  plan(): DispatchPlan {
    return dispatchPlan(this.progress, this.nextPollAtMs);
  }

  /** A run that everpost starts has the progress as its input. Any other start gives only the id. */
  async open(): Promise<void> {
    if (this.known !== undefined) return;
    try {
      this.learn(await ledger.openCampaign({ campaignId: this.campaignId }));
    } catch (error) {
      throw await this.opening.failed(error);
    }
  }

  result(): CampaignResult {
    const { state, audience, counts } = this.progress;
    return { campaignId: this.campaignId, state, audience, counts };
  }

  pollSoon(): void {
    this.changes += 1;
  }

  async untilEnded(): Promise<void> {
    for (;;) {
      const seen = this.changes;
      const { progress, nextPollMs } = await ledger.followCampaign({ campaignId: this.campaignId });
      this.learn(progress);
      if (this.hasEnded()) {
        await condition(() => this.isIdle());
        // A retry may have come meanwhile.
        if (this.hasEnded()) return;
      } else if (workflowInfo().continueAsNewSuggested) {
        await condition(() => this.isIdle());
        faultPoints.reached('campaign.before_continue_as_new');
        await continueAsNew<typeof campaign>({ campaignId: this.campaignId, progress: this.progress });
      } else {
        await this.waitForChange(seen, nextPollMs);
      }
    }
  }

  cancel(witness: string, command: Command): Promise<CampaignResponse> {
    return this.steer(command, () => steering.cancelCampaign({ campaignId: this.campaignId, witness, command }));
  }

  async update(change: UpdatePace, command: Command): Promise<PacedProgress> {
    const { progress } = await this.steer(command, async () => ({
      progress: await steering.updateCampaign({ ...change, campaignId: this.campaignId, command }),
    }));
    return progress;
  }

  async cancelWithRun(): Promise<void> {
    this.isBeingCancelled = true;
    try {
      await this.cancel('workflow cancelled', { id: `run-cancelled:${workflowInfo().runId}` });
    } catch (error) {
      // The campaign had ended before.
      if (!isRefusal(error, 'CAMPAIGN_ENDED')) throw error;
    } finally {
      this.isBeingCancelled = false;
    }
  }

  /**
   * A command also runs during the cancellation of the run, since its caller waits for the response. Commands run in
   * sequence: a step is repeated after the death of its worker, and must not undo a later command.
   */
  async steer<Result extends { readonly progress: CampaignProgress }>(
    command: Command,
    act: (command: Command) => Promise<Result>,
  ): Promise<Result> {
    const before = this.steered;
    const answering = CancellationScope.nonCancellable(() =>
      before.then(() => this.opening.until(() => this.known !== undefined)).then(() => act(command)),
    );
    this.steered = answering.catch(() => undefined);
    try {
      const response = await failingAsItself(() => answering);
      this.learn(response.progress);
      this.pollSoon();
      return response;
    } catch (error) {
      // The ledger has a command that this run has not seen.
      if (isRefusal(error, 'COMMAND_SUPERSEDED')) this.pollSoon();
      throw error;
    }
  }

  /** The higher version is current; within one version, the later count. */
  private learn(progress: CampaignProgress): void {
    if (this.known !== undefined && progress.version < this.known.version) return;
    const { id, instance, state } = progress;
    const shown = { key: stateAttribute, value: state };
    // The search attributes with which everpost starts a run.
    const ofStart = [{ key: campaignAttribute, value: id }, { key: instanceAttribute, value: instance }, shown];
    if (this.known === undefined) upsertSearchAttributes(ofStart);
    else if (state !== this.known.state) upsertSearchAttributes([shown]);
    this.known = progress;
    setCurrentDetails(campaignDetails(withPace(progress, Date.now())));
  }

  private async waitForChange(seen: number, ms: number): Promise<void> {
    this.nextPollAtMs = Date.now() + ms;
    const waiting = this.progress.waiting?.code;
    await condition(() => this.changes !== seen, ms, waiting === undefined ? {} : { summary: waiting });
    this.nextPollAtMs = undefined;
  }

  private hasEnded(): boolean {
    return CAMPAIGN_END_STATES.includes(this.progress.state);
  }

  private isIdle(): boolean {
    return allHandlersFinished() && !this.isBeingCancelled;
  }
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof ApplicationFailure && error.type === code;
}
