import {
  etaWords,
  isPause,
  progressBar,
  rateWords,
  type Amendment,
  type AmendmentPlan,
  type CampaignProgress,
  type CampaignState,
} from '../contract/index.js';
import type { ShownCampaign } from '../starter/index.js';
import { factLines, oneLine } from './table.js';

/** Its id, and its display name. */
export function named({ id, name }: { readonly id: string; readonly name?: string | undefined }): string {
  return name === undefined ? id : `${id}  "${oneLine(name)}"`;
}

/** One campaign in one line: id, name, state, how many of its recipients are in which state. */
export function campaignLine(campaign: CampaignProgress): string {
  const { state, audience } = campaign;
  return [named(campaign), state, `${audience} recipients`, ...countWords(campaign)].join('  ');
}

/** How many recipients are in each state, in the order of a message's life. */
export function countWords({ counts }: CampaignProgress): string[] {
  return Object.entries(counts).flatMap(([state, recipients]) => (recipients === 0 ? [] : [`${state} ${recipients}`]));
}

/** Why it waits, since when, and until when if that is known. */
export function waitingWords({ waiting }: Pick<CampaignProgress, 'waiting'>): string | undefined {
  if (waiting === undefined) return undefined;
  const text = waiting.text === undefined ? '' : ` (${waiting.text})`;
  const until = waiting.until === undefined ? '' : ` until ${waiting.until}`;
  return `${waiting.code}${text} since ${waiting.since}${until}`;
}

/** A campaign in several lines. */
export function campaignStory(campaign: ShownCampaign): string[] {
  const { highWater, definition, imported } = campaign;
  const facts: Readonly<Record<string, string | undefined>> = {
    instance: campaign.instance,
    priority: campaign.priority,
    kind: campaign.content.kind,
    reference: definition.reference,
    imported: imported && `${imported.verdicts.accepted} recipients of ${imported.lines} lines, ${imported.importedAt}`,
    progress:
      campaign.audience === 0 ? undefined : `${progressBar(campaign)}, ${campaign.done} of ${campaign.audience}`,
    [campaign.waiting !== undefined && isPause(campaign.waiting) ? 'paused' : 'waits']: waitingWords(campaign),
    queue: campaign.depth === undefined ? undefined : `${campaign.depth} items, as read last`,
    'high water': `up to ${highWater} items in the gateway's queue`,
    rate: rateWords(campaign),
    'last one leaves about': etaWords(campaign),
    starts: campaign.startedAt === undefined ? campaign.startAt : undefined,
    'start was missed': campaign.startMissedAt,
    started: campaign.startedAt,
    deadline: campaign.deadlineAt,
    ended: campaign.endedAt,
    'recipients removed': campaign.recipientsRemovedAt,
  };
  const commands = (campaign.commands ?? []).map(
    ({ kind, askedAt, begunAt, requestedBy }) =>
      `  ${askedAt} ${kind} by ${requestedBy}${begunAt === undefined ? ', without effect' : ''}`,
  );
  return [campaignLine(campaign), ...factLines(facts), ...commands];
}

/** End states in which every recipient was posted to. */
export const ALL_POSTED: readonly CampaignState[] = ['completed', 'completed_with_failures'];

/** The effect of an amendment, for an operator who decides on it. */
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

/** An amendment in several lines. */
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
