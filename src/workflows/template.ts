/**
 * The workflow of one template, from its submission to the final decision of its review.
 *
 *   open the row → submit → follow the review until it is decided and nothing depends on it → end
 *                              ↑ a status that goes back, or an operator's decision, counts as a change
 *
 * The row in the ledger is authoritative. The run shows the snapshot that it read last: after a restore of the ledger
 * the version may be lower.
 */
import {
  CancellationScope,
  allHandlersFinished,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  TEMPLATE_SET_REVIEW_UPDATE,
  TEMPLATE_STATUS_QUERY,
  WAKE_SIGNAL,
  isReviewEnded,
  type OpenedTemplate,
  type TemplateReview,
  type TemplateKey,
  type TemplateSnapshot,
  type TemplateStart,
  type TemplateStatusResponse,
} from '../contract/index.js';
import { following, ledger, submitting } from './activity-proxies.js';
import { showInLists, templateDetails } from './web-ui.js';
import { Opening, checkReview, checkDepth, failingAsItself, refuse } from './refusals.js';

const wakeSignal = defineSignal(WAKE_SIGNAL);
const setReviewUpdate = defineUpdate<TemplateSnapshot, [TemplateReview]>(TEMPLATE_SET_REVIEW_UPDATE);
const templateStatusQuery = defineQuery<TemplateStatusResponse>(TEMPLATE_STATUS_QUERY);

export async function template(input: TemplateStart): Promise<TemplateSnapshot> {
  const run = new TemplateRun(input);
  setHandler(templateStatusQuery, () => run.status());
  setHandler(setReviewUpdate, (review) => run.setReview(review), {
    validator: (review) => refuse('The decision', checkReview(review)),
  });
  let isWoken = false;
  setHandler(wakeSignal, () => {
    isWoken = true;
  });
  do {
    isWoken = false;
    await run.open();
    do {
      await run.submit();
      await run.follow();
      await condition(allHandlersFinished);
    } while (run.hasSomethingToDo());
  } while (isWoken);
  return run.known;
}

class TemplateRun {
  private readonly input: TemplateStart;
  private opened: OpenedTemplate | undefined;
  private readonly opening = new Opening();
  private row: TemplateSnapshot | undefined;
  /** The poll under way, which a decision cancels. */
  private polling: CancellationScope | undefined;
  /** The version whose poll showed that the run can end. */
  private doneWith = 0;

  constructor(input: TemplateStart) {
    this.input = input;
  }

  get known(): TemplateSnapshot {
    if (this.row === undefined) throw new Error('A row is read before it is opened.');
    return this.row;
  }

  status(): TemplateStatusResponse {
    if (this.opened === undefined) return {};
    return { snapshot: this.known };
  }

  async open(): Promise<void> {
    try {
      refuse('The template', checkDepth(this.input));
      const requestedAt = workflowInfo().startTime.toISOString();
      const input = this.row === undefined ? this.input : this.key;
      this.opened = await ledger.openTemplate({ input, requestedAt });
      this.learn(this.opened.snapshot);
    } catch (error) {
      throw await this.opening.failed(error);
    }
  }

  hasSomethingToDo(): boolean {
    return this.needsSubmitting() || this.needsFollowing();
  }

  async submit(): Promise<void> {
    while (this.needsSubmitting()) {
      const changed = await this.poll(() => submitting.createTemplate(this.key));
      if (changed !== undefined) this.learn(changed);
    }
  }

  async follow(): Promise<void> {
    while (this.needsFollowing()) {
      const { version: seenVersion } = this.known;
      const changed = await this.poll(() => following.followTemplate({ ...this.key, seenVersion }));
      if (changed === undefined) continue;
      this.learn(changed);
      if (changed.version === seenVersion || changed.unwatchedSince !== undefined) this.doneWith = changed.version;
    }
  }

  async setReview(review: TemplateReview): Promise<TemplateSnapshot> {
    await this.opening.until(() => this.row !== undefined);
    const decided = this.learn(await failingAsItself(() => ledger.setTemplateReview({ ...this.key, review })));
    this.polling?.cancel();
    return decided;
  }

  private get key(): TemplateKey {
    const { instance, elementName } = this.known;
    return { instance, elementName };
  }

  private needsSubmitting(): boolean {
    const { state } = this.known;
    return state === 'pending' || state === 'sending' || state === 'unknown';
  }

  private needsFollowing(): boolean {
    const { state, status, version } = this.known;
    return state === 'submitted' && !isReviewEnded(status) && version !== this.doneWith;
  }

  /** @returns undefined if a decision arrived meanwhile; the row is then newer already */
  private async poll(step: () => Promise<TemplateSnapshot>): Promise<TemplateSnapshot | undefined> {
    const scope = new CancellationScope();
    this.polling = scope;
    try {
      return await scope.run(step);
    } catch (error) {
      if (!scope.consideredCancelled || CancellationScope.current().consideredCancelled) throw error;
      return undefined;
    } finally {
      this.polling = undefined;
    }
  }

  /** An older snapshot that comes late is corrected by the next poll, which returns at once. */
  private learn(snapshot: TemplateSnapshot): TemplateSnapshot {
    if (this.row?.version === snapshot.version) return this.row;
    this.row = snapshot;
    const { instance, state, status = state } = snapshot;
    showInLists({ EverpostInstance: [instance], EverpostKind: 'template', EverpostState: status });
    if (this.opened !== undefined) setCurrentDetails(templateDetails(this.opened, snapshot));
    return snapshot;
  }
}
