import type { MessageState, PauseReason, Priority } from '../contract/index.js';

/** So many rows of a kind that waits are counted, and no more: reading takes the same time, however many there are. */
export const MOST_COUNTED = 10_000;

interface OfInstance {
  readonly instance: string;
}

/** What the ledger knows of its instances at one moment, as metrics show it. Ages are in milliseconds. */
export interface LedgerReadings {
  /** Of all messages there ever were: how many entered `state` from `from`; from none where they began in it. */
  readonly transitions: readonly (OfInstance & {
    readonly from?: MessageState;
    readonly state: MessageState;
    readonly messages: number;
  })[];
  readonly queues: readonly (OfInstance & { readonly depth: number; readonly ageMs: number })[];
  /** The gateway's word for the account, as seen last. */
  readonly accounts: readonly (OfInstance & { readonly state: string; readonly ageMs: number })[];
  readonly pauses: readonly (OfInstance & { readonly reason: PauseReason })[];
  /** Of each priority and source the message that could be claimed now and has been due for longest. */
  readonly due: readonly (OfInstance & {
    readonly priority: Priority;
    readonly source: 'single' | 'campaign';
    readonly ageMs: number;
  })[];
  /** Stored and not applied; and not applicable, which waits for a replay. */
  readonly notifications: readonly (OfInstance & { readonly waiting: number; readonly setAside: number })[];
  readonly events: readonly (OfInstance & {
    readonly waiting: number;
    readonly oldestAgeMs: number;
    /** Deliveries that were given up. */
    readonly setAside: number;
    readonly disabledEndpoints: number;
  })[];
  /** Messages by HTTP whose workflow is not started yet, whichever instance. */
  readonly runStarts: { readonly waiting: number; readonly oldestAgeMs: number };
}
