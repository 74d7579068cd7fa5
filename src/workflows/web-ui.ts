/**
 * The content of a run in Temporal's Web UI: search attributes for lists, and the details of one run in Markdown. It
 * contains no phone number and no text.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import {
  MESSAGE_KINDS,
  etaWords,
  isRecord,
  isPause,
  isReviewEnded,
  localTime,
  progressBar,
  rateWords,
  type MessageId,
  type MessageInput,
  type ShownMessage,
  type OpenedMessage,
  type OpenedTemplate,
  type CampaignProgress,
  type ScheduleRunResult,
  type TemplateSnapshot,
} from '../contract/index.js';
import { editableUntilMs } from './message-row.js';

export const campaignAttribute = defineSearchAttributeKey('EverpostCampaign', 'KEYWORD');
export const instanceAttribute = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');
export const kindAttribute = defineSearchAttributeKey('EverpostKind', 'KEYWORD');
export const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');

/** Facts of a run. A fact without a value is omitted. */
type Facts = readonly (readonly [name: string, value: string | undefined])[];

/** What a run knows of its message before it has waited. */
export type MessageSubject = Pick<OpenedMessage, 'instance' | 'kind'> & { readonly id: MessageId };

/** A run that everpost starts from a row. Its search attributes say what the row is, so it need not read the row. */
export function messageOfStart(input: MessageInput): MessageSubject | undefined {
  if (!isRecord(input) || !('id' in input)) return undefined;
  const { typedSearchAttributes } = workflowInfo();
  const instance = typedSearchAttributes.get(instanceAttribute);
  const kind = MESSAGE_KINDS.find((known) => known === typedSearchAttributes.get(kindAttribute));
  return instance === undefined || kind === undefined ? undefined : { id: input.id, instance, kind };
}

/** What was asked, what happened, what the run waits for, and until when. */
export function messageDetails({ id, instance, kind }: MessageSubject, row: ShownMessage | undefined): string {
  const { happened, waitsFor, until } = story(id, row);
  return table([
    ['Asked', `send a ${kind} through ${instance}`],
    ['State', `**${row?.state ?? 'pending'}**`],
    ['Happened', happened],
    ['Reason', row?.reason],
    ['Waits for', waitsFor],
    ['Until', until],
    ['Gateway id', row?.idMessage],
    ['Accepted', row?.acceptedAt],
    ['Sent', row?.sentAt],
  ]);
}

interface Story {
  readonly happened: string;
  readonly waitsFor?: string | undefined;
  readonly until?: string | undefined;
}

function story(id: MessageId, row: ShownMessage | undefined): Story {
  const state = row?.state ?? 'pending';
  const isOpen = row !== undefined && editableUntilMs(row) > Date.now();
  const open = isOpen ? { waitsFor: 'edits, and later receipts', until: row.editableUntil } : {};
  switch (state) {
    case 'pending':
    case 'sending':
    case 'unknown':
      return {
        happened: 'the request is recorded; the dispatcher of the instance posts it',
        waitsFor: 'the receipt that it was sent, or its end',
        until: row && `never posted after ${row.expiresAt}`,
      };
    case 'unresolved':
      return {
        happened: 'it was posted, and nothing shows whether the gateway accepted it',
        waitsFor: `evidence, or an operator: everpost message resolve ${id} --as accepted|not_accepted`,
      };
    case 'accepted':
      return row?.hasEnded === true
        ? { happened: 'the gateway accepted it; no receipt came' }
        : { happened: 'the gateway accepted it', waitsFor: 'the receipt that it was sent' };
    case 'sent':
      return { happened: 'the network has it', ...open };
    case 'delivered':
      return { happened: 'the phone has it', ...open };
    case 'read':
      return { happened: 'the recipient has read it', ...open };
    case 'rejected':
      return { happened: 'it was refused and not sent' };
    case 'failed':
      return { happened: 'the network could not deliver it' };
    case 'no_account':
      return { happened: 'the recipient has no account' };
    case 'expired':
      return { happened: 'its time passed, and it was not sent' };
    case 'cancelled':
      return { happened: 'it was cancelled and not sent' };
    case 'suppressed':
      return { happened: 'the recipient is suppressed; it was not sent' };
  }
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

/** What the pending activity of a campaign waits for. */
export function campaignWait({ instance, state, startAt, timezone }: CampaignProgress): string {
  if (state === 'scheduled')
    return `through ${instance}: starts ${startAt === undefined ? 'once it is due' : localTime(startAt, timezone)}`;
  if (state === 'paused') return `through ${instance}: paused, until it is resumed or cancelled`;
  if (state === 'cancelling') return `through ${instance}: cancelled, until every outcome is known`;
  return `through ${instance}: until every recipient has an end, or it is changed`;
}

/** The campaign's name, counts and times. */
export function campaignDetails(campaign: CampaignProgress): string {
  const { state, audience, counts, highWater, waiting } = campaign;
  const isPaused = waiting !== undefined && isPause(waiting);
  const time = (at: string | undefined) => at && localTime(at, campaign.timezone);
  const facts: Facts = [
    ['Name', campaign.name],
    ['State', `**${state}**`],
    [
      isPaused ? 'Paused' : 'Waits for',
      waiting && [waiting.code, waiting.text].filter((word) => word !== undefined).join(': '),
    ],
    [isPaused ? 'Paused since' : 'Waits since', time(waiting?.since)],
    ['Waits until', time(waiting?.until)],
    ['Remedy', waiting?.remedy],
    ['Instance', campaign.instance],
    ['Priority', campaign.priority],
    [
      'In the gateway’s queue',
      campaign.depth === undefined ? undefined : `read ${campaign.depth} items at ${time(campaign.queueReadAt)}`,
    ],
    ['Fills the queue up to', String(highWater)],
    ['Rate', rateWords(campaign)],
    ['Last one leaves about', etaWords(campaign)],
    ['As of', time(campaign.asOf)],
    ['Deadline', time(campaign.deadlineAt)],
    ['Starts', time(campaign.startedAt === undefined ? campaign.startAt : undefined)],
    ['Start was missed', time(campaign.startMissedAt)],
    ['Started', time(campaign.startedAt)],
    ['Ended', time(campaign.endedAt)],
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

/** What became of one occurrence of a schedule. */
export function scheduleRunDetails(scheduleId: string, at: string, result: ScheduleRunResult | undefined): string {
  return table([
    ['Asked', `run schedule ${scheduleId} for ${at}`],
    ['State', `**${result?.state ?? 'open'}**`],
    ['Reason', result?.reason],
    ['Waits for', result === undefined ? 'the end of its campaign or message; the last failure says why' : undefined],
    ['Campaign', result?.campaignId],
    ['Message', result?.messageId],
  ]);
}

/** The Web UI leaves no space between columns and trims normal spaces, so a wide space is used. */
const GAP = '\u2003';

export function table(facts: Facts): string {
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`| ${name}${GAP} | ${value.replaceAll('|', '\\|')} |`],
  );
  return ['| | |', '|---|---|', ...lines].join('\n');
}
