/**
 * What is known of accounts, and which of it pauses or delays all their messages.
 *
 * INSTANCE-1 An instance is paused by every observation of yellowCard, blocked or suspended, in the transaction that
 *    records the observation. The pause stays when the state ends, however soon.
 * INSTANCE-2 While an instance is paused nothing of the instance is claimed: no single message, whatever its life, and
 *    no recipient of a campaign. That is a condition of the claim itself.
 * INSTANCE-3 An operator resumes a paused instance; where it is configured so, a pause ends once the account is
 *    authorized. A pause by a state of the account ends only while the account was last seen authorized.
 * INSTANCE-4 A late or repeated notification of a time before a pause ended does not pause again.
 * INSTANCE-5 An account in any other state than authorized is away, which ends without an operator. While it is known to
 *    be away, no recipient of a campaign is claimed, and no single message that lives for less than a day. Ten minutes
 *    after the last observation it is not known any more.
 * INSTANCE-6 An operator pauses an instance whatever its state. Only an operator ends this pause, also while the
 *    account is not authorized.
 */
import type { PauseReason, PauseState, CampaignId, CampaignState, CampaignWaiting } from '../../contract/index.js';
import type { ClosedInstance, PostedToday } from '../dispatch/closed-streams.js';

export interface InstanceStateView {
  readonly state: string;
  /** ISO UTC: since when it is known to be in this state, and when it was seen in it last. */
  readonly since: string;
  readonly seenAt: string;
}

export interface InstancePause {
  readonly reason: PauseReason;
  /** ISO UTC: when the account was first seen so, or when the operator paused it. */
  readonly since: string;
  /** The witness: `stateInstanceChanged`, `getStateInstance`, `outgoingMessageStatus`, `operator`. */
  readonly witness: string;
}

export interface SeenPause {
  readonly instance: string;
  readonly reason: PauseState;
  readonly witness: string;
  /** When the account was in this state, by our clock. */
  readonly atMs: number;
}

/** A campaign that was started, and of which nothing is sent at the moment. */
export interface WaitingCampaign {
  readonly id: CampaignId;
  readonly state: CampaignState;
  readonly waiting: CampaignWaiting;
}

/** Everything the ledger knows of one account, but its queue. */
export interface InstanceView {
  readonly seen?: InstanceStateView;
  /**
   * The gateway's connection to the network: its own word, e.g. `online`, and since when as far as is known. Pauses nothing.
   */
  readonly connection?: { readonly status: string; readonly since: string };
  /** Those that are on, oldest first. */
  readonly pauses: readonly InstancePause[];
  /** Single messages that have not been posted, counted up to 10,000. */
  readonly pendingMessages: number;
  /** At most 100, oldest first. */
  readonly waitingCampaigns: readonly WaitingCampaign[];
  /** Messages with an unknown outcome, counted up to 100. */
  readonly unknownOutcomes: number;
  /** What its hours and limits keep back now, for all its campaigns and single messages. */
  readonly closed: readonly ClosedInstance[];
  /** Absent without a daily cap. */
  readonly today?: PostedToday;
  /** ISO UTC. */
  readonly lastNotificationAt?: string;
}
