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
const ITEM = {
  id: '',
  kind: 'text' as Kind,
  /** Messages with equal contents are equal. */
  content: 0,
  chat: 0,
  isOurs: false,
  /** When it entered the queue; NEVER for a lost request. */
  accepted: NEVER,
  // Our messages:
  claimed: NEVER,
  bytesLeft: NEVER,
  worker: 0,
  /** When its acceptance was stored, with its id; NEVER while the response is missing. */
  stored: NEVER,
  /** When the loss of its connection was seen. */
  lossSeen: NEVER,
  isInDoubt: false,
  /** Unknown, whatever the rates of the world. */
  isForced: false,
  // How a listing shows it:
  shownAs: 'text' as Kind | 'unrecognised',
  isReworded: false,
  hasId: true,
  /** In another form of the chat id. */
  hasOtherChatForm: false,
  size: 1,
  // Its notification:
  noticeRoll: 0,
  lateRoll: 0,
  isUnparsed: false,
  /** A file that is not ready lets others pass until then. */
  readyAt: 0,
  // Computed by `play`:
  listed: { ids: [], kind: 'other', chat: '' } as ListedItem,
  left: NEVER,
  how: '' as '' | 'released' | 'cleared' | 'dropped',
  notified: NEVER,
  backAt: 0,
  /** Items that were queued when it was claimed. */
  depth: 0,
};
export type Item = typeof ITEM;

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

/** One in which nothing happens. */
function anEmptyWorld() {
  return {
    releaseMs: 500,
    isBusy: false,
    foreignRate: 0,
    clock: [0, 0] as [number, number],
    gatewayClock: 0,
    /** Listings are cut at this many items; `longest` is the longest listing before the world begins. */
    cut: NEVER,
    cutKeeps: 'oldest' as 'oldest' | 'youngest' | 'bytes' | 'holes',
    longest: NEVER,
    items: [] as Item[],
    readings: [] as Reading[],
    clears: [] as number[],
    restarts: [] as Restart[],
    pauses: [] as [number, number][],
    requeues: [] as number[],
    /** The worker dies or freezes; another one has its readings, or lost them. */
    takeover: null as { at: number; backAt: number; isDurable: boolean; isFrozen: boolean } | null,
    receiverDown: null as [number, number] | null,
    notificationsOff: null as [number, number] | null,
    lossBurst: null as [number, number] | null,
    quietKind: null as Kind | null,
    noticeLoss: 1,
    noticeLate: 0,
    noticeRetry: 0,
    isOrdered: true,
  };
}
export type World = ReturnType<typeof anEmptyWorld>;

export function aWorld(of: Partial<World> = {}): World {
  return { ...anEmptyWorld(), ...of };
}

let made = 0;
export function anItem(of: Pick<Item, 'accepted' | 'kind' | 'isOurs' | 'content'> & Partial<Item>): Item {
  return { ...ITEM, id: `m${(made += 1)}`, shownAs: of.kind, ...of };
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
