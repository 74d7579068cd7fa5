import { activityInfo } from '@temporalio/activity';
import {
  AppError,
  type OpenedTemplate,
  type TemplateReview,
  type TemplateInput,
  type TemplateKey,
  type TemplateSnapshot,
} from '../../contract/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { speakingTemporal } from '../failures.js';
import { followTemplate, type FollowInput } from './follow-template.js';
import { submitTemplate } from './submit-template.js';

export interface TemplateAsked {
  /** The workflow's input, not parsed yet. */
  readonly input: unknown;
  /** ISO UTC. */
  readonly requestedAt: string;
}

/** The steps of the workflow `template`. */
export function templateActivities(deps: ActivityDependencies) {
  const { ledger, clock, inputs } = deps;

  async function existing(key: TemplateKey): Promise<TemplateInput> {
    return (await ledger.templates.inputOf(key)) ?? templateUnknown(key);
  }

  /** Messages may wait for the verdict. */
  async function thenWake({ instance }: TemplateKey, step: Promise<TemplateSnapshot>): Promise<TemplateSnapshot> {
    const snapshot = await step;
    deps.wake(instance);
    return snapshot;
  }

  return {
    /** Parses the workflow's input, and writes the row if there is none. */
    openTemplate: speakingTemporal(async ({ input, requestedAt }: TemplateAsked): Promise<OpenedTemplate> => {
      const asked = inputs.template(input, requestedAt);
      if (asked.kind === 'new') await ledger.templates.submit(asked.input, clock.nowMs());
      const row = asked.kind === 'new' ? asked.input : await existing(asked.key);
      const { definition } = row;
      const snapshot = await ledger.templates.open(row, activityInfo().namespace, clock.nowMs());
      return { snapshot, category: definition.category, languageCode: definition.languageCode };
    }),
    createTemplate: speakingTemporal((key: TemplateKey) => thenWake(key, submitTemplate(deps, key))),
    followTemplate: speakingTemporal((input: FollowInput) =>
      thenWake(input, followTemplate(deps, input, activityInfo().attempt)),
    ),
    setTemplateReview: speakingTemporal(({ review, ...key }: TemplateKey & { readonly review: TemplateReview }) =>
      thenWake(key, ledger.templates.setReview(key, review, clock.nowMs())),
    ),
  };
}

function templateUnknown({ instance, elementName }: TemplateKey): never {
  throw new AppError(
    'TEMPLATE_NOT_FOUND',
    `Instance ${instance} has no template ${elementName} that was submitted through everpost. Check the name, or submit it.`,
  );
}
