import { activityInfo } from '@temporalio/activity';
import type { TemplateDecision, TemplateInput, TemplateKey, TemplateSnapshot } from '../../contract/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { speakingTemporal } from '../failures.js';
import { followTemplate, type FollowInput } from './follow-template.js';
import { submitTemplate } from './submit-template.js';

/** The steps of the workflow `template`. */
export function templateActivities(deps: ActivityDependencies) {
  const { ledger, clock } = deps;
  return {
    /** Writes the row if nobody has; a second run finds it and goes on from it. */
    openTemplate: speakingTemporal((input: TemplateInput): Promise<TemplateSnapshot> =>
      ledger.templates.open(input, activityInfo().namespace, clock.nowMs()),
    ),
    createTemplate: speakingTemporal((key: TemplateKey): Promise<TemplateSnapshot> => submitTemplate(deps, key)),
    followTemplate: speakingTemporal((input: FollowInput): Promise<TemplateSnapshot> =>
      followTemplate(deps, input, activityInfo().attempt),
    ),
    decideTemplate: speakingTemporal(
      ({ decision, ...key }: TemplateKey & { readonly decision: TemplateDecision }): Promise<TemplateSnapshot> =>
        ledger.templates.decide(key, decision, clock.nowMs()),
    ),
  };
}
