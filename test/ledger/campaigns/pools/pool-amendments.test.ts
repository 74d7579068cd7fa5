/** Amendments of a campaign over several accounts: each account posts its edits at its own rate. */
import { expect, it } from 'vitest';
import { useLedger } from '../../../support/ledger/ledger.js';
import { accepted } from '../../dispatch/cast.js';
import { NOW, SECOND } from '../../cast.js';
import { PoolCast } from './pool-cast.js';

const ledger = useLedger();
const TEXT = 'Dear {{name}}';

/** Six messages of each account, whose windows for edits close in three seconds. */
async function sent() {
  const pool = await new PoolCast(ledger).begun(12);
  await pool.read();
  let closesAtMs = 0;
  for (const [place, instance] of pool.accounts.entries()) {
    for (const due of await pool.claimAt(place)) {
      await pool.dispatchers[place]!.write(accepted(due));
      const status = { kind: 'status', idMessage: `G-${due.token}`, status: 'sent', atMs: NOW } as const;
      await ledger.receipts.apply(instance, status, NOW);
      closesAtMs = Date.parse((await ledger.views.message(due.messageId, NOW))?.editableUntil ?? '');
    }
  }
  return { pool, nowMs: closesAtMs - 3 * SECOND };
}

it('plans and promises what all of its accounts can edit in time (AMEND-7)', async () => {
  const { pool, nowMs } = await sent();
  const at = { nowMs, spacingMs: () => SECOND };
  expect(await ledger.amendments.plan(pool.id, TEXT, at)).toMatchObject({ editable: 12, reachable: 6, seconds: 3 });
  await ledger.amendments.begin(pool.id, { text: TEXT }, at);
  await ledger.amendments.openEdits(pool.id, nowMs);
  const [newest] = await ledger.amendments.list(pool.id, at);
  expect(newest?.expected).toEqual({ edited: 6, missed: 6, promised: 6 });
});

it('counts the rate of each account, and none of one that is not configured', async () => {
  const { pool, nowMs } = await sent();
  const plan = (spacingMs: (instance: string) => number | undefined) =>
    ledger.amendments.plan(pool.id, TEXT, { nowMs, spacingMs });
  const [a] = pool.accounts;
  expect(await plan((instance) => (instance === a ? SECOND : 1.5 * SECOND))).toMatchObject({ reachable: 5 });
  expect(await plan((instance) => (instance === a ? SECOND : undefined))).toMatchObject({ reachable: 3 });
});
