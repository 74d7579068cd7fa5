/**
 * Compares the ledger with what the phones received. The phones are the reference: they show each message that the
 * simulator accepted, and no other.
 *
 * ACCOUNT-1 A text belongs to one message or to a group of identical messages, whether it was posted or set by an edit.
 *    So each delivery belongs to a group, and the messages of a group are counted together.
 * ACCOUNT-2 A row that says accepted, sent, delivered or read is matched with its delivery by the gateway's id. If
 *    there is no such delivery, the message is lost.
 * ACCOUNT-3 A delivery that no row claims is given first to an unknown or unresolved row, which the gateway then did
 *    accept. If there is none, it is given to a row that says it was not sent, which is unexplained. If no such row is
 *    left either, the message was sent twice.
 * ACCOUNT-4 A message is lost if it has no row, or if its row is neither accepted, unknown, unresolved nor ended. A
 *    message that waits for an unresolved identical message counts as unresolved.
 */
import { endedUnsent, groupBy, statesIn, type MessageId, type MessageState } from '../../../contract/index.js';
import { whyUndecided } from '../../../domain/index.js';
import type { MessageView } from '../../../ledger/index.js';
import type { DeliveredMessage } from '../../../simulator/index.js';
import type { PlannedText } from '../plan/campaign-plan.js';

/** A message as its sender knows it: the request, and the id from the acknowledgement or from the campaign's report. */
export interface AskedMessage {
  readonly planned: PlannedText;
  readonly id?: MessageId;
}

/** A message or instance, and what is wrong with it. It never holds a text or a phone number. */
export interface Finding {
  readonly id: string;
  readonly why: string;
}

interface Findings {
  readonly lost: Finding[];
  readonly sentTwice: Finding[];
  /** Sent twice under `onUnknown: auto`, which accepts that risk. */
  readonly resentTwice: Finding[];
  /** Unknown or unresolved although the gateway accepted it. */
  readonly unresolvedAccepted: Finding[];
  /** Never reached the gateway, and is unknown or unresolved, or waits for an identical message that is. */
  readonly unresolvedNeverAccepted: Finding[];
  readonly unexplained: Finding[];
}

export interface Account extends Readonly<Record<keyof Findings, readonly Finding[]>> {
  readonly messages: number;
  /** How many requests got a 202. A recipient counts when the campaign is started and its report has the recipient. */
  readonly acknowledged: number;
  /** On a phone, and the ledger has recorded the acceptance. */
  readonly delivered: number;
  /** Accepted without a receipt: the receipts were lost on the way. */
  readonly withoutReceipt: number;
}

const CLAIMED: readonly MessageState[] = statesIn('accepted', 'taken');
const OPEN: readonly MessageState[] = ['unknown', 'unresolved'];

interface Row {
  readonly planned: PlannedText;
  readonly view: MessageView;
}

export function account(
  asked: readonly AskedMessage[],
  views: ReadonlyMap<MessageId, MessageView>,
  phones: readonly DeliveredMessage[],
): Account {
  const findings: Findings = {
    lost: [],
    sentTwice: [],
    resentTwice: [],
    unresolvedAccepted: [],
    unresolvedNeverAccepted: [],
    unexplained: [],
  };
  const groups = groupBy(asked, ({ planned }) => groupOf(planned));
  // The group of every text that a phone may show.
  const owners = new Map(
    asked.flatMap(({ planned }) =>
      [planned, ...planned.edits].map(({ text }) => [textKey(`${planned.to}@c.us`, text), groupOf(planned)] as const),
    ),
  );
  const deliveries = groupBy(phones, ({ chatId, text }) => owners.get(textKey(chatId, text)) ?? 'missing');
  for (const { idMessage } of deliveries.get('missing') ?? []) {
    findings.unexplained.push({ id: idMessage, why: 'a phone received a message that was not requested' });
  }
  let delivered = 0;
  for (const [group, members] of groups) {
    delivered += accountGroup(members, views, deliveries.get(group) ?? [], findings);
  }
  const acknowledged = asked.filter(({ id }) => id !== undefined).length;
  const withoutReceipt = asked.filter(({ id }) => id !== undefined && views.get(id)?.state === 'accepted').length;
  return { messages: asked.length, acknowledged, delivered, withoutReceipt, ...findings };
}

/** @returns how many of the group's messages are on a phone and accepted in the ledger */
function accountGroup(
  members: readonly AskedMessage[],
  views: ReadonlyMap<MessageId, MessageView>,
  deliveries: readonly DeliveredMessage[],
  findings: Findings,
): number {
  const rows: Row[] = [];
  for (const { planned, id } of members) {
    if (id === undefined) continue;
    const view = views.get(id);
    if (view === undefined) findings.lost.push({ id, why: 'acknowledged, but the ledger has no row of it' });
    else rows.push({ planned, view });
  }
  const strays = new Set(deliveries);
  let delivered = 0;
  for (const row of rows.filter(({ view }) => CLAIMED.includes(view.state))) {
    const { id, idMessage, state } = row.view;
    const delivery = [...strays].find((one) => one.idMessage === idMessage);
    if (delivery === undefined) {
      findings.lost.push({ id, why: `the ledger says ${state}, but no phone has received it` });
      continue;
    }
    strays.delete(delivery);
    delivered += 1;
    const doubt = textDoubt(row, delivery);
    if (doubt !== undefined) findings.unexplained.push({ id, why: doubt });
  }
  for (const { view } of rows.filter(({ view: { state } }) => OPEN.includes(state))) {
    const finding = { id: view.id, why: `${view.state}: ${whyLeft(view)}` };
    (takeOne(strays) ? findings.unresolvedAccepted : findings.unresolvedNeverAccepted).push(finding);
  }
  for (const { view } of rows.filter(({ view: { state } }) => !CLAIMED.includes(state) && !OPEN.includes(state))) {
    if (takeOne(strays)) {
      findings.unexplained.push({ id: view.id, why: `the ledger says ${view.state}, but a phone has received it` });
    } else if (view.state === 'pending' && view.waiting?.identical !== undefined) {
      findings.unresolvedNeverAccepted.push({ id: view.id, why: 'pending: an identical message is unresolved' });
    } else if (!endedUnsent(view.state)) {
      findings.lost.push({ id: view.id, why: `still ${view.state}` });
    }
  }
  for (const stray of strays) accountDouble(stray, rows, findings);
  return delivered;
}

function accountDouble(stray: DeliveredMessage, rows: readonly Row[], findings: Findings): void {
  const row = rows[0];
  if (row === undefined) {
    findings.unexplained.push({ id: stray.idMessage, why: 'a phone received a message that was never acknowledged' });
    return;
  }
  const attempts = row.view.attempts.map(({ outcome = 'no outcome' }) => outcome).join(', ');
  const finding = { id: row.view.id, why: `a phone also has ${stray.idMessage}; attempts: ${attempts}` };
  (row.planned.onUnknown === 'auto' ? findings.resentTwice : findings.sentTwice).push(finding);
}

/** The phone must show the text that the ledger has in force. With an unconfirmed edit, both texts are correct. */
function textDoubt({ planned, view }: Row, delivery: DeliveredMessage): string | undefined {
  const inForce = view.edits.findLast(({ state }) => state === 'edited');
  const unconfirmed = view.edits.filter(({ state }) => state === 'unconfirmed').map(({ text }) => text);
  const open = view.edits.filter(({ state }) => ['pending', 'sending', 'posted'].includes(state));
  if (open.length > 0 && view.state !== 'accepted')
    return `an edit is still ${open.map(({ state }) => state).join(', ')}`;
  const expected = [inForce?.text ?? planned.text, ...unconfirmed];
  if (delivery.text !== null && expected.includes(delivery.text)) return undefined;
  const edits = view.edits.map(({ state, via }) => (via === undefined ? state : `${state} (${via})`)).join(', ');
  return `the text on the phone differs from the text in the ledger; edits: ${edits === '' ? 'none' : edits}`;
}

/** Why no witness could decide: the last reason in the evidence, and why the reconciler presumed nothing. */
function whyLeft({ evidence }: MessageView): string {
  const detail = evidence.findLast((one) => typeof one.detail?.['why'] === 'string')?.detail;
  if (detail === undefined) return evidence.at(-1)?.what ?? 'no evidence';
  const { why, notPresumed } = detail;
  const because = typeof notPresumed === 'string' ? `; not presumed: ${notPresumed}` : '';
  return `${whyUndecided(String(why))}${because}`;
}

function groupOf({ to, text }: PlannedText): string {
  return textKey(`${to}@c.us`, text);
}

function textKey(chatId: string, text: string | null): string {
  return JSON.stringify([chatId, text]);
}

function takeOne(items: Set<DeliveredMessage>): boolean {
  for (const item of items) return items.delete(item);
  return false;
}
