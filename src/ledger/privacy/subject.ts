import type { Tx } from '../store.js';

/** The recipient that an erasure is about. */
export interface Subject {
  readonly erasureId: string;
  /** Every chat id under which the network may know the recipient. */
  readonly chatIds: readonly string[];
  /** Stands in rows in place of each of the chat ids. */
  readonly aliases: readonly string[];
  /** As PostgreSQL and JavaScript read it. */
  readonly pattern: string;
}

/** Adds to the receipt, in the transaction that erased the rows. */
export type RecordErased = (tx: Tx, table: string, count: number) => Promise<void>;
