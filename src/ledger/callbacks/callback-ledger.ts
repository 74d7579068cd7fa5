import type { MessageId, MessageState } from '../../contract/index.js';

/** One change of state that a message's `statusCallback` is to be told. */
export interface DueCallback {
  /** Its place among all; the same change has the same one however often it is told. */
  readonly sequence: string;
  readonly messageId: MessageId;
  readonly url: string;
  /** Scheme, host and port of the URL. */
  readonly origin: string;
  readonly version: number;
  readonly state: MessageState;
  readonly reason?: string;
  readonly idMessage?: string;
  readonly reference?: string;
  readonly instance: string;
  /** ISO UTC: when the state was reached. */
  readonly at: string;
  readonly createdAtMs: number;
  /** With this one. */
  readonly tries: number;
}

export interface ClaimCallbacks {
  readonly nowMs: number;
  /** No other worker is given them for so long. */
  readonly leaseMs: number;
  /** The limit for each origin, so that one that hangs does not delay the others. */
  readonly perOrigin: number;
  /** Origins that are busy. */
  readonly besides: readonly string[];
}

export interface CallbackView {
  readonly state: MessageState;
  readonly at: string;
  readonly tries: number;
  readonly deliveredAt?: string;
  readonly givenUpAt?: string;
  /** What the last try failed of. */
  readonly problem?: string;
  /** While it is neither delivered nor given up. */
  readonly nextTryAt?: string;
}
