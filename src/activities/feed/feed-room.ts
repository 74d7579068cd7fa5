import { randomUUID } from 'node:crypto';
import type { ClaimBatch, ClaimedRecipient, FeedingTurn, NextRecipients } from '../../ledger/index.js';
import { claimTimes, type ProtocolDependencies } from '../send-protocol.js';
import { untilRecorded } from '../until-recorded.js';
import { composeContent } from './compose-content.js';
import { postBatch, type Nerve, type Stop, type Unrecorded } from './post-batch.js';

/** All of a batch leave within the posting deadline, at the slowest rate that a kind of message has. */
export const BATCH = 20;
/** Where the last one left in no time the next may be larger: each costs a statement, however many are in it. */
const LARGEST_BATCH = 160;
const IN_NO_TIME_MS = 250;
/** A turn used for so long is given back, and taken again. */
const TURN_OVER_MS = 10_000;

export interface Room {
  readonly first: NextRecipients;
  /** How many may be put into the queue. */
  readonly room: number;
  /** One goes first: something stood in the way last time. */
  readonly isProbe: boolean;
  readonly nerve: Nerve;
  /** Of a template that the content names. */
  readonly pass?: TemplatePass;
}

/** What the gate of a template says to every recipient of a campaign. */
export interface TemplatePass {
  /** The gateway's id. */
  readonly templateId?: string;
  /** Why no recipient is ever sent it. */
  readonly never?: string;
}

/** What was put into the queue in one turn, and what ended it. */
export interface FedRoom {
  readonly accepted: number;
  readonly notAccepted: number;
  readonly end: 'full' | 'all_fed' | 'turn_over' | 'stopped' | 'refused';
  readonly stop?: Stop;
  readonly unrecorded: readonly Unrecorded[];
}

/** Batch after batch, as long as there is space, and the claims find the campaign running and the turn its own. */
export async function feedRoom(
  deps: ProtocolDependencies,
  turn: FeedingTurn,
  { first, room, isProbe, nerve, pass = {} }: Room,
): Promise<FedRoom> {
  const { ledger, clock } = deps;
  const unrecorded: Unrecorded[] = [];
  let [accepted, notAccepted, left, size] = [0, 0, room, BATCH];
  let next = firstOf(first, Math.min(room, isProbe ? 1 : BATCH));
  const end = (why: FedRoom['end'], stop?: Stop): FedRoom => ({
    accepted,
    notAccepted,
    unrecorded,
    end: why,
    ...(stop === undefined ? {} : { stop }),
  });
  const untilMs = performance.now() + TURN_OVER_MS;
  while (performance.now() < untilMs && deps.stopping?.aborted !== true) {
    const begunMs = performance.now();
    deps.reached?.('claim.before');
    const batch = compose(deps, turn, next, pass);
    const { claimed, rejected, suppressed, isOpen } = await untilRecorded(() => ledger.feeding.claim(batch));
    if (!isOpen) return end('refused');
    // A recipient who was next is not any more: cancelled or edited a moment ago, or with an identical message.
    const isIdle = claimed.length + rejected + suppressed === 0 && next.recipients.length > 0;
    if (isIdle) return end('refused');
    deps.reached?.('claim.after');
    const posted = await postBatch(deps, claimed.map(withTemplate(pass)), nerve);
    accepted += posted.accepted;
    notAccepted += posted.notAccepted;
    unrecorded.push(...posted.unrecorded);
    if (posted.stop !== undefined) return end('stopped', posted.stop);
    // A gateway that refuses every recipient is noticed here; receipts are looked at before the turn.
    const isFailing = posted.notAccepted > 0 && (await ledger.campaigns.pauseIfFailing(turn.campaignId, clock.nowMs()));
    if (isFailing) return end('refused');
    left -= claimed.length;
    if (left <= 0) return end('full');
    size = performance.now() - begunMs < IN_NO_TIME_MS ? Math.min(LARGEST_BATCH, size * 2) : BATCH;
    next = await ledger.feeding.next(turn.campaignId, Math.min(left, size), clock.nowMs());
    if (!next.isMore) return end('all_fed');
  }
  return end('turn_over');
}

function withTemplate({ templateId }: TemplatePass): (recipient: ClaimedRecipient) => ClaimedRecipient {
  if (templateId === undefined) return (recipient) => recipient;
  return (recipient) => ({ ...recipient, attempt: { ...recipient.attempt, templateId } });
}

function compose(
  deps: ProtocolDependencies,
  turn: FeedingTurn,
  next: NextRecipients,
  { never }: TemplatePass,
): ClaimBatch {
  const { recipients, content, contentVersion, throughLine } = next;
  return {
    turn,
    contentVersion,
    throughLine,
    entries: recipients.map((recipient) => ({
      recipient,
      token: randomUUID(),
      ...composeContent(deps.gateway, turn.instance, content, recipient),
      ...(never === undefined ? {} : { problem: never }),
    })),
    ...claimTimes(deps),
  };
}

/** The first so many of them; the others stay where they are. */
function firstOf(next: NextRecipients, count: number): NextRecipients {
  const recipients = next.recipients.slice(0, count);
  const last = recipients.at(-1);
  return recipients.length === next.recipients.length || last === undefined
    ? next
    : { ...next, recipients, throughLine: last.line };
}
