import type { Amendment, AmendmentPlan } from '../contract/index.js';

/** What an amendment can do, for an operator who decides on it. */
export function amendmentPlanLines(plan: AmendmentPlan, { stop }: { readonly stop: boolean }): string[] {
  const { audience, editable, reachable, underWay, tooLate, unsent, newText, ownText, notSent, unresolved } = plan;
  const missed = editable - reachable;
  return linesOf(`${audience} recipients`, [
    [reachable, `can be edited, which takes ${minutes(plan.seconds)}`],
    [missed, 'were sent less than 15 minutes ago, but are too many to edit in time'],
    [underWay, 'are on their way, and are edited as soon as they are sent'],
    [tooLate, 'were sent more than 15 minutes ago: they keep their text'],
    [unsent, stop ? 'were not posted, and are cancelled' : 'were not posted, and get the new text'],
    [newText, 'have this text already'],
    [ownText, 'have a text of their own, and keep it'],
    [notSent, 'ended without being sent'],
    [unresolved, 'are unresolved: nothing is known of what they were sent'],
  ]);
}

/** How an amendment stands, in several lines. */
export function amendmentLines({ contentVersion, state, counts, begunAt, endedAt, stop }: Amendment): string[] {
  const times = endedAt === undefined ? `since ${begunAt}` : `${begunAt} to ${endedAt}`;
  return linesOf(`amendment to text ${contentVersion}${stop ? ', with stop' : ''}: ${state}, ${times}`, [
    [counts.edited, 'edited'],
    [counts.pending, 'still to be edited or confirmed'],
    [counts.unconfirmed, 'unconfirmed: the edit was posted, and no sign of it came'],
    [counts.refused, 'refused by the gateway'],
    [counts.tooLate, 'too late: they keep an older text'],
    [counts.notPossible, 'never seen sent'],
    [counts.superseded, 'taken over by a newer edit'],
    [counts.newText, 'sent with the new text'],
    [counts.unsent, 'not posted yet'],
    [counts.ownText, 'with a text of their own'],
    [counts.notSent, 'ended without being sent'],
    [counts.unresolved, 'unresolved'],
  ]);
}

function linesOf(head: string, facts: readonly (readonly [count: number, words: string])[]): string[] {
  return [head, ...facts.flatMap(([count, words]) => (count === 0 ? [] : [`${String(count).padStart(9)}  ${words}`]))];
}

function minutes(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}
