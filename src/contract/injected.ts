/** The only source of time for activities, ledger writes, the API and the gateway client. Tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

/** Lower and upper bound of how far another clock is ahead of ours, in milliseconds; negative when it is behind. */
export interface ClockOffset {
  readonly lowestMs: number;
  readonly highestMs: number;
}

/**
 * Named instants at which losing the process is most dangerous: something is done but not recorded yet. A process can
 * inject a function that is called at each of them; `everpost prove` kills the process there.
 */
export const FAULT_POINTS = [
  /** A send is due; nothing is written yet. */
  'claim.before',
  /** The intent is durable; nothing has left. */
  'claim.after',
  /** The request is on its way; no response yet. */
  'bytes.left',
  /** The gateway's response has arrived; the ledger does not have it. */
  'response.received',
  /** The ledger has the outcome; Temporal does not. */
  'outcome.stored',
  /** A notification is stored; the gateway has no 200 yet, and nothing is applied. */
  'receipt.stored',
] as const;

/** Fault points that only a campaign reaches. */
export const CAMPAIGN_FAULT_POINTS = [
  /** One of several POSTs in flight has its outcome; the ledger does not have it. */
  'rows.between',
  /** A run's history has become long: the run is about to continue as new. */
  'campaign.before_continue_as_new',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number] | (typeof CAMPAIGN_FAULT_POINTS)[number];

/** Called at each fault point. Absent in production. */
export type ReachedFaultPoint = (point: FaultPoint) => void;

/** In the Prometheus text format. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** The parts that a worker needs to do its work, in problems of `GET /readyz` and in metrics. */
export const WORKER_PARTS = ['temporal', 'ledger', 'clock', 'dispatcher'] as const;
export type WorkerPart = (typeof WORKER_PARTS)[number];

export interface ApiRequest {
  readonly method: string;
  /**
   * The path template as in /openapi.json, or `none`; never the path itself, which contains ids and arbitrary text.
   */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

/** How one attempt to deliver an event ended. */
export type DeliveryAttempt = 'delivered' | 'retried' | 'set_aside' | 'endpoint_disabled';

/** One line of a log: an event and its fields. It never contains a secret, a phone number or a message text. */
export interface LogEntry {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** A module logs here what an operator has to know. */
export type Log = (entry: LogEntry) => void;

/**
 * Encrypts secrets that the ledger stores, with EVERPOST_ENCRYPTION_KEYS; without keys they are stored as they are.
 * `place` names column and row, e.g. `event_endpoints.auth_header of ep_1`. What was sealed for one place cannot be
 * opened for another.
 */
export interface AtRest {
  seal(text: string, place: string): string;
  /** @throws AppError ENCRYPTION_KEY_MISSING */
  open(stored: string, place: string): string;
  /** What a text that the first key sealed begins with. Without keys, every text begins with it: empty. */
  readonly current: string;
}
