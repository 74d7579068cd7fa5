/**
 * The content of a run in Temporal's Web UI: search attributes for lists, and the details of one run in Markdown. It
 * contains no phone number and no text.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  etaWords,
  isPause,
  isReviewEnded,
  progressBar,
  rateWords,
  type DispatchPlan,
  type MessageSnapshot,
  type OpenedMessage,
  type OpenedTemplate,
  type PacedProgress,
  type TemplateSnapshot,
  present,
} from '../contract/index.js';

export const campaignAttribute = defineSearchAttributeKey('EverpostCampaign', 'KEYWORD');
export const instanceAttribute = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');
export const kindAttribute = defineSearchAttributeKey('EverpostKind', 'KEYWORD');
export const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');

/** Facts of a run. A fact without a value is omitted. */
type Facts = readonly (readonly [name: string, value: string | undefined])[];

/** The message's state with its time. */
export function messageDetails({ instance, kind }: OpenedMessage, row: MessageSnapshot): string {
  return table([
    ['State', `**${row.state}**`],
    ['Reason', row.reason],
    ['Instance', instance],
    ['Kind', kind],
    ['Gateway id', row.idMessage],
    ['Accepted', row.acceptedAt],
    ['Sent', row.sentAt],
    ['Editable until', row.editableUntil],
    ['Never posted after', row.acceptedAt === undefined ? row.expiresAt : undefined],
    ...row.edits.map(({ state, via }, index): [string, string] => [
      `Edit ${index + 1}`,
      via === 'before_send' ? `${state}, before the message was posted` : state,
    ]),
  ]);
}

/** The state of the template's review with its time and reason, and the time of the next poll. */
export function templateDetails({ category, languageCode }: OpenedTemplate, row: TemplateSnapshot): string {
  const isFollowed = row.state === 'submitted' && !isReviewEnded(row.status) && row.unwatchedSince === undefined;
  return table([
    ['Review', row.status === undefined ? undefined : `**${row.status}**`],
    ['Submission', row.status === undefined ? `**${row.state}**` : row.state],
    ['Reason', row.reason?.replaceAll('\n', ' ')],
    ['Since', row.statusSince],
    ['Asked for', row.createdAt],
    ['Next poll', isFollowed ? 'the pending activity says when: its last failure has the time' : undefined],
    ['No longer polled since', row.unwatchedSince],
    ['Instance', row.instance],
    ['Category', `${category}, ${languageCode}`],
    ['Gateway id', row.templateId],
  ]);
}

/** The campaign's name, counts and times. */
export function campaignDetails(campaign: PacedProgress): string {
  const { state, audience, counts, highWater, waiting } = campaign;
  const isPaused = waiting !== undefined && isPause(waiting);
  const facts: Facts = [
    ['Name', campaign.name],
    ['State', `**${state}**`],
    [
      isPaused ? 'Paused' : 'Waits for',
      waiting && [waiting.code, waiting.text].filter((word) => word !== undefined).join(': '),
    ],
    [isPaused ? 'Paused since' : 'Waits since', waiting?.since],
    ['Waits until', waiting?.until],
    ['Instance', campaign.instance],
    ['Priority', campaign.priority],
    [
      'In the gateway’s queue',
      campaign.depth === undefined ? undefined : `read ${campaign.depth} items at ${campaign.queueReadAt}`,
    ],
    ['Fills the queue up to', String(highWater)],
    ['Rate', rateWords(campaign)],
    ['Last one leaves about', etaWords(campaign)],
    ['As of', campaign.asOf],
    ['Deadline', campaign.deadlineAt],
    ['Starts', campaign.startedAt === undefined ? campaign.startAt : undefined],
    ['Start was missed', campaign.startMissedAt],
    ['Started', campaign.startedAt],
    ['Ended', campaign.endedAt],
  ];
  const recipients = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `\`${progressBar(campaign)}\`: ${campaign.done} of ${audience} posted to or ended`,
    '',
    table(facts),
    '',
    table(recipients.map(([name, count]) => [name, String(count)])),
  ].join('\n');
}

/** The Web UI leaves no space between columns and trims normal spaces, so a wide space is used. */
const GAP = '\u2003';

export function table(facts: Facts): string {
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`| ${name}${GAP} | ${value.replaceAll('|', '\\|')} |`],
  );
  return ['| | |', '|---|---|', ...lines].join('\n');
}

/** The remaining work as of the last poll. */
export function dispatchPlan(campaign: PacedProgress, nextPollAtMs: number | undefined): DispatchPlan {
  const { id, instance, priority, highWater, counts, asOf, etaAt, ...others } = campaign;
  const { releaseIntervalMs, etaUnknown, deadlineAt } = others;
  return {
    id,
    instance,
    priority,
    highWater,
    pending: counts.pending,
    ...(etaAt === undefined || asOf === undefined ? {} : { etaAt, remainingMs: Date.parse(etaAt) - Date.parse(asOf) }),
    ...present({ releaseIntervalMs, etaUnknown, deadlineAt }),
    ...(nextPollAtMs === undefined ? {} : { nextPollAt: new Date(nextPollAtMs).toISOString() }),
  };
}
