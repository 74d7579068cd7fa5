/**
 * The modelled world as plain data, so that it can be copied, compared and counted. A row's number is its index in
 * `rows`, an attempt's number its index in `attempts`. Time is counted in ticks: bytes leave in the tick of their
 * claim, a request is accepted at the latest in the next tick, an attempt can be reconciled one tick later.
 */
import type { Assumption, Rule } from './rules.js';

/** Longer than every wait of the decision code. */
export const TICK_MS = 100_000;
export const SETTLE_TICKS = 1;
export const RECONCILE_TICKS = SETTLE_TICKS + 1;

/** Two kinds that the queue lists, and one that it does not: the decisions make no other difference. */
export type ModelledKind = 'text' | 'file' | 'status';

/** The faults and the acts of others, with their number in a scenario. */
export type Fault =
  /**
   * The response is lost though the gateway accepts; the request is lost; the connection is cut and the request arrives
   * later.
   */
  | 'loseResponse'
  | 'loseRequest'
  | 'cutConnection'
  /** The worker dies; it stalls, another run takes over, and it continues; a commit happens without its response. */
  | 'crash'
  | 'freeze'
  | 'loseCommit'
  /** An operator clears the queue; the instance restarts and reorders its queue. */
  | 'clear'
  | 'restart'
  /** Another sender, through the API or on the phone. */
  | 'unmatchedOther'
  | 'unmatchedEqual'
  | 'phoneEqual'
  /** The queue shows a text of ours in other words. */
  | 'reword'
  /** Two notifications are exchanged; one is lost. */
  | 'swapNotices'
  | 'dropNotice'
  | 'edit'
  | 'cancel'
  /** The recipient says STOP. */
  | 'stop';

export interface PlannedRow {
  readonly text: string;
  readonly chat?: string;
  readonly kind?: ModelledKind;
  readonly onUnknown?: 'manual' | 'auto';
  /** Accepted before the first event, and still queued. */
  readonly isAccepted?: true;
  /** Accepted and sent before the first event, with a lost response. */
  readonly isLost?: true;
}

export interface Scenario {
  readonly name: string;
  readonly rows: readonly PlannedRow[];
  readonly faults: Partial<Record<Fault, number>>;
  /** The number of ticks. */
  readonly ticks: number;
  /** Notifications of messages and statuses are on. @default true */
  readonly notices?: boolean;
  /** Receipts that follow each message: 1 for sent, 2 for sent and delivered. @default 0 */
  readonly receipts?: 0 | 1 | 2;
  /** The account keeps a journal. @default false */
  readonly journal?: boolean;
  /** An unresolved message is reconciled again periodically, in the queue as well. @default false */
  readonly unresolvedPollsAgain?: boolean;
  /** Events may happen between a reading of the queue and the decision on it. @default false */
  readonly slowReadings?: boolean;
  /** How far the gateway's clock is ahead of ours, in ticks, known to half a tick. @default 0 */
  readonly gatewayAheadTicks?: number;
  /** An equal message of another sender that left the queue in tick 0, before any of ours. */
  readonly unmatchedBefore?: string;
}

export interface Row {
  text: string;
  chat: string;
  kind: ModelledKind;
  mayPresume: boolean;
  state: 'pending' | 'sending' | 'unknown' | 'unresolved' | 'accepted' | 'cancelled' | 'suppressed';
  /** The current attempt; -1 for none. */
  attempt: number;
  idMessage: string;
  /** Of receipts: 0 none, 1 sent, 2 delivered. */
  level: number;
  cancelRequested: boolean;
  /** Its chat is on the suppression list. */
  isUnwanted: boolean;
  /** A fault happened that may leave it without any witness. */
  mayBeUnresolved: boolean;
}

export interface Attempt {
  row: number;
  claimSequence: number;
  claimedAt: number;
  text: string;
  /** The response reached a worker that could record it. */
  responded: boolean;
}

/** One message at the gateway. `row` is the truth, which no part of the world can see; -1 is an unmatched message. */
export interface Item {
  id: string;
  row: number;
  text: string;
  chat: string;
  kind: ModelledKind;
  reworded: boolean;
  api: boolean;
  /** The tick in which it left the queue. */
  leftAt: number;
}

export interface Notice {
  about: 'message' | 'status';
  level: number;
  item: Item;
}

export interface Run {
  row: number;
  step: 'poll' | 'claim' | 'post' | 'await' | 'responded' | 'lost' | 'decide';
  attempt: number;
  idMessage: string;
  /** The text at the start of the run; a run that does not read the row would post it. */
  input: string;
  reading: { begunAt: number; items: Item[]; accounted: AccountedId[] } | null;
  /** A zombie: another run has taken over, and this one may never act again. */
  replaced: boolean;
}

export interface AccountedId {
  id: string;
  row: number;
  sequence: number;
}

export interface World {
  now: number;
  sequence: number;
  rows: Row[];
  attempts: Attempt[];
  ids: AccountedId[];
  parked: { id: string; level: number }[];
  /** Notifications of messages that the ledger has stored. */
  stored: Item[];
  runs: Run[];
  flights: { attempt: number; leftAt: number }[];
  queue: Item[];
  outbox: Notice[];
  phone: Item[];
  cleared: Item[];
  restartedAt: number;
  budget: Partial<Record<Fault, number>>;
  /** Violations that are final as soon as they occur. */
  violation: string;
}

/** All rules and assumptions except the given ones. */
export interface Conduct {
  readonly without?: Rule;
  readonly unless?: Assumption;
}

export function receiptsOf({ receipts = 0 }: Scenario): number {
  return receipts;
}

export function begin({ rows, faults, unmatchedBefore }: Scenario): World {
  const world: World = {
    now: 0,
    sequence: 0,
    rows: rows.map(rowOf),
    attempts: [],
    ids: [],
    parked: [],
    stored: [],
    runs: [],
    flights: [],
    queue: [],
    outbox: [],
    phone: [],
    cleared: [],
    restartedAt: -1,
    budget: { ...faults },
    violation: '',
  };
  if (unmatchedBefore !== undefined) world.phone.push(itemOf({ id: 'old', row: -1, text: unmatchedBefore, chat: 'c' }));
  for (const [number, { text, isAccepted, isLost }] of rows.entries()) {
    if (isAccepted) acceptAtOnce(world, number, true);
    else if (isLost) acceptAtOnce(world, number, false);
    if (!isAccepted) world.runs.push(newRun(number, text));
  }
  return world;
}

function rowOf({ text, chat = 'c', kind = 'text', onUnknown }: PlannedRow): Row {
  return {
    text,
    chat,
    kind,
    mayPresume: onUnknown === 'auto',
    state: 'pending',
    attempt: -1,
    idMessage: '',
    level: 0,
    cancelRequested: false,
    isUnwanted: false,
    mayBeUnresolved: false,
  };
}

function acceptAtOnce(world: World, number: number, responded: boolean): void {
  const row = world.rows[number]!;
  const { text, chat, kind } = row;
  const claimSequence = (world.sequence += 1);
  row.attempt = world.attempts.push({ row: number, claimSequence, claimedAt: 0, text, responded }) - 1;
  const item = itemOf({ id: idOfAttempt(row.attempt), row: number, text, chat, kind });
  if (responded) {
    Object.assign(row, { state: 'accepted', idMessage: item.id });
    world.ids.push({ id: item.id, row: number, sequence: (world.sequence += 1) });
    world.queue.push(item);
  } else {
    Object.assign(row, { state: 'unknown', mayBeUnresolved: true });
    world.phone.push({ ...item, leftAt: 0 });
  }
}

/** The gateway's id for an accepted attempt. */
export function idOfAttempt(attempt: number): string {
  return `m${attempt}`;
}

/** By default a text that was sent through the API and is still queued. */
export function itemOf(of: Pick<Item, 'id' | 'row' | 'text' | 'chat'> & Partial<Item>): Item {
  return { kind: 'text', reworded: false, api: true, leftAt: -1, ...of };
}

export function newRun(row: number, input: string): Run {
  return { row, step: 'poll', attempt: -1, idMessage: '', input, reading: null, replaced: false };
}

/** Items never change, so a copy may share them. */
export function copy(world: World): World {
  return {
    ...world,
    rows: world.rows.map((row) => ({ ...row })),
    attempts: world.attempts.map((attempt) => ({ ...attempt })),
    ids: [...world.ids],
    parked: [...world.parked],
    stored: [...world.stored],
    runs: world.runs.map((run) => ({ ...run })),
    flights: [...world.flights],
    queue: [...world.queue],
    outbox: [...world.outbox],
    phone: [...world.phone],
    cleared: [...world.cleared],
    budget: { ...world.budget },
  };
}
