import { activityInfo } from '@temporalio/activity';
import {
  AppError,
  type OpenedTemplate,
  type TemplateReview,
  type TemplateKey,
  type TemplateSnapshot,
  TemplateStatus,
  isReviewEnded,
  templateUnknown,
} from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { submitTemplate } from './submit-template.js';
import { lookUp, nameOf } from './template-lookup.js';

/** The steps of the workflow `template`. */
export function templateActivities(deps: ActivityDependencies) {
  const { ledger, clock, inputs } = deps;

  /** Wakes the instance after a step, since messages may wait for the verdict. */
  async function thenWake({ instance }: TemplateKey, step: Promise<TemplateSnapshot>): Promise<TemplateSnapshot> {
    const snapshot = await step;
    deps.wake(instance);
    return snapshot;
  }

  return {
    /** Parses the workflow's input and writes the row if there is none. @param requestedAt  as ISO UTC */
    async openTemplate({ input, requestedAt }: { input: unknown; requestedAt: string }): Promise<OpenedTemplate> {
      const asked = inputs.template(input, requestedAt);
      if (asked.kind === 'new') await ledger.templates.submit(asked.input, clock.nowMs());
      const key = asked.kind === 'new' ? asked.input : asked.key;
      const row = asked.kind === 'new' ? asked.input : await ledger.templates.inputOf(key);
      if (row === undefined) throw templateUnknown(key);
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

/** How long a review is polled. After that, an operator sets the decision or submits the template again. */
const FOLLOW_MS = 30 * 24 * 60 * 60 * 1000;
const DEFAULT_POLL_MS = [15_000, 60_000, 5 * 60_000, 60 * 60_000] as const;

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
  if (known === undefined) throw templateUnknown(key);
  if (known.version !== seenVersion || isReviewEnded(known.status)) return known;
  const isApproved = known.status === TemplateStatus.APPROVED;
  if (isApproved && !(await ledger.templates.hasDependents(key))) return known;
  const sinceMs = Date.parse(known.statusSince ?? known.createdAt);
  if (!isApproved && clock.nowMs() - sinceMs >= FOLLOW_MS) return ledger.templates.endWatch(key, clock.nowMs());

  const schedule = times.templatePollIntervalsMs ?? DEFAULT_POLL_MS;
  // The last delay of the schedule repeats.
  const delayMs = schedule[Math.min(polls, schedule.length) - 1] ?? DEFAULT_POLL_MS[0];
  const seen = await lookUp(deps, known).catch(unreadable);
  const nowMs = clock.nowMs();
  let retryAfterMs = delayMs;
  let problem = '';
  if (seen.kind === 'found') {
    const { reading, witness } = seen;
    const nextCheckAtMs = nowMs + delayMs;
    const snapshot = await ledger.templates.recordReading(known, { reading, witness, nextCheckAtMs, nowMs });
    if (snapshot.version !== seenVersion) return snapshot;
  } else {
    const inVain = 'problem' in seen ? seen : NOT_SEEN[seen.kind];
    ({ problem } = inVain);
    retryAfterMs = Math.max(delayMs, inVain.retryAfterMs ?? 0);
    const { code, text } = inVain;
    await ledger.templates.recordFailedReading(known, { code, text, nextCheckAtMs: nowMs + retryAfterMs, nowMs });
  }
  const stands = `${known.status ?? known.state} since ${new Date(sinceMs).toISOString()}`;
  throw new AppError(
    'TEMPLATE_UNDECIDED',
    `${nameOf(key)} is ${stands}${problem}; next poll in ${spoken(retryAfterMs)}.`,
    { retryAfterMs },
  );
}

/** A poll without a decision. */
interface InVain {
  readonly code: string;
  readonly text: string | undefined;
  readonly problem: string;
  readonly retryAfterMs?: number | undefined;
}

const NOT_SEEN: Readonly<Record<'absent' | 'cannot_ask', InVain>> = {
  absent: {
    code: 'TEMPLATE_NOT_FOUND',
    text: 'the gateway does not list it',
    problem: ', and the gateway does not list it',
  },
  cannot_ask: {
    code: 'TEMPLATE_UNDECIDED',
    text: 'this instance cannot read templates: push its decision',
    problem: ', and this instance cannot read templates: push its decision with everpost template set-review',
  },
};

/** A review continues while it cannot be read, so a failure of the gateway does not end the polling. */
function unreadable(error: unknown): InVain & { readonly kind: 'unreadable' } {
  if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
  const { code, gatewayText: text, retryAfterMs } = error;
  return { kind: 'unreadable', code, text, problem: `, and could not be read (${code})`, retryAfterMs };
}

function spoken(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}
