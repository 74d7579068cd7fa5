/**
 * The content of a run in Temporal's Web UI: search attributes for lists, and the details of one run in Markdown. It
 * contains no phone number and no text.
 */
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  MESSAGE_KINDS,
  RECEIPT_WAIT_MS,
  etaWords,
  isRecord,
  isPause,
  isReviewEnded,
  isSupportedTime,
  localTime,
  progressBar,
  rateWords,
  senderWords,
  type EditSnapshot,
  type EditState,
  type MessageId,
  type MessageInput,
  type SearchAttributeValues,
  type ShownMessage,
  type OpenedMessage,
  type OpenedTemplate,
  type CampaignProgress,
  type ScheduleRunResult,
  type TemplateSnapshot,
} from '../contract/index.js';
import { editableUntilMs } from './message-row.js';

const INSTANCE = defineSearchAttributeKey('EverpostInstance', 'KEYWORD_LIST');
const KIND = defineSearchAttributeKey('EverpostKind', 'KEYWORD');

/** Shows values in lists of runs. A change is an event and costs an action, so a value that is shown is omitted. */
export function showInLists({ EverpostInstance: instances, ...words }: SearchAttributeValues): void {
  const shown = workflowInfo().typedSearchAttributes;
  const changed: SearchAttributePair[] = Object.entries(words)
    .map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value }))
    .filter(({ key, value }) => shown.get(key) !== value);
  if (instances !== undefined && JSON.stringify(shown.get(INSTANCE)) !== JSON.stringify(instances)) {
    changed.push({ key: INSTANCE, value: [...instances] });
  }
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/** Facts of a run. A fact without a value is omitted. */
type Facts = readonly (readonly [name: string, value: string | undefined])[];

/** What a run knows of its message before it has waited. */
export type MessageSubject = Pick<OpenedMessage, 'instance' | 'kind'> & {
  readonly id: MessageId;
  /** ISO UTC. */
  readonly expiresAt?: string;
};

/** A run that everpost starts from a row. Its search attributes say what the row is, so it need not read the row. */
export function messageOfStart(input: MessageInput): MessageSubject | undefined {
  if (!isRecord(input) || !('id' in input)) return undefined;
  const { typedSearchAttributes } = workflowInfo();
  const [instance] = typedSearchAttributes.get(INSTANCE) ?? [];
  const kind = MESSAGE_KINDS.find((known) => known === typedSearchAttributes.get(KIND));
  if (instance === undefined || kind === undefined) return undefined;
  const { id, expiresAt } = input;
  // A client could start the run of a row with anything.
  const isTime = typeof expiresAt === 'string' && isSupportedTime(Date.parse(expiresAt));
  return { id, instance, kind, ...(isTime ? { expiresAt } : {}) };
}

/** What a send waits for, and until when, in the timeline of its run. */
export function sendSummary({ instance, expiresAt }: MessageSubject, after: 'unresolved' | undefined): string {
  if (after === 'unresolved') return 'unresolved: until evidence comes, or an operator resolves it';
  const until = `through ${instance}, until it is sent`;
  return expiresAt === undefined ? until : `${until}; not posted after ${minuteOf(expiresAt)}`;
}

/** `2026-03-01 12:00 UTC` */
export function minuteOf(time: string | number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** What was asked, what happened, what the run waits for, and until when. */
export function messageDetails(
  subject: MessageSubject,
  row: ShownMessage | undefined,
  edit: EditSnapshot | undefined,
): string {
  const { happened, waitsFor, until, isOld = false } = story(subject, row);
  const { id, instance, kind } = subject;
  return table([
    ['Asked', `send a ${kind} through ${instance}`],
    ['State', `**${row?.state ?? 'pending'}**${isOld ? ' when this wait began' : ''}`],
    ['State now', isOld ? `\`everpost message show ${id}\`` : undefined],
    ['Happened', happened],
    ['Newest edit', edit && EDIT_STORY[edit.via === 'before_send' ? 'before_send' : edit.state]],
    ['Reason', row?.reason],
    ['Waits for', waitsFor],
    ['Until', until],
    ['Gateway id', row?.idMessage],
    ['Accepted', row?.acceptedAt],
    ['Sent', row?.sentAt],
  ]);
}

const EDIT_STORY: Readonly<Record<EditState | 'before_send', string>> = {
  pending: 'requested, and not posted yet',
  sending: 'being posted',
  posted: 'posted; nothing shows yet that the phone has it',
  before_send: '**edited** before the message was posted',
  edited: '**edited**: the phone shows the new text',
  too_late: '**too_late**: the edit window had closed, and nothing was posted',
  refused: '**refused** by the gateway',
  unconfirmed: '**unconfirmed**: posted, and nothing shows that the phone has it',
  superseded: '**superseded** by a newer edit',
  not_possible: '**not_possible**: the message was not sent',
};

interface Story {
  readonly happened: string;
  readonly waitsFor?: string | undefined;
  readonly until?: string | undefined;
  /** The state may have changed since: the run is told when the wait ends. */
  readonly isOld?: boolean;
}

function story({ id, instance, expiresAt }: MessageSubject, row: ShownMessage | undefined): Story {
  const state = row?.state ?? 'pending';
  const isOpen = row !== undefined && editableUntilMs(row) > Date.now();
  const open = isOpen ? { waitsFor: 'edits, and later receipts', until: row.editableUntil } : {};
  switch (state) {
    case 'pending':
    case 'sending':
    case 'unknown':
      return {
        happened: 'the request is recorded',
        waitsFor: `the dispatcher of ${instance}, then the receipt that it was sent. The run instance:${instance} shows why nothing is posted`,
        until: expiresAt && `not posted after ${expiresAt}`,
        isOld: true,
      };
    case 'unresolved':
      return {
        happened: 'it was posted, and nothing shows whether the gateway accepted it',
        waitsFor: `evidence, or an operator: \`everpost message resolve ${id} --as accepted\`, or \`not_accepted\``,
        until: 'no limit',
      };
    case 'accepted': {
      if (row?.hasEnded === true) return { happened: 'the gateway accepted it; no receipt came' };
      const until = row?.acceptedAt && new Date(Date.parse(row.acceptedAt) + RECEIPT_WAIT_MS).toISOString();
      return { happened: 'the gateway accepted it', waitsFor: 'the receipt that it was sent', until };
    }
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
    case 'held_out':
      return { happened: 'the campaign leaves the recipient out; it was not sent' };
  }
}

/** The state of the template's review with its time and reason, and the time of the next poll. */
export function templateDetails({ category, languageCode }: OpenedTemplate, row: TemplateSnapshot): string {
  const isFollowed = row.state === 'submitted' && !isReviewEnded(row.status) && row.unwatchedSince === undefined;
  return table([
    ['Asked', `submit template ${row.elementName} through ${row.instance}, and follow its review`],
    ['Review', row.status === undefined ? undefined : `**${row.status}**`],
    ['Submission', row.status === undefined ? `**${row.state}**` : row.state],
    ['Reason', row.reason?.replaceAll('\n', ' ')],
    ['Since', row.statusSince],
    ['Asked for', row.createdAt],
    ['Waits for', isFollowed ? 'the decision of the review' : undefined],
    ['Next poll', isFollowed ? 'the pending activity says when: its last failure has the time' : undefined],
    ['No longer polled since', row.unwatchedSince],
    ['Category', `${category}, ${languageCode}`],
    ['Gateway id', row.templateId],
  ]);
}

/** What the pending activity of a campaign waits for. */
export function campaignWait(campaign: CampaignProgress): string {
  const { state, startAt, timezone } = campaign;
  const senders = senderWords(campaign);
  if (state === 'scheduled')
    return `through ${senders}: starts ${startAt === undefined ? 'once it is due' : localTime(startAt, timezone)}`;
  if (state === 'paused') return `through ${senders}: paused, until it is resumed or cancelled`;
  if (state === 'cancelling') return `through ${senders}: cancelled, until every outcome is known`;
  return `through ${senders}: until every recipient has an end, or it is changed`;
}

/** The campaign's name, counts and times. */
export function campaignDetails(campaign: CampaignProgress): string {
  const { state, audience, counts, highWater, waiting } = campaign;
  const isPaused = waiting !== undefined && isPause(waiting);
  const time = (at: string | undefined) => at && localTime(at, campaign.timezone);
  const facts: Facts = [
    ['Asked', `send to ${audience} recipients through ${senderWords(campaign)}`],
    ['Name', campaign.name],
    ['State', `**${state}**`],
    [
      isPaused ? 'Paused' : 'Waits for',
      waiting && [waiting.code, waiting.text].filter((word) => word !== undefined).join(': '),
    ],
    ['Resume it', state === 'paused' ? `\`everpost campaign resume ${campaign.id}\`` : undefined],
    [isPaused ? 'Paused since' : 'Waits since', time(waiting?.since)],
    ['Waits until', time(waiting?.until)],
    ['Remedy', waiting?.remedy],
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
