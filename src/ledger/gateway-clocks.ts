/**
 * How far each instance's gateway clock is from ours, for all processes that share the ledger.
 *
 * CLOCK-1 An offset is an interval. Each response gives one; what is known is their intersection.
 * CLOCK-2 Clocks drift: what was measured gets wider with its age, so that it never claims more than it knows.
 * CLOCK-3 Where a new response contradicts what is known, one of the two clocks was set: only the new one counts.
 * CLOCK-4 A caller compares with the end of the interval that is safe for its question, and says which.
 */
import type { ClockOffset } from '../contract/index.js';
import type { Store, Tx } from './store.js';

/** Two clocks that nothing corrects drift apart by tens of parts in a million. This is an upper bound. */
const DRIFT_PER_MS = 200 / 1_000_000;

/** CLOCK-2. @param ageMs  since it was measured; the distance counts, since processes may report out of order */
export function widenedOffset({ lowestMs, highestMs }: ClockOffset, ageMs: number): ClockOffset {
  const driftMs = driftOf(ageMs);
  return { lowestMs: lowestMs - driftMs, highestMs: highestMs + driftMs };
}

export function driftOf(ageMs: number): number {
  return Math.ceil(Math.abs(ageMs) * DRIFT_PER_MS);
}

/** CLOCK-1. @returns undefined when they contradict each other */
export function commonOffset(one: ClockOffset, other: ClockOffset): ClockOffset | undefined {
  const lowestMs = Math.max(one.lowestMs, other.lowestMs);
  const highestMs = Math.min(one.highestMs, other.highestMs);
  return lowestMs <= highestMs ? { lowestMs, highestMs } : undefined;
}

interface Measured {
  readonly offset: ClockOffset;
  readonly atMs: number;
}

export class GatewayClocks {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Adds what one response says about the gateway's clock to what is known.
   * @returns what is known now
   */
  async narrow(instance: string, sample: ClockOffset, nowMs: number): Promise<ClockOffset> {
    return this.#store.transaction(async (tx) => {
      const measured = { offset: sample, atMs: nowMs };
      const inserted = await tx
        .insertInto('gateway_clocks')
        .values({ instance, ...columnsOf(measured) })
        .onConflict((conflict) => conflict.column('instance').doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 1n) return sample;
      const narrowed = together(await locked(tx, instance), measured);
      await tx.updateTable('gateway_clocks').set(columnsOf(narrowed)).where('instance', '=', instance).execute();
      return narrowed.offset;
    });
  }

  /** As far as it is known at this moment: it gets wider with its age. Undefined before the first response. */
  async offset(instance: string, nowMs: number): Promise<ClockOffset | undefined> {
    const row = await this.#store.run((db) =>
      db.selectFrom('gateway_clocks').selectAll().where('instance', '=', instance).executeTakeFirst(),
    );
    if (row === undefined) return undefined;
    const { offset, atMs } = measuredOf(row);
    return widenedOffset(offset, nowMs - atMs);
  }
}

/** CLOCK-1 to CLOCK-3, at the later of the two moments. */
function together(known: Measured, sample: Measured): Measured {
  const atMs = Math.max(known.atMs, sample.atMs);
  const then = widenedOffset(sample.offset, atMs - sample.atMs);
  return { offset: commonOffset(widenedOffset(known.offset, atMs - known.atMs), then) ?? then, atMs };
}

async function locked(tx: Tx, instance: string): Promise<Measured> {
  const row = await tx
    .selectFrom('gateway_clocks')
    .selectAll()
    .where('instance', '=', instance)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return measuredOf(row);
}

interface ClockRow {
  readonly lowest_offset_ms: string | number | bigint;
  readonly highest_offset_ms: string | number | bigint;
  readonly measured_at: Date;
}

function measuredOf({ lowest_offset_ms, highest_offset_ms, measured_at }: ClockRow): Measured {
  return {
    offset: { lowestMs: Number(lowest_offset_ms), highestMs: Number(highest_offset_ms) },
    atMs: measured_at.getTime(),
  };
}

/** Whole milliseconds, rounded outward. */
function columnsOf({ offset: { lowestMs, highestMs }, atMs }: Measured) {
  return {
    lowest_offset_ms: Math.floor(lowestMs),
    highest_offset_ms: Math.ceil(highestMs),
    measured_at: new Date(atMs),
  };
}
