import {
  etaWords,
  isPause,
  progressBar,
  rateWords,
  type CampaignProgress,
  type CampaignState,
} from '../contract/index.js';
import type { ShownCampaign } from '../starter/index.js';
import { age, oneLine, factLines, type Column } from './table.js';

/** Its id, and its display name. */
export function named({ id, name }: { readonly id: string; readonly name?: string | undefined }): string {
  return name === undefined ? id : `${id}  "${oneLine(name)}"`;
}

/** One campaign in one line: id, name, state, how many of its recipients are in which state. */
export function campaignLine(campaign: CampaignProgress): string {
  const { state, audience } = campaign;
  return [named(campaign), state, `${audience} recipients`, ...countWords(campaign)].join('  ');
}

export function campaignColumns(nowMs: number): readonly Column<ShownCampaign>[] {
  return [
    { header: 'ID', value: ({ id }) => id },
    { header: 'STATE', value: ({ state }) => state },
    { header: 'INSTANCE', value: ({ instance }) => instance },
    { header: 'RECIPIENTS', value: ({ audience }) => audience, align: 'right' },
    { header: 'DONE', value: ({ donePercent }) => `${donePercent}%`, align: 'right' },
    { header: 'AGE', value: ({ createdAt }) => age(createdAt, nowMs), align: 'right' },
    { header: 'NAME', value: ({ name }) => name },
  ];
}

/** States that a recipient is in, the way of a message's life. */
export function countWords({ counts }: CampaignProgress): string[] {
  return Object.entries(counts).flatMap(([state, recipients]) => (recipients === 0 ? [] : [`${state} ${recipients}`]));
}

/** For what, since when, and until when, where that is known. */
export function waitingWords({ waiting }: Pick<CampaignProgress, 'waiting'>): string | undefined {
  if (waiting === undefined) return undefined;
  const text = waiting.text === undefined ? '' : ` (${waiting.text})`;
  const until = waiting.until === undefined ? '' : ` until ${waiting.until}`;
  return `${waiting.code}${text} since ${waiting.since}${until}`;
}

/** Where a campaign stands, in several lines. */
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

/** Ends by which no recipient was left out: every recipient was posted to. */
export const ALL_POSTED: readonly CampaignState[] = ['completed', 'completed_with_failures'];
