/**
 * The workflow of a campaign: what it waits for, its commands and its end. The dispatcher of the instance sends the
 * messages.
 *
 *   sendCampaign, pending until the campaign's row differs from what is shown → show it → sendCampaign …
 *                                         until the campaign's row has ended, and nothing has woken the run since
 *
 * The row in the ledger is authoritative: a second run, a reset or a restored Temporal continues from the row. The run
 * shows only what `sendCampaign` returned last: after a restore of the ledger the version may be lower. It contains
 * only counts: no recipient, number or text.
 */
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  currentUpdateInfo,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  CAMPAIGN_CANCEL_UPDATE,
  CAMPAIGN_UPDATE_UPDATE,
  CAMPAIGN_END_STATES,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  SEND_ACTIVITY_ID,
  WAKE_SIGNAL,
  accountsOf,
  type CampaignResponse,
  type CampaignInput,
  type CampaignProgress,
  type CampaignResult,
  type UpdatePace,
  type CommandCondition,
  type RetriedRecipients,
  type RetryRequest,
} from '../contract/index.js';
import { faultPoints, ledger, steering, waiting } from './activity-proxies.js';
import { campaignDetails, campaignWait, showInLists } from './web-ui.js';
import { Opening, checkCampaign, checkChange, checkCommand, checkRetry, failingAsItself, refuse } from './refusals.js';

const pauseUpdate = defineUpdate<CampaignResponse, [CommandCondition?]>(CAMPAIGN_PAUSE_UPDATE);
const resumeUpdate = defineUpdate<CampaignResponse, [CommandCondition?]>(CAMPAIGN_RESUME_UPDATE);
const cancelCampaignUpdate = defineUpdate<CampaignResponse, [CommandCondition?]>(CAMPAIGN_CANCEL_UPDATE);
const paceUpdate = defineUpdate<CampaignProgress, [UpdatePace, CommandCondition?]>(CAMPAIGN_UPDATE_UPDATE);
const wakeSignal = defineSignal(WAKE_SIGNAL);
const retryUpdate = defineUpdate<RetriedRecipients, [RetryRequest, CommandCondition?]>(CAMPAIGN_RETRY_UPDATE);

export async function campaign(input: CampaignInput): Promise<CampaignResult> {
  refuse('The campaign', checkCampaign(input));
  const { campaignId } = input;
  const run = new CampaignRun(input);
  const whole = CancellationScope.current();
  const validator = (order?: CommandCondition): void => refuse('The command', checkCommand(order));
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
  setHandler(wakeSignal, () => run.wake());
  setHandler(cancelCampaignUpdate, (order) => run.cancel('request', commandOf(order)), { validator });
  setHandler(paceUpdate, (change, order) => run.update(change, commandOf(order)), {
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
  const result = await CancellationScope.nonCancellable(async () => run.untilEnded(await run.open()));
  if (whole.consideredCancelled) {
    throw new CancelledFailure(
      'The run was cancelled, and the campaign with it; its report shows the state of every recipient.',
    );
  }
  return result;
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
  /** As the run shows it. */
  private known: CampaignProgress | undefined;
  private readonly opening = new Opening();
  private isBeingCancelled = false;
  /** Whether the row was taken back from its end after the run had begun its last read. */
  private isWoken = false;
  /** Resolves when every earlier command has its response. */
  private steered: Promise<unknown> = Promise.resolve();

  constructor({ campaignId, progress }: CampaignInput) {
    this.campaignId = campaignId;
    if (progress === undefined) return;
    this.known = progress;
    setCurrentDetails(campaignDetails(progress));
  }

  /**
   * A run that everpost starts has the progress as its input. Any other start gives only the id. A retry that starts a
   * run for an ended campaign must begin before the run may end.
   */
  async open(): Promise<CampaignProgress> {
    if (this.known !== undefined && !hasEnded(this.known)) return this.known;
    try {
      return this.show(await ledger.openCampaign({ campaignId: this.campaignId }));
    } catch (error) {
      throw await this.opening.failed(error);
    }
  }

  async untilEnded(opened: CampaignProgress): Promise<CampaignResult> {
    const { campaignId } = this;
    for (let progress = opened; ;) {
      if (hasEnded(progress)) {
        const { state, audience, counts } = progress;
        if (this.isIdle() && !this.isWoken) return { campaignId, state, audience, counts };
        // A retry may be under way. The next activity returns at once if none came.
        await condition(() => this.isIdle());
      } else if (workflowInfo().continueAsNewSuggested) {
        await condition(() => this.isIdle());
        faultPoints.reached('campaign.before_continue_as_new');
        await continueAsNew<typeof campaign>({ campaignId, progress });
      }
      this.isWoken = false;
      // Always pending while the campaign has not ended, so that the Web UI shows what it waits for.
      const { sendCampaign } = waiting({ activityId: SEND_ACTIVITY_ID, summary: campaignWait(progress) });
      progress = this.show(await sendCampaign({ campaignId, shown: progress.version }));
    }
  }

  wake(): void {
    this.isWoken = true;
  }

  cancel(witness: string, command: Command): Promise<CampaignResponse> {
    return this.steer(command, () => steering.cancelCampaign({ campaignId: this.campaignId, witness, command }));
  }

  update(change: UpdatePace, command: Command): Promise<CampaignProgress> {
    return this.steer(command, () => steering.updateCampaign({ ...change, campaignId: this.campaignId, command }));
  }

  async cancelWithRun(): Promise<void> {
    this.isBeingCancelled = true;
    try {
      await this.cancel('workflow cancelled', { id: `run-cancelled:${workflowInfo().runId}` });
    } catch (error) {
      // The campaign had ended before.
      if (!(error instanceof ApplicationFailure && error.type === 'CAMPAIGN_ENDED')) throw error;
    } finally {
      this.isBeingCancelled = false;
    }
  }

  /**
   * A command also runs during the cancellation of the run, since its caller waits for the response. Commands run in
   * sequence: a step is repeated after the death of its worker, and must not undo a later command.
   */
  steer<Result>(command: Command, act: (command: Command) => Promise<Result>): Promise<Result> {
    const before = this.steered;
    const answering = CancellationScope.nonCancellable(() =>
      before.then(() => this.opening.until(() => this.known !== undefined)).then(() => act(command)),
    );
    this.steered = answering.catch(() => undefined);
    return failingAsItself(() => answering);
  }

  private show(progress: CampaignProgress): CampaignProgress {
    const { id, state } = progress;
    showInLists({ EverpostCampaign: id, EverpostInstance: accountsOf(progress), EverpostState: state });
    this.known = progress;
    setCurrentDetails(campaignDetails(progress));
    return progress;
  }

  private isIdle(): boolean {
    return allHandlersFinished() && !this.isBeingCancelled;
  }
}

function hasEnded({ state }: CampaignProgress): boolean {
  return CAMPAIGN_END_STATES.includes(state);
}
