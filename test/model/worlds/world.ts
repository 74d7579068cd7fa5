/**
 * One world: an instance whose gateway has a FIFO queue, our sends, foreign senders, faults, and our readings of the
 * queue. It contains no rule. Times are whole milliseconds of true time, and the true time of an event is its place in
 * the ledger's sequence. A worker's own clock is true time plus `clock[worker]`.
 */
import type { ListedItem } from '../../../src/domain/index.js';

export const NEVER = 1e9;
/** From the claim until bytes may leave; of a POST; from the end of its connection until it is settled. */
export const DEADLINE_MS = 5_000;
export const TIMEOUT_MS = 15_000;
export const SETTLE_MS = 15_000;
/** The largest error of a worker's clock. */
export const SKEW_MS = 250;
/** A restart is announced within this time. */
export const ANNOUNCED_MS = 5_000;
/** A day of notifications before the world begins, without a missing one. */
export const NOTIFIED_BEFORE = 100;

export type Kind = 'text' | 'file' | 'status';

/** A message at the gateway, or one of ours that never arrived there. */
export interface Item {
  readonly id: string;
  kind: Kind;
  /** Messages with equal contents are equal. */
  content: number;
  chat: number;
  isOurs: boolean;
  /** When it entered the queue; NEVER for a lost request. */
  accepted: number;
  // Our messages:
  claimed: number;
  bytesLeft: number;
  worker: number;
  /** When its acceptance was stored, with its id; NEVER while the response is missing. */
  stored: number;
  /** When the loss of its connection was seen. */
  lossSeen: number;
  isInDoubt: boolean;
  /** Unknown, whatever the rates of the world. */
  isForced: boolean;
  // How a listing shows it:
  shownAs: Kind | 'unrecognised';
  isReworded: boolean;
  hasId: boolean;
  /** In another form of the chat id. */
  hasOtherChatForm: boolean;
  size: number;
  // Its notification:
  noticeRoll: number;
  lateRoll: number;
  isUnparsed: boolean;
  /** A file that is not ready lets others pass until then. */
  readyAt: number;
  // Computed by `play`:
  listed: ListedItem;
  left: number;
  how: '' | 'released' | 'cleared' | 'dropped';
  notified: number;
  backAt: number;
  /** Items that were queued when it was claimed. */
  depth: number;
}

export interface Reading {
  begun: number;
  /** When the gateway made the listing. */
  pictured: number;
  ended: number;
  worker: number;
  list: Item[];
}

export interface Restart {
  /** When it begins, changes the queue, and ends. */
  begins: number;
  at: number;
  ends: number;
  /** When it is first known, and when its end is known. */
  knownFrom: number;
  knownUntil: number;
  effect: 'shuffle' | 'drop' | 'keep' | 'shuffle and drop';
  salt: number;
}

export interface World {
  releaseMs: number;
  isBusy: boolean;
  foreignRate: number;
  clock: [number, number];
  gatewayClock: number;
  /** Listings are cut at this many items; `longest` is the longest listing before the world begins. */
  cut: number;
  cutKeeps: 'oldest' | 'youngest' | 'bytes' | 'holes';
  longest: number;
  items: Item[];
  readings: Reading[];
  clears: number[];
  restarts: Restart[];
  pauses: [number, number][];
  requeues: number[];
  /** The worker dies or freezes; another one has its readings, or lost them. */
  takeover: { at: number; backAt: number; isDurable: boolean; isFrozen: boolean } | null;
  receiverDown: [number, number] | null;
  notificationsOff: [number, number] | null;
  lossBurst: [number, number] | null;
  quietKind: Kind | null;
  noticeLoss: number;
  noticeLate: number;
  noticeRetry: number;
  isOrdered: boolean;
}

export function aWorld(of: Partial<World> = {}): World {
  return {
    releaseMs: 500,
    isBusy: false,
    foreignRate: 0,
    clock: [0, 0],
    gatewayClock: 0,
    cut: NEVER,
    cutKeeps: 'oldest',
    longest: NEVER,
    items: [],
    readings: [],
    clears: [],
    restarts: [],
    pauses: [],
    requeues: [],
    takeover: null,
    receiverDown: null,
    notificationsOff: null,
    lossBurst: null,
    quietKind: null,
    noticeLoss: 1,
    noticeLate: 0,
    noticeRetry: 0,
    isOrdered: true,
    ...of,
  };
}

let made = 0;
export function anItem(of: Pick<Item, 'accepted' | 'kind' | 'isOurs' | 'content'> & Partial<Item>): Item {
  return {
    id: `m${(made += 1)}`,
    chat: 0,
    claimed: NEVER,
    bytesLeft: NEVER,
    worker: 0,
    stored: NEVER,
    lossSeen: NEVER,
    isInDoubt: false,
    isForced: false,
    shownAs: of.kind,
    isReworded: false,
    hasId: true,
    hasOtherChatForm: false,
    size: 1,
    noticeRoll: 0,
    lateRoll: 0,
    isUnparsed: false,
    readyAt: 0,
    listed: { ids: [], kind: 'other', chat: '' },
    left: NEVER,
    how: '',
    notified: NEVER,
    backAt: 0,
    depth: 0,
    ...of,
  };
}

export function aReading(begun: number, pictured: number, ended: number, worker = 0): Reading {
  return { begun, pictured, ended, worker, list: [] };
}

/** When an attempt is settled, by the clock of the worker that claimed it. */
export function settledAt({ lossSeen, claimed }: Item): number {
  return lossSeen < NEVER ? lossSeen + SETTLE_MS : claimed + DEADLINE_MS + TIMEOUT_MS + SETTLE_MS;
}

export function chatOf({ chat }: Item): string {
  return `155500001${10 + chat}@c.us`;
}

/** The true fate of an attempt. `harmless`: it was accepted, and left the queue without being sent. */
export function truthOf({ accepted, how }: Item): 'absent' | 'doubled' | 'harmless' {
  if (accepted >= NEVER) return 'absent';
  return how === 'cleared' || how === 'dropped' ? 'harmless' : 'doubled';
}
