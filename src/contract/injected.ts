/** The one source of time for activities, ledger writes, the API and the gateway client, so that tests can lead it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

/**
 * How far another clock is ahead of ours, in milliseconds, negative when it is behind: no less and no more than this.
 */
export interface ClockOffset {
  readonly lowestMs: number;
  readonly highestMs: number;
}

/**
 * The instants between "done" and "written down" at which losing the process matters most, by name. A composer of a
 * process may inject a function that is called when one is reached; `everpost prove` ends the process there, as if the
 * power failed.
 */
export const FAULT_POINTS = [
  /** A send's turn has come; nothing is written yet. */
  'claim.before',
  /** The intent is durable; nothing has left. */
  'claim.after',
  /** The request is on its way; nothing has come back. */
  'bytes.left',
  /** The gateway's response is here; the ledger does not know. */
  'response.received',
  /** The ledger knows; Temporal does not. */
  'outcome.stored',
  /** A notification is stored; the gateway has no 200 yet, and nothing is applied. */
  'receipt.stored',
] as const;

/** Those that only a campaign comes to. */
export const CAMPAIGN_FAULT_POINTS = [
  /** One of several POSTs that are in flight has its outcome, and the ledger does not know. */
  'rows.between',
  /** A run's history has become long: its successor is asked for in the next moment. */
  'campaign.before_continue_as_new',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number] | (typeof CAMPAIGN_FAULT_POINTS)[number];

/** Called at each fault point. Absent in production. */
export type ReachedFaultPoint = (point: FaultPoint) => void;

/** Counts on their way from the modules that count to `GET /metrics`. */

/** As Prometheus reads it. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

export interface ApiRequest {
  readonly method: string;
  /** As /openapi.json writes it, or `none`: never the path itself, which holds ids and any text. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/** How one attempt to deliver an event ended. */
export type DeliveryAttempt = 'delivered' | 'retried' | 'set_aside' | 'endpoint_disabled';
