import type { EventType, MessageState, Secret } from '../../contract/index.js';
import type { ListFilter } from '../storage/pages.js';

export interface NewEndpoint {
  readonly id: string;
  readonly instance: string;
  /** Absent: events are only stored. */
  readonly url?: string;
  readonly events: readonly string[];
  readonly raw: boolean;
  readonly description?: string;
  readonly authorization?: Secret;
  readonly requestHash: string;
}

/** Null removes what it names. */
export interface EndpointChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly authorization?: Secret | null;
  readonly enabled?: boolean;
}

export interface EndpointView {
  readonly id: string;
  readonly instance: string;
  readonly url?: string;
  readonly events: readonly string[];
  readonly raw: boolean;
  readonly description?: string;
  /** Whether an Authorization header of its own is sent. */
  readonly hasAuthorization: boolean;
  readonly enabled: boolean;
  readonly disabledReason?: string;
  /** ISO UTC, as are all times here. */
  readonly disabledAt?: string;
  readonly createdAt: string;
  /** Until when former secrets sign as well. */
  readonly formerSecretsUntil?: string;
  /** Deliveries that have not ended; since when the oldest of them waits, and why its last try failed. */
  readonly waiting: number;
  readonly waitingSince?: string;
  readonly problem?: string;
  /** Deliveries that were set aside. */
  readonly failed: number;
}

/** An event for a target, counted as tried. */
export interface DueDelivery {
  /** Its place among all events. */
  readonly sequence: string;
  readonly endpointId: string;
  /** The endpoint; for a status callback scheme, host and port of the URL. */
  readonly target: string;
  readonly url: string;
  readonly isCallback: boolean;
  readonly raw: boolean;
  readonly authorization?: Secret;
  /** Those that sign now, the newest first. */
  readonly secrets: readonly Secret[];
  readonly instance: string;
  readonly type: EventType;
  /** ISO UTC. */
  readonly at: string;
  /** JSON. */
  readonly data: string;
  /** Where the notification's bytes are others than those of `data`. */
  readonly rawBody?: Uint8Array;
  readonly contentType?: string;
  readonly createdAtMs: number;
  /** With this one. */
  readonly tries: number;
}

export interface ClaimDeliveries {
  readonly nowMs: number;
  /** No other worker is given them for so long. */
  readonly leaseMs: number;
  /** At most so many under way for a target. */
  readonly perTarget: number;
  readonly limit: number;
  /** How many are under way here, by target. */
  readonly underWay: Readonly<Record<string, number>>;
}

export interface EventFilter extends Omit<ListFilter, 'limit'> {
  readonly type?: EventType;
  /** Those that happened from then on. */
  readonly sinceMs?: number;
  /** Without a cursor: no event, and the cursor of what comes next. */
  readonly fromEnd?: boolean;
  readonly limit: number;
}

export interface EventView {
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: string;
  readonly instance: string;
  readonly data: unknown;
}

export interface DeliveryView {
  readonly endpointId: string;
  readonly tries: number;
  readonly deliveredAt?: string;
  readonly givenUpAt?: string;
  /** Why the last try failed. */
  readonly problem?: string;
  /** While it is neither delivered nor set aside. */
  readonly nextTryAt?: string;
}

export interface CallbackView extends Omit<DeliveryView, 'endpointId'> {
  readonly state: MessageState;
  readonly at: string;
}

/** What a replay delivers again: one event, or those of a time. */
export type ReplayedEvents = { readonly sequence: string } | { readonly fromMs: number; readonly toMs: number };
