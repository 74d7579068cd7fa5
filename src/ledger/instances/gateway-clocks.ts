/**
 * How far each instance's gateway clock is from ours, for all processes that share the ledger.
 *
 * CLOCK-1 An offset is an interval. Each response gives one; the known offset is their intersection.
 * CLOCK-2 Clocks drift, so a measured interval widens with its age.
 * CLOCK-3 If a new response contradicts the known offset, one of the clocks was set: only the new interval counts.
 * CLOCK-4 A caller compares with the end of the interval that is safe for its decision, and names it.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ClockOffset } from '../../contract/index.js';
import type { GatewayClocksTable } from '../storage/schema.js';
import { groupedWrites } from '../storage/grouped-writes.js';
import { LedgerPart, type Tx } from '../storage/store.js';

/** Upper bound of the drift between two uncorrected clocks, which is tens of parts in a million. */
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

interface Sample extends Measured {
  readonly instance: string;
}

export class GatewayClocks extends LedgerPart {
  readonly #narrow = groupedWrites((group: readonly Sample[]) =>
    this.database.transaction((tx) => narrowTogether(tx, group)),
  );

  /**
   * Combines the offset that one response gives with the known offset.
   * @returns the resulting offset
   */
  async narrow(instance: string, sample: ClockOffset, nowMs: number): Promise<ClockOffset> {
    return this.#narrow({ instance, offset: sample, atMs: nowMs });
  }

  /** The offset as known now; it widens with its age. Undefined before the first response. */
  async offset(instance: string, nowMs: number): Promise<ClockOffset | undefined> {
    const row = await this.database.row(sql<ClockRow>`select * from gateway_clocks where instance = ${instance}`);
    if (row === undefined) return undefined;
    const { offset, atMs } = measuredOf(row);
    return widenedOffset(offset, nowMs - atMs);
  }
}

/** @returns for each sample the offset of its instance, once the whole group has been added */
async function narrowTogether(tx: Tx, group: readonly Sample[]): Promise<ClockOffset[]> {
  // In one order, so that two processes do not wait for each other.
  const inOrder = group.toSorted((one, other) => (one.instance < other.instance ? -1 : 1));
  // A missing row is created first, so that two processes do not both find none.
  await insertInto(tx, new Map(inOrder.map((sample) => [sample.instance, sample])), sql`do nothing`);
  const { rows } = await sql<ClockRow>`
    select * from gateway_clocks where instance = any(${group.map(({ instance }) => instance)}::text[])
    order by instance for update`.execute(tx);
  const known = new Map(rows.map((row) => [row.instance, measuredOf(row)]));
  for (const sample of group) {
    // CLOCK-1 to CLOCK-3, at the later of the two moments.
    const before = known.get(sample.instance) ?? sample;
    const atMs = Math.max(before.atMs, sample.atMs);
    const then = widenedOffset(sample.offset, atMs - sample.atMs);
    const offset = commonOffset(widenedOffset(before.offset, atMs - before.atMs), then) ?? then;
    known.set(sample.instance, { offset, atMs });
  }
  await insertInto(
    tx,
    known,
    sql`do update set measured_at = excluded.measured_at,
    lowest_offset_ms = excluded.lowest_offset_ms, highest_offset_ms = excluded.highest_offset_ms`,
  );
  return group.map(({ instance, offset }) => known.get(instance)?.offset ?? offset);
}

/** Whole milliseconds, rounded outward. */
async function insertInto(tx: Tx, clocks: ReadonlyMap<string, Measured>, onConflict: RawBuilder<unknown>) {
  const rows = [...clocks].map(
    ([instance, { offset, atMs }]) =>
      sql`(${instance}, ${new Date(atMs)}, ${Math.floor(offset.lowestMs)}, ${Math.ceil(offset.highestMs)})`,
  );
  await sql`
    insert into gateway_clocks (instance, measured_at, lowest_offset_ms, highest_offset_ms)
    values ${sql.join(rows)} on conflict (instance) ${onConflict}`.execute(tx);
}

type ClockRow = Selectable<GatewayClocksTable>;

function measuredOf({ lowest_offset_ms, highest_offset_ms, measured_at }: ClockRow): Measured {
  return {
    offset: { lowestMs: Number(lowest_offset_ms), highestMs: Number(highest_offset_ms) },
    atMs: measured_at.getTime(),
  };
}
