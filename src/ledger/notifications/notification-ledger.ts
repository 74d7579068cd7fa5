import type { EventType } from '../../contract/index.js';
import type { StoredNotification } from '../ledger.js';

/** How a notification is out of the ordinary. It is kept all the same. */
export type Oddity =
  /** Over the limit: only its beginning was kept. */
  | 'cut'
  /** No JSON, or none that names its kind. */
  | 'malformed'
  /** It names another idInstance than the one whose address it came to. */
  | 'another_instance'
  /** A `typeWebhook` that is not known here. */
  | 'unknown_kind'
  /** What it would be about is missing. */
  | 'incomplete';

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
