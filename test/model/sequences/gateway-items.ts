/** What the gateway of a sequence keeps. */
import type { OperationName } from '../../../src/contract/index.js';

export interface Item {
  readonly idMessage: string;
  readonly chatId: string;
  text: string;
  readonly acceptedAtMs: number;
  /** Items in the queue when it was accepted, with itself. */
  readonly place: number;
  /** Sent by a template, which the queue does not list. */
  readonly template?: string;
  /** What the phone shows in place of the text, after an edit. */
  edited?: string;
  /** When it left the queue for the phone. */
  sentAtMs?: number;
  /** When the queue was cleared while it was in it. */
  clearedAtMs?: number;
}

export interface Posted {
  readonly chatId: string;
  readonly text: string;
  readonly template?: string;
}

export interface Request {
  readonly atMs: number;
  readonly instance: string;
  readonly method: OperationName;
  /** Of a POST. */
  readonly posted?: Posted;
  /** Of an edit. */
  readonly edited?: string;
  readonly minutes?: number;
  /** Answered with 429. */
  readonly isBusy?: boolean;
}

export interface Account {
  state: string;
  readonly queue: Item[];
  lastReleaseMs: number;
  /** When the queue was last so long that no message may have room. */
  fullAtMs: number;
  /** All items that the gateway ever accepted. */
  readonly items: Item[];
}
