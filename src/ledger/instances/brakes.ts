import { sql } from 'kysely';
import { AppError, BRAKE_STATES, type BrakeState } from '../../contract/index.js';
import type { Db, Tx } from '../store.js';
import type { BrakeView, SeenBrake } from './instance-ledger.js';
import { seenState } from './seen-state.js';

/**
 * Those that are on, oldest first.
 * @param until  only what was put on before this place in the ledger's sequence
 */
export async function brakesOn(
  db: Db,
  instance: string,
  until: number = Number.MAX_SAFE_INTEGER,
): Promise<BrakeView[]> {
  const rows = await db
    .selectFrom('instance_brakes')
    .select(['state', 'since', 'witness'])
    .where('instance', '=', instance)
    .where('released_at', 'is', null)
    .where('seq', '<=', String(until))
    .orderBy('since')
    .orderBy('seq')
    .execute();
  return rows.map(({ state, since, witness }) => ({ state, since: since.toISOString(), witness }));
}

/** What somebody reads who waits for it. */
export function heldWords(instance: string, brakes: readonly BrakeView[]): string {
  return `instance ${brakes.map(({ state }) => state).join(', ')}; once it is authorized: everpost instance release ${instance}`;
}

/** See {@link InstanceLedger} B1 and B4. */
export async function putOn(db: Db, { instance, state, witness, atMs }: SeenBrake): Promise<void> {
  const at = new Date(atMs);
  await sql`/* put_on_brake */
    insert into instance_brakes (instance, state, since, witness)
    select ${instance}::text, ${state}::text, ${at}::timestamptz, ${witness}::text
    where not exists (
      select from instance_brakes b
      where b.instance = ${instance} and b.state = ${state} and b.released_at >= ${at}::timestamptz)
    on conflict (instance, state) where released_at is null do nothing`.execute(db);
}

/** See {@link InstanceLedger} B3. */
export async function release(
  tx: Tx,
  instance: string,
  {
    by,
    nowMs,
    only = BRAKE_STATES,
    until,
  }: { by: 'person' | 'authorized'; nowMs: number; only?: readonly BrakeState[]; until?: number },
): Promise<BrakeView[]> {
  const on = (await brakesOn(tx, instance, until)).filter(({ state }) => only.includes(state));
  if (on.length === 0) return [];
  const last = await seenState(tx, instance);
  if (last?.state !== 'authorized') throw notAuthorized(instance, last?.state);
  await tx
    .updateTable('instance_brakes')
    .set({ released_at: new Date(nowMs), released_by: by })
    .where('instance', '=', instance)
    .where('released_at', 'is', null)
    .where(
      'state',
      'in',
      on.map(({ state }) => state),
    )
    .execute();
  if ((await brakesOn(tx, instance)).length === 0) await sayReleased(tx, instance);
  return on;
}

/** Campaigns say so themselves once they look; until then they would say what is not so any more. */
async function sayReleased(tx: Tx, instance: string): Promise<void> {
  await sql`/* campaigns_released */
    update campaigns set version = version + 1, waiting_code = null, waiting_text = null, waiting_since = null
    where instance = ${instance} and waiting_code = 'INSTANCE_HELD'`.execute(tx);
}

function notAuthorized(instance: string, state: string | undefined): AppError {
  const seen = state === undefined ? 'nobody has seen its state' : `it was seen last as ${state}`;
  return new AppError(
    'INSTANCE_NOT_AUTHORIZED',
    `Instance ${instance} stays held: ${seen}. Let the account rest, reboot or link it, and release it once it is authorized.`,
  );
}
