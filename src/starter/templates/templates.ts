import {
  isReviewEnded,
  type Clock,
  type InstanceDirectory,
  type TemplateReview,
  type TemplateFinding,
  type TemplateKey,
  type TemplateSnapshot,
} from '../../contract/index.js';
import { AppError } from '../../contract/index.js';
import type { Ledger, TemplateView } from '../../ledger/index.js';
import type { ChangeBell } from '../change-bell.js';
import { requestHash } from '../ids.js';
import type { WakeInstance } from '../wake-instance.js';
import { readTemplate } from './read-template.js';
import type { TemplateRuns } from './template-runs.js';

export interface SubmittedTemplate {
  readonly template: TemplateView;
  readonly warnings: readonly TemplateFinding[];
  /** True when it had been submitted before. */
  readonly isReplay: boolean;
}

export interface Templates {
  /**
   * Submits a template once, however often it is asked for: instance and name are its key. Nothing is begun while
   * Temporal cannot be reached.
   * @param body `{ instance, template }`
   * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | TEMPLATE_DIFFERS | TEMPORAL_UNAVAILABLE
   */
  submit(body: unknown): Promise<SubmittedTemplate>;
  /** @throws AppError TEMPLATE_NOT_FOUND */
  find(key: TemplateKey): Promise<TemplateView>;
  list: Ledger['templates']['list'];
  /** @throws AppError TEMPLATE_NOT_FOUND | TEMPLATE_NOT_SUBMITTED | TEMPORAL_UNAVAILABLE */
  setReview(key: TemplateKey, review: TemplateReview): Promise<TemplateView>;
}

export function createTemplates(dependencies: {
  readonly ledger: Ledger;
  readonly runs: TemplateRuns;
  readonly reachable: () => Promise<void>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly bell: ChangeBell;
  readonly wake: WakeInstance;
}): Templates {
  const { ledger, runs, reachable, instances, clock, bell, wake } = dependencies;

  async function find(key: TemplateKey): Promise<TemplateView> {
    const found = await ledger.templates.view(key);
    if (found !== undefined) return found;
    throw templateUnknown(key);
  }

  return {
    find,
    list: (filter) => ledger.templates.list(filter),

    async submit(body) {
      const { instance, definition, warnings } = readTemplate(body, instances);
      const key = { instance, elementName: definition.elementName };
      const requestedAt = new Date(clock.nowMs()).toISOString();
      const input = { ...key, definition, definitionHash: requestHash(definition), requestedAt };
      const before = await ledger.templates.snapshot(key);
      await reachable();
      const snapshot = await ledger.templates.submit(input, clock.nowMs());
      if (needsRun(snapshot)) await runs.continueRun(input);
      return { template: await find(key), warnings, isReplay: before?.version === snapshot.version };
    },

    async setReview(key, review) {
      if ((await ledger.templates.snapshot(key)) === undefined) return find(key);
      // A run that ends in the very moment takes no update: the next one begins a new run.
      if ((await runs.setReview(key, review)) === 'gone') await runs.setReview(key, review);
      bell.ring(bellOf(key));
      // Messages that name it may be due now.
      void wake(key.instance);
      return find(key);
    },
  };
}

export function templateUnknown({ instance, elementName }: TemplateKey): AppError {
  return new AppError(
    'TEMPLATE_NOT_FOUND',
    `Instance ${instance} has no template ${elementName} that was submitted through everpost. Check the name, or submit it.`,
  );
}

/** What rings when a template changes. */
export function bellOf({ instance, elementName }: TemplateKey): string {
  return `template ${instance} ${elementName}`;
}

/** One whose review has ended is not polled; an approved one is followed only while something depends on it. */
function needsRun({ state, status, unwatchedSince }: TemplateSnapshot): boolean {
  if (state === 'refused') return false;
  return state !== 'submitted' || (!isReviewEnded(status) && unwatchedSince === undefined);
}
