/** Announced where an instance's name would be: events were recorded. No instance has this name. */
export const EVENTS_WAKE = '* events';

/**
 * Announces between the processes of a ledger that something may be due for an instance.
 *
 * WAKE-1 Write, then announce: what an announcement is about is committed before it, so that a dispatcher that gets
 *    it finds the rows. Inside the transaction that writes, announcements would make all such transactions commit one after the
 *    other.
 * WAKE-2 An announcement may be lost, or delivered more than once; it holds nothing but the instance's name. A sweeper finds
 *    what was lost.
 */
export interface WakeLedger {
  /** Never throws, and nothing waits for it. Announcements that come together go out together. */
  announce(instance: string): void;
  /**
   * Calls the handler with each instance that is announced, in this process or in another one, until it is closed. A
   * connection that is lost is made again.
   */
  listen(handler: WakeHandler): Listening;
}

export type WakeHandler = (instance: string) => void;

export interface Listening {
  close(): void;
}
