/**
 * Compares what campaigns report with their recipients. The account of messages decides on each recipient.
 *
 * TOTALS-1 The report has every recipient who was imported, and no other. The counts add up to the audience, and are
 *    those of the report.
 * TOTALS-2 A recipient is open while pending, sending or unknown, and while unresolved or accepted without an end. A
 *    campaign with a recipient open has not ended; one with no recipient open has.
 * TOTALS-3 It is completed when every recipient was accepted, sent, delivered or read, or is suppressed;
 *    completed_with_failures otherwise. A run cancels none and lets none expire.
 * TOTALS-4 Nothing is sent between the response to a pause and the request to resume.
 */
import {
  CAMPAIGN_END_STATES,
  hasOutcome,
  isInPhase,
  statesIn,
  type CampaignState,
  type MessageId,
  type MessageState,
} from '../../../contract/index.js';
import type { MessageView, ReportRow } from '../../../ledger/index.js';
import type { AskedMessage, Finding } from './account.js';
import type { AskedCampaign } from '../backend.js';
import type { ReadCampaign } from '../progress.js';

export interface AskedAndRead extends AskedCampaign {
  /** Absent when it was never acknowledged. */
  readonly read?: ReadCampaign;
}

export interface CampaignAccount {
  readonly campaigns: number;
  readonly recipients: number;
  /** How many are in each state. */
  readonly states: Readonly<Partial<Record<CampaignState, number>>>;
  /** Claims of campaigns that their recipients contradict. */
  readonly wrong: readonly Finding[];
}

const NO_FAILURE: readonly MessageState[] = [...statesIn('accepted', 'taken'), 'suppressed'];

/** Every recipient of the campaigns as a message: what was to be sent to them, and the id that the report gives. */
export function recipientsOf(campaigns: readonly AskedAndRead[]): AskedMessage[] {
  return campaigns.flatMap(({ planned, read }) => {
    const ids = new Map(read?.report.map(({ chatId, messageId }) => [chatId, messageId]));
    return planned.recipients.map((recipient): AskedMessage => {
      const id = ids.get(`${recipient.to}@c.us`);
      return id === undefined ? { planned: recipient } : { planned: recipient, id };
    });
  });
}

/** @param views  what the ledger says of each recipient's message */
export function accountCampaigns(
  campaigns: readonly AskedAndRead[],
  views: ReadonlyMap<MessageId, MessageView>,
): CampaignAccount {
  const wrong: Finding[] = [];
  const states: Partial<Record<CampaignState, number>> = {};
  for (const { planned, sentWhilePaused, read } of campaigns) {
    const find = (why: string): void => void wrong.push({ id: planned.id, why });
    if (sentWhilePaused > 0) find(`${sentWhilePaused} sent after the response that it is paused`);
    if (read === undefined) continue;
    const { state } = read.view;
    states[state] = (states[state] ?? 0) + 1;
    for (const why of [...wrongTotals(planned.recipients.length, read), ...wrongEnd(read)]) find(why);
    for (const why of unexpectedRecipients(planned.recipients, read.report)) find(why);
    for (const row of read.report) {
      const ofMessage = views.get(row.messageId)?.state;
      if (ofMessage !== row.state)
        find(`the report says ${row.state} of line ${row.line}, its message ${ofMessage ?? 'nothing'}`);
    }
  }
  const recipients = campaigns.reduce((sum, { planned }) => sum + planned.recipients.length, 0);
  return { campaigns: campaigns.length, recipients, states, wrong };
}

function wrongTotals(recipients: number, { view, report }: ReadCampaign): string[] {
  const counted = Object.entries(view.counts).filter(([state, count]) => count !== report.filter(isIn(state)).length);
  const total = Object.values(view.counts).reduce((sum, count) => sum + count, 0);
  return [
    ...(view.audience === recipients
      ? []
      : [`its audience is ${view.audience}, and ${recipients} recipients were imported`]),
    ...(total === view.audience ? [] : [`its totals add up to ${total}, and its audience is ${view.audience}`]),
    ...counted.map(([state, count]) => `it counts ${count} ${state}, its report ${report.filter(isIn(state)).length}`),
  ];
}

function isIn(wanted: string): (row: ReportRow) => boolean {
  return ({ state }) => state === wanted;
}

function wrongEnd({ view, report }: ReadCampaign): string[] {
  const open = report.filter(isOpen).length;
  if (open > 0) return CAMPAIGN_END_STATES.includes(view.state) ? [`it says ${view.state} with ${open} open`] : [];
  const expected = report.every(({ state }) => NO_FAILURE.includes(state)) ? 'completed' : 'completed_with_failures';
  return view.state === expected ? [] : [`it says ${view.state}, and by its recipients it is ${expected}`];
}

function isOpen({ state, endedAt }: ReportRow): boolean {
  return !hasOutcome(state) || (isInPhase(state, 'unresolved', 'accepted') && endedAt === undefined);
}

function unexpectedRecipients(recipients: readonly { readonly to: string }[], report: readonly ReportRow[]): string[] {
  const asked = new Set(recipients.map(({ to }) => `${to}@c.us`));
  const chats = report.map(({ chatId }) => chatId);
  const unasked = chats.filter((chat) => !asked.has(chat)).length;
  const twice = chats.length - new Set(chats).size;
  const missing = [...asked].filter((chat) => !chats.includes(chat)).length;
  return [
    ...(unasked === 0 ? [] : [`its report has ${unasked} recipients who were not imported`]),
    ...(twice === 0 ? [] : [`its report has ${twice} recipients twice`]),
    ...(missing === 0 ? [] : [`its report lacks ${missing} recipients`]),
  ];
}
