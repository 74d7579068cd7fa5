import { AppError } from '../../../contract/index.js';
import { ledgerError } from '../../storage/database-error.js';
import { retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { claimDue } from './claim-due.js';
import {
  fillsWindow,
  type DueAttempt,
  type DueTyping,
  type Outcome,
  type Tick,
  type TickResult,
} from '../dispatch-ledger.js';
import { lockDispatchers } from './lock-dispatchers.js';
import { pauseJittered } from '../streams/limits.js';
import { nextDue } from './next-due.js';
import { openStreams } from '../streams/open-streams.js';
import { setAside } from './set-aside.js';
import { writeOutcome, writeOutcomes } from './tick-outcomes.js';

/** One transaction for all; if it fails, one for each. */
export async function runTick(store: Store, tick: Tick): Promise<TickResult> {
  try {
    return await retryingTransaction(store, (tx) => inTransaction(tx, tick));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return eachByItself(store, tick);
  }
}

const NOTHING: TickResult = {
  claimed: [],
  typing: [],
  lost: [],
  nextDueMs: new Map(),
  extraRoom: new Map(),
  again: [],
  unwritten: new Map(),
  failed: new Map(),
};

/**
 * The lock order: dispatchers, streams, campaigns (only against a change of state; skipped if locked), messages,
 * attempts, ids, caps.
 */
async function inTransaction(tx: Tx, tick: Tick): Promise<TickResult> {
  const { wants, outcomes, nowMs } = tick;
  const { ours, lost, busy, passed } = await lockDispatchers(tx, wants, nowMs);
  await writeOutcomes(tx, outcomes);
  if (passed.length > 0) await openStreams(tx, passed, nowMs);
  const { claimed, jittered, refused, typing } = await claimDue(tx, ours, nowMs);
  await pauseJittered(tx, jittered, nowMs);
  const again = await setAside(tx, refused, ours, nowMs);
  const got = new Map<string, number>();
  for (const { instance } of [...claimed, ...typing]) got.set(instance, (got.get(instance) ?? 0) + 1);
  const short = ours.filter((want) => !fillsWindow(want, got.get(want.shift.instance) ?? 0));
  const due = await nextDue(
    tx,
    short.map(({ shift, delayed = [] }) => ({ instance: shift.instance, delayed })),
    nowMs,
  );
  const nextDueMs = new Map([...due].map(([instance, { atMs }]) => [instance, atMs]));
  for (const instance of busy) nextDueMs.set(instance, nowMs);
  const extraRoom = new Map([...due].map(([instance, next]) => [instance, next.extraRoom]));
  return { ...NOTHING, claimed, typing, lost, nextDueMs, extraRoom, again };
}

async function eachByItself(store: Store, tick: Tick): Promise<TickResult> {
  const unwritten = await writeEach(store, tick.outcomes);
  const claimed: DueAttempt[] = [];
  const typing: DueTyping[] = [];
  const lost: string[] = [];
  const nextDueMs = new Map<string, number>();
  const extraRoom = new Map<string, number>();
  const again: string[] = [];
  const failed = new Map<string, AppError>();
  for (const want of tick.wants) {
    try {
      const one = await retryingTransaction(store, (tx) => inTransaction(tx, { ...tick, wants: [want], outcomes: [] }));
      claimed.push(...one.claimed);
      typing.push(...one.typing);
      lost.push(...one.lost);
      again.push(...one.again);
      for (const [instance, atMs] of one.nextDueMs) nextDueMs.set(instance, atMs);
      for (const [instance, room] of one.extraRoom) extraRoom.set(instance, room);
    } catch (error) {
      failed.set(want.shift.instance, ledgerError(error));
      nextDueMs.set(want.shift.instance, tick.nowMs);
    }
  }
  return { claimed, typing, lost, nextDueMs, extraRoom, again, unwritten, failed };
}

/** @returns outcomes that could not be recorded */
async function writeEach(store: Store, outcomes: readonly Outcome[]): Promise<Map<string, AppError>> {
  const unwritten = new Map<string, AppError>();
  for (const one of outcomes) {
    try {
      await retryingTransaction(store, (tx) => writeOutcome(tx, one));
    } catch (error) {
      unwritten.set(one.token, ledgerError(error));
    }
  }
  return unwritten;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'LEDGER_UNAVAILABLE';
}
