import type { EventType, MessageId } from '../../contract/index.js';
import type { Oddity } from '../column-types.js';

/** What is known of a notification before it is applied. */
export interface NotificationFacts {
  /** Its `typeWebhook`. */
  readonly kind?: string;
  readonly oddity?: Oddity;
  /** What it is for event endpoints. @default none: it is no event */
  readonly event?: NotificationEvent;
}

export interface NotificationEvent {
  readonly type: EventType;
  /** What it is about: events of the same key are delivered in order. */
  readonly key: string;
  /** As it came, where that is more than the JSON of its body. */
  readonly raw?: Uint8Array;
  /** @default application/json */
  readonly contentType?: string;
}

/** What came from one instance. */
export interface NotificationSummary {
  readonly instance: string;
  /** ISO UTC. Absent: none is kept. */
  readonly lastAt?: string;
  /** In the time that was asked for: how many, how often one of them came again, and of which kinds they were. */
  readonly came: number;
  readonly repeats: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly oddities: Readonly<Partial<Record<Oddity, number>>>;
  /** Stored, and not applied yet; since when the oldest of them. */
  readonly waiting: number;
  readonly waitingSince?: string;
  /** Those of all that are kept that could not be applied. */
  readonly failed: number;
  /** The newest of those: when it came, and why it could not be applied. */
  readonly lastFailure?: { readonly at: string; readonly problem: string };
  /** Messages that changed and whose runs have not been signalled yet; since when the oldest of them. */
  readonly pendingSignals: number;
  readonly pendingSignalsSince?: string;
  /** The last notification that a plan's limit was reached. */
  readonly quotaExceeded?: { readonly at: string; readonly quota: unknown };
}

export interface Replay {
  readonly id: string;
  /** Absent: all instances. */
  readonly instance?: string;
  readonly sinceMs: number;
}

export interface ReplayView {
  readonly id: string;
  readonly instance?: string;
  /** ISO UTC, as are all times here. */
  readonly since: string;
  /** How many notifications it applies again, and how many of them it has. */
  readonly total: number;
  readonly done: number;
  /** How many had which outcome this time. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly begunAt: string;
  readonly endedAt?: string;
}

/** The next part of a replay. */
export interface ReplayBatch {
  readonly replayId: string;
  readonly afterId: string;
  readonly notifications: readonly StoredNotification[];
}

/** One thing that a notification says, read from its raw body by `src/webhooks`. */
export type Receipt =
  | {
      readonly kind: 'status';
      readonly idMessage: string;
      readonly status: 'sent' | 'delivered' | 'read' | 'failed' | 'no_account';
      /** The gateway's time of the event, milliseconds. */
      readonly atMs: number;
      readonly description?: string;
      /** Set when the gateway was polled; absent for a notification. */
      readonly source?: 'journal';
    }
  | {
      readonly kind: 'edited';
      /** The id of the message that was edited (`stanzaId`). */
      readonly originalIdMessage: string;
      /** The notification's own id. */
      readonly idMessage: string;
      readonly text: string;
      readonly atMs: number;
    }
  | {
      /** A fact about a message that does not change its state. */
      readonly kind: 'remark';
      readonly what: 'deleted' | 'yellowCard';
      readonly idMessage: string;
      readonly atMs: number;
      readonly description?: string;
    };

export interface StoredNotification {
  readonly id: string;
  readonly instance: string;
  readonly body: unknown;
  readonly receivedAt: string;
  readonly oddity?: Oddity;
}

/** The result of applying a notification. */
export interface Applied {
  /** A stable word. */
  readonly outcome: string;
  /** Why it could not be applied, for an operator; no contents. */
  readonly problem?: string;
}

/** A receipt out of a stored notification. */
export interface StoredReceipt {
  /** The notification's. */
  readonly id: string;
  readonly instance: string;
  readonly receipt: Receipt;
}

/** A notification's id. */
export interface StoredId {
  readonly id: string;
  /** The same had come before. */
  readonly duplicate: boolean;
  /** An event was recorded, here or with another one of the same commit. */
  readonly hasEvents: boolean;
}

/** The results of receipts that were applied together. */
export interface AppliedTogether {
  /**
   * By the ids of the notifications. `busy`: another process is changing the message at this moment, ask again. Those
   * that are missing are to be applied one by one.
   */
  readonly outcomes: ReadonlyMap<string, 'applied' | 'parked' | 'busy'>;
  readonly changed: readonly MessageId[];
}
