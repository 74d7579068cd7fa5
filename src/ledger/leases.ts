import { sql } from 'kysely';
import { LedgerPart } from './storage/store.js';

/** Exclusive rights to run a background job. They use the database's clock, so that workers' clocks may differ. */
export class Leases extends LedgerPart {
  /** @returns false while another holder has the lease; its holder may extend it */
  async acquire(name: string, holder: string, forMs: number): Promise<boolean> {
    const rows = await this.database.rows(sql`
        insert into leases as lease (name, holder, held_until)
        values (${name}, ${holder}, clock_timestamp() + ${forMs}::float8 * interval '1 millisecond')
        on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
        where lease.holder = excluded.holder or lease.held_until <= clock_timestamp()
        returning name`);
    return rows.length > 0;
  }

  async release(name: string, holder: string): Promise<void> {
    await this.database.rows(sql`delete from leases where name = ${name} and holder = ${holder}`);
  }
}

const RENEWED_AFTER_MS = 5_000;

/** For a loop that runs far more often than its lease has to be renewed. */
export function heldLease(
  leases: Pick<Leases, 'acquire' | 'release'>,
  { name, holder, forMs }: { readonly name: string; readonly holder: string; readonly forMs: number },
) {
  let isHeld = false;
  let askedAtMs = -Infinity;
  return {
    /** Queries the ledger at most every five seconds, whether or not this holder has the lease. */
    async isHeld(): Promise<boolean> {
      const nowMs = performance.now();
      if (nowMs - askedAtMs < RENEWED_AFTER_MS) return isHeld;
      isHeld = await leases.acquire(name, holder, forMs);
      askedAtMs = nowMs;
      return isHeld;
    },
    /** Releases the lease; no effect if it is not held. */
    async release(): Promise<void> {
      if (isHeld) await leases.release(name, holder);
    },
  };
}
