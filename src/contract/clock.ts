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
