/**
 * Compares the state and counts of each campaign with its recipients. `account.ts` checks each recipient's message.
 *
 * TOTALS-1 The report has exactly the imported recipients. The counts add up to the audience and match the report.
 * TOTALS-2 A recipient is unfinished while pending, sending or unknown, and while unresolved or accepted without an
 *    end. A campaign has ended exactly if no recipient is unfinished.
 * TOTALS-3 A campaign is completed if every recipient is accepted, sent, delivered, read or suppressed, else
 *    completed_with_failures. A run cancels no campaign, and no campaign expires.
 * TOTALS-4 A campaign sends nothing between the response to its pause and the request to resume it.
 * TOTALS-5 The counts of its accounts add up to its own.
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
import type { CampaignView, MessageView, ReportRow } from '../../../ledger/index.js';
import type { AskedMessage, Finding } from './account.js';
import type { PlannedCampaign } from '../plan/campaign-plan.js';

/** A campaign as its caller knows it. */
export interface AskedCampaign {
  readonly planned: PlannedCampaign;
  /** The API acknowledged that it is started. */
  readonly isStarted: boolean;
  /** How many sends to its recipients came between the response to the pause and the request to resume. */
  readonly sentWhilePaused: number;
}

/** A campaign in the ledger, with all its recipients. */
export interface ReadCampaign {
  readonly view: CampaignView;
  readonly report: readonly ReportRow[];
}

export interface AskedAndRead extends AskedCampaign {
  /** Absent if the start was never acknowledged. */
  readonly read?: ReadCampaign;
}

export interface CampaignAccount {
  readonly campaigns: number;
  readonly recipients: number;
  /** How many campaigns are in each state. */
  readonly states: Readonly<Partial<Record<CampaignState, number>>>;
  /** Statements of campaigns that contradict their recipients. */
  readonly wrong: readonly Finding[];
}

const NO_FAILURE: readonly MessageState[] = [...statesIn('accepted', 'taken'), 'suppressed', 'held_out'];

/** Every recipient of the campaigns as a message: the planned text, and the id from the report. */
export function recipientsOf(campaigns: readonly AskedAndRead[]): AskedMessage[] {
  return campaigns.flatMap(({ planned, read }) => {
    const ids = new Map(read?.report.map(({ chatId, messageId }) => [chatId, messageId]));
    return planned.recipients.map((recipient): AskedMessage => {
      const id = ids.get(`${recipient.to}@c.us`);
      return id === undefined ? { planned: recipient } : { planned: recipient, id };
    });
  });
}

/** @param views  the messages of all recipients in the ledger */
export function accountCampaigns(
  campaigns: readonly AskedAndRead[],
  views: ReadonlyMap<MessageId, MessageView>,
): CampaignAccount {
  const wrong: Finding[] = [];
  const states: Partial<Record<CampaignState, number>> = {};
  for (const { planned, sentWhilePaused, read } of campaigns) {
    const find = (why: string): void => void wrong.push({ id: planned.id, why });
    if (sentWhilePaused > 0) find(`it sent ${sentWhilePaused} messages while it was paused`);
    if (read === undefined) continue;
    const { state } = read.view;
    states[state] = (states[state] ?? 0) + 1;
    for (const why of [...wrongTotals(planned.recipients.length, read), ...wrongEnd(read)]) find(why);
    for (const why of unexpectedRecipients(planned.recipients, read.report)) find(why);
    for (const row of read.report) {
      const ofMessage = views.get(row.messageId)?.state;
      if (ofMessage !== row.state)
        find(`line ${row.line} is ${row.state} in the report, and ${ofMessage ?? 'missing'} in the ledger`);
    }
  }
  const recipients = campaigns.reduce((sum, { planned }) => sum + planned.recipients.length, 0);
  return { campaigns: campaigns.length, recipients, states, wrong };
}

function wrongTotals(recipients: number, { view, report }: ReadCampaign): string[] {
  const { audience, counts, accounts } = view;
  const wrong: string[] = [];
  if (audience !== recipients) wrong.push(`its audience is ${audience}, but ${recipients} recipients were imported`);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total !== audience) wrong.push(`its counts add up to ${total}, but its audience is ${audience}`);
  for (const [state, count] of Object.entries(counts)) {
    const ofAll = accounts.reduce((sum, account) => sum + account.counts[state as MessageState], 0);
    // A recipient who was not read yet has no account.
    if (ofAll !== count && (state !== 'pending' || ofAll > count))
      wrong.push(`it counts ${count} ${state}, but its accounts count ${ofAll}`);
    const reported = report.filter((row) => row.state === state).length;
    if (reported !== count) wrong.push(`it counts ${count} ${state}, but its report has ${reported}`);
  }
  return wrong;
}

function wrongEnd({ view, report }: ReadCampaign): string[] {
  const open = report.filter(
    ({ state, endedAt }) => !hasOutcome(state) || (isInPhase(state, 'unresolved', 'accepted') && endedAt === undefined),
  ).length;
  if (open > 0)
    return CAMPAIGN_END_STATES.includes(view.state)
      ? [`it is ${view.state}, but ${open} recipients are unfinished`]
      : [];
  const expected = report.every(({ state }) => NO_FAILURE.includes(state)) ? 'completed' : 'completed_with_failures';
  return view.state === expected ? [] : [`it is ${view.state}, but its recipients make it ${expected}`];
}

function unexpectedRecipients(recipients: readonly { readonly to: string }[], report: readonly ReportRow[]): string[] {
  const asked = new Set(recipients.map(({ to }) => `${to}@c.us`));
  const chats = report.map(({ chatId }) => chatId);
  const unasked = chats.filter((chat) => !asked.has(chat)).length;
  const twice = chats.length - new Set(chats).size;
  const missing = [...asked].filter((chat) => !chats.includes(chat)).length;
  return [
    ...(unasked === 0 ? [] : [`its report has ${unasked} recipients who were not imported`]),
    ...(twice === 0 ? [] : [`its report has ${twice} duplicate recipients`]),
    ...(missing === 0 ? [] : [`its report lacks ${missing} recipients`]),
  ];
}
