import { activityInfo } from '@temporalio/activity';
import {
  AppError,
  type OpenedTemplate,
  type TemplateReview,
  type TemplateInput,
  type TemplateKey,
  type TemplateSnapshot,
  TemplateStatus,
  isReviewEnded,
} from '../../contract/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { submitTemplate } from './submit-template.js';
import { lookUp, nameOf, type LookUpResult } from './template-lookup.js';

export interface TemplateAsked {
  /** The unparsed input of the workflow. */
  readonly input: unknown;
  /** As ISO UTC. */
  readonly requestedAt: string;
}

/** The steps of the workflow `template`. */
export function templateActivities(deps: ActivityDependencies) {
  const { ledger, clock, inputs } = deps;

  async function existing(key: TemplateKey): Promise<TemplateInput> {
    return (await ledger.templates.inputOf(key)) ?? templateUnknown(key);
  }

  /** Wakes the instance after a step, since messages may wait for the verdict. */
  async function thenWake({ instance }: TemplateKey, step: Promise<TemplateSnapshot>): Promise<TemplateSnapshot> {
    const snapshot = await step;
    deps.wake(instance);
    return snapshot;
  }

  return {
    /** Parses the workflow's input and writes the row if there is none. */
    async openTemplate({ input, requestedAt }: TemplateAsked): Promise<OpenedTemplate> {
      const asked = inputs.template(input, requestedAt);
      if (asked.kind === 'new') await ledger.templates.submit(asked.input, clock.nowMs());
      const row = asked.kind === 'new' ? asked.input : await existing(asked.key);
      const { definition } = row;
      const snapshot = await ledger.templates.open(row, activityInfo().namespace, clock.nowMs());
      return { snapshot, category: definition.category, languageCode: definition.languageCode };
    },
    createTemplate: (key: TemplateKey) => thenWake(key, submitTemplate(deps, key)),
    followTemplate: (input: FollowInput) => thenWake(input, followTemplate(deps, input, activityInfo().attempt)),
    setTemplateReview: ({ review, ...key }: TemplateKey & { readonly review: TemplateReview }) =>
      thenWake(key, ledger.templates.setReview(key, review, clock.nowMs())),
  };
}

function templateUnknown({ instance, elementName }: TemplateKey): never {
  throw new AppError(
    'TEMPLATE_NOT_FOUND',
    `Instance ${instance} has no template ${elementName} that was submitted through everpost. Check the name, or submit it.`,
  );
}

/** How long a review is polled. After that, an operator sets the decision or submits the template again. */
const FOLLOW_MS = 30 * 24 * 60 * 60 * 1000;
const DEFAULT_POLL_MS = [15_000, 60_000, 5 * 60_000, 60 * 60_000];

export interface FollowInput extends TemplateKey {
  /** The version that the run has. The activity returns when there is a newer one. */
  readonly seenVersion: number;
}

/**
 * Polls a template's review once. The retry policy repeats the activity until the review changes, so that days of
 * waiting add nothing to the history.
 * @param polls  the number of polls, this one included
 * @returns the template when it has changed, when no message waits for an approved one, or when polling stops
 * @throws AppError TEMPLATE_UNDECIDED with the delay until the next poll
 */
export async function followTemplate(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'times'>,
  { seenVersion, ...key }: FollowInput,
  polls: number,
): Promise<TemplateSnapshot> {
  const { ledger, clock, times } = deps;
  const known = await ledger.templates.snapshot(key);
  if (known === undefined) throw new AppError('TEMPLATE_NOT_FOUND', `${nameOf(key)} is not in the ledger.`);
  if (known.version !== seenVersion || isReviewEnded(known.status)) return known;
  const isApproved = known.status === TemplateStatus.APPROVED;
  if (isApproved && !(await ledger.templates.hasDependents(key))) return known;
  const sinceMs = Date.parse(known.statusSince ?? known.createdAt);
  if (!isApproved && clock.nowMs() - sinceMs >= FOLLOW_MS) return ledger.templates.endWatch(key, clock.nowMs());

  const delayMs = pollDelayMs(times.templatePollIntervalsMs ?? DEFAULT_POLL_MS, polls);
  const found = await result(deps, known, delayMs);
  if (found.snapshot !== undefined && found.snapshot.version !== seenVersion) return found.snapshot;
  const retryAfterMs = Math.max(delayMs, found.retryAfterMs ?? 0);
  const stands = `${known.status ?? known.state} since ${new Date(sinceMs).toISOString()}`;
  throw new AppError(
    'TEMPLATE_UNDECIDED',
    `${nameOf(key)} is ${stands}${found.problem}; next poll in ${spoken(retryAfterMs)}.`,
    { retryAfterMs },
  );
}

interface Polled {
  readonly snapshot?: TemplateSnapshot;
  /** The error text of a poll without a decision. */
  readonly problem: string;
  readonly retryAfterMs?: number | undefined;
}

async function result(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  known: TemplateSnapshot,
  delayMs: number,
): Promise<Polled> {
  const { ledger, clock } = deps;
  const inVain = async (
    code: string,
    text: string | undefined,
    problem: string,
    retryAfterMs?: number,
  ): Promise<Polled> => {
    const nowMs = clock.nowMs();
    const nextCheckAtMs = nowMs + Math.max(delayMs, retryAfterMs ?? 0);
    await ledger.templates.recordFailedReading(known, { code, text, nextCheckAtMs, nowMs });
    return { problem, retryAfterMs };
  };
  let seen: LookUpResult;
  try {
    seen = await lookUp(deps, known);
  } catch (error) {
    // A review continues while it cannot be read, so a failure does not end the polling.
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
    return inVain(error.code, error.gatewayText, `, and could not be read (${error.code})`, error.retryAfterMs);
  }
  switch (seen.kind) {
    case 'found': {
      const nowMs = clock.nowMs();
      const { reading, witness } = seen;
      const snapshot = await ledger.templates.recordReading(known, {
        reading,
        witness,
        nextCheckAtMs: nowMs + delayMs,
        nowMs,
      });
      return { snapshot, problem: '' };
    }
    case 'absent':
      return inVain('TEMPLATE_NOT_FOUND', 'the gateway does not list it', ', and the gateway does not list it');
    case 'cannot_ask':
      return inVain(
        'TEMPLATE_UNDECIDED',
        'this instance cannot read templates: push its decision',
        ', and this instance cannot read templates: push its decision with everpost template set-review',
      );
  }
}

/** The delay after this poll. The last delay of the schedule repeats. */
function pollDelayMs(schedule: readonly number[], polls: number): number {
  return schedule[Math.min(polls, schedule.length) - 1] ?? DEFAULT_POLL_MS[0] ?? 15_000;
}

function spoken(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}
