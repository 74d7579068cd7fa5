/** The one source of time for activities, ledger writes, the API and the gateway client, so that tests can lead it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}
