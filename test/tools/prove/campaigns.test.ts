import { describe, expect, it } from 'vitest';
import { account } from '../../../src/tools/prove/account/account.js';
import {
  accountCampaigns,
  recipientsOf,
  type AskedAndRead,
} from '../../../src/tools/prove/account/campaign-account.js';
import type { PlannedCampaign } from '../../../src/tools/prove/plan/campaign-plan.js';
import {
  MESSAGE_STATES,
  type CampaignId,
  type CampaignState,
  type MessageId,
  type MessageState,
  type StateCounts,
} from '../../../src/contract/index.js';
import type { CampaignView, MessageView, ReportRow } from '../../../src/ledger/index.js';

const ID = 'prove-1-1' as CampaignId;

function planned(recipients: number): PlannedCampaign {
  const edits: [] = [];
  const to = (_: unknown, at: number) => ({ to: phone(at), text: `Hello ${at}.`, onUnknown: 'manual', edits });
  return { id: ID, recipients: Array.from({ length: recipients }, to) } as unknown as PlannedCampaign;
}

function phone(index: number): string {
  return `1555001${1_001 + index}`;
}

/** A recipient's row of the report; every state except the open ones is an end. */
function row(index: number, state: MessageState, changes: Partial<ReportRow> = {}): ReportRow {
  const ended = ['pending', 'sending', 'unknown', 'unresolved', 'accepted'].includes(state) ? {} : { endedAt: 'then' };
  const messageId = `msg_${index}` as MessageId;
  return { line: index + 1, messageId, chatId: `${phone(index)}@c.us`, state, attempts: 1, ...ended, ...changes };
}

function countsOf(report: readonly ReportRow[]): StateCounts {
  const count = (wanted: MessageState): number => report.filter(({ state }) => state === wanted).length;
  return Object.fromEntries(MESSAGE_STATES.map((state) => [state, count(state)])) as StateCounts;
}

/** A campaign whose totals agree with its report. */
function aCampaign(
  state: CampaignState,
  report: readonly ReportRow[],
  changes: Partial<CampaignView> & { readonly asked?: number; readonly sentWhilePaused?: number } = {},
): AskedAndRead {
  const { asked = report.length, sentWhilePaused = 0, ...view } = changes;
  const counted = {
    id: ID,
    state,
    audience: report.length,
    counts: countsOf(report),
    accounts: [{ counts: countsOf(report) }],
    ...view,
  } as unknown as CampaignView;
  return { planned: planned(asked), isStarted: true, sentWhilePaused, read: { view: counted, report } };
}

/** The ledger's state of each message: the same as in the report. */
function viewsOf({ read }: AskedAndRead): Map<MessageId, MessageView> {
  return new Map(read?.report.map(({ messageId, state }) => [messageId, { id: messageId, state } as MessageView]));
}

function wrong(campaign: AskedAndRead): string[] {
  return accountCampaigns([campaign], viewsOf(campaign)).wrong.map(({ why }) => why);
}

/** Proves TOTALS-1 to TOTALS-5, and with them PROMISE-7 and PROMISE-8. */
describe('the account of a campaign', () => {
  it.each([
    ['completed', ['sent', 'delivered', 'read']],
    ['completed_with_failures', ['sent', 'rejected', 'no_account', 'failed']],
    ['running', ['sent', 'pending']],
    ['running', ['sent', 'unresolved']],
    ['running', ['accepted', 'rejected']],
  ] as const)('is in order when it is %s with recipients %s', (state, states) => {
    const report = states.map((one, index) => row(index, one));
    const campaign = aCampaign(state, report);
    expect(wrong(campaign)).toEqual([]);
    expect(accountCampaigns([campaign], viewsOf(campaign))).toMatchObject({
      campaigns: 1,
      recipients: report.length,
      states: { [state]: 1 },
    });
  });

  it('is in order when it is completed with an accepted message without a later receipt', () => {
    expect(wrong(aCampaign('completed', [row(0, 'read'), row(1, 'accepted', { endedAt: 'then' })]))).toEqual([]);
  });

  it.each(['pending', 'sending', 'unknown', 'unresolved', 'accepted'] as const)(
    'is wrong when it is completed while a recipient is %s',
    (state) => {
      expect(wrong(aCampaign('completed', [row(0, 'sent'), row(1, state)]))).toEqual([
        'it is completed, but 1 recipients are unfinished',
      ]);
    },
  );

  it.each([
    ['running', 'completed', ['sent', 'read']],
    ['paused', 'completed', ['sent', 'read']],
    ['completed', 'completed_with_failures', ['sent', 'rejected']],
    ['completed_with_failures', 'completed', ['sent', 'read']],
    ['cancelled', 'completed_with_failures', ['sent', 'cancelled']],
  ] as const)('is wrong when its state is %s and %s by its recipients', (state, expected, states) => {
    const report = states.map((one, index) => row(index, one));
    expect(wrong(aCampaign(state, report))).toEqual([`it is ${state}, but its recipients make it ${expected}`]);
  });

  it('is wrong when its totals add up neither to its audience nor to its report', () => {
    const report = [row(0, 'sent'), row(1, 'read')];
    const counts = { ...countsOf(report), read: 2 };
    expect(wrong(aCampaign('completed', report, { counts }))).toEqual([
      'its counts add up to 3, but its audience is 2',
      'it counts 2 read, but its accounts count 1',
      'it counts 2 read, but its report has 1',
    ]);
  });

  it('is wrong when its audience differs from the import', () => {
    expect(wrong(aCampaign('completed', [row(0, 'sent')], { asked: 2 }))).toEqual([
      'its audience is 1, but 2 recipients were imported',
      'its report lacks 1 recipients',
    ]);
    expect(wrong(aCampaign('completed', [row(0, 'sent'), row(7, 'sent'), row(0, 'sent')], { asked: 3 }))).toEqual([
      'its report has 1 recipients who were not imported',
      'its report has 1 duplicate recipients',
      'its report lacks 2 recipients',
    ]);
  });

  it('is wrong when report and message differ', () => {
    const campaign = aCampaign('completed', [row(0, 'sent')]);
    const views = new Map([['msg_0' as MessageId, { state: 'read' } as MessageView]]);
    const { wrong: found } = accountCampaigns([campaign], views);
    expect(found).toEqual([{ id: ID, why: 'line 1 is sent in the report, and read in the ledger' }]);
  });

  it('is wrong when a message was sent during a pause', () => {
    expect(wrong(aCampaign('completed', [row(0, 'sent')], { sentWhilePaused: 2 }))).toEqual([
      'it sent 2 messages while it was paused',
    ]);
  });
});

describe('the recipients of a campaign', () => {
  const idOf = (campaign: AskedAndRead) => recipientsOf([campaign]).map(({ id }) => id);

  it('are messages with the ids of the report', () => {
    expect(idOf(aCampaign('running', [row(0, 'sent'), row(1, 'pending')]))).toEqual(['msg_0', 'msg_1']);
  });

  it('are not acknowledged when the report lacks them', () => {
    const campaign = aCampaign('running', [row(1, 'pending')], { asked: 2 });
    expect(idOf(campaign)).toEqual([undefined, 'msg_1']);
    const { read: _, ...unread } = campaign;
    expect(account(recipientsOf([unread]), new Map(), [])).toMatchObject({ messages: 2, acknowledged: 0 });
  });
});
