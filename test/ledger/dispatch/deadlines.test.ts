import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/index.js';
import { aLedger } from '../../support/ledger/ledger.js';
import { tickAt } from '../../support/shift.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { DispatchCast, other } from './cast.js';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());

async function cast(): Promise<DispatchCast> {
  const c = new DispatchCast(ledger);
  await c.begin();
  return c;
}

it('gives the claims of each instance its own deadlines', async () => {
  const [c, slow] = [await cast(), await cast()];
  const ids = [await c.take(), await slow.take()];
  const late = { postingDeadlineMs: NOW + 6 * SECOND, reconcileAfterMs: NOW + MINUTE };

  const { claimed } = await tickAt(ledger.dispatch, NOW, { wants: [c.want(), slow.want(late)] });

  const deadlines = new Map(claimed.map((due) => [due.messageId, due.postingDeadlineMs]));
  expect(ids.map((id) => deadlines.get(id))).toEqual([NOW + 5 * SECOND, NOW + 6 * SECOND]);
  await c.write(...claimed.map((due) => other(due, { kind: 'unknown', code: 'LOST' })));
  const attempts = await Promise.all(ids.map((id) => ledger.reconciling.attempt(id)));
  expect(attempts.map((attempt) => attempt?.reconcileAfterMs)).toEqual([NOW + 35 * SECOND, NOW + MINUTE]);
});
