/** When the search for an outcome ends without one: RECONCILE-6 and RECONCILE-7. */
import { describe, expect, it } from 'vitest';
import { EVIDENCE_WINDOW_MS } from '../../../src/contract/index.js';
import { MINUTE, NOW, useOwnCast } from '../cast.js';

const c = useOwnCast();

async function unresolved(text: string) {
  const { id, token } = await c.posting({ text });
  await c.record(token, { kind: 'unknown', code: 'LOST' });
  const attempt = await c.ledger.reconciling.attempt(id);
  if (attempt === undefined) throw new Error('nothing is open');
  await c.ledger.reconciling.markUnresolved(attempt, 'no_witness', NOW);
  return id;
}

describe('an unresolved message', () => {
  const LAST = NOW + EVIDENCE_WINDOW_MS - 1;

  it('is polled while evidence can still come, and no longer', async () => {
    const id = await unresolved('polled');
    expect(await c.ledger.reconciling.unresolved(c.instance, LAST, 1_000)).toContain(id);
    expect(await c.ledger.reconciling.unresolved(c.instance, LAST + 1, 1_000)).not.toContain(id);
  });

  it('blocks identical messages as long, and can still be resolved afterwards', async () => {
    const id = await unresolved('blocking');
    const other = await c.pending({ text: 'blocking', expiresAtMs: LAST + 60 * MINUTE });
    expect(await c.claim(other, NOW + 1)).toBeUndefined();
    await c.ledger.reconciling.endBlocking(100, LAST);
    expect(await c.claim(other, LAST)).toBeUndefined();
    expect(await c.ledger.reconciling.endBlocking(100, LAST + 1)).toBeGreaterThan(0);
    expect(await c.ledger.reconciling.endBlocking(100, LAST + 1)).toBe(0);
    expect(await c.claim(other, LAST + 2)).toBeDefined();
    expect(await c.state(id)).toBe('unresolved');
    const resolution = { outcome: 'accepted', witness: 'operator' } as const;
    expect(await c.ledger.reconciling.resolve(id, resolution, LAST + 3)).toMatchObject({ state: 'sent' });
  });
});

describe('a message in flight of an instance that was removed', () => {
  const LATER = NOW + 60 * MINUTE;

  it('becomes unresolved once its attempt is settled, and one of a configured instance does not', async () => {
    const { id } = await c.posting();
    expect(await c.ledger.reconciling.settleRemoved([c.instance], 100, LATER)).toBe(0);
    expect(await c.ledger.reconciling.settleRemoved([], 100, NOW)).toBe(0);
    await c.ledger.reconciling.settleRemoved([], 100, LATER);
    expect(await c.view(id)).toMatchObject({ state: 'unresolved', reason: 'instance_removed' });
  });

  it('can be resolved by an operator while it is sending, once its attempt is settled', async () => {
    const { id } = await c.posting();
    const resolution = { outcome: 'not_accepted', witness: 'operator' } as const;
    await expect(c.ledger.reconciling.resolve(id, resolution, NOW)).rejects.toMatchObject({
      code: 'RESOLVE_NOT_POSSIBLE',
    });
    expect(await c.ledger.reconciling.resolve(id, resolution, LATER)).toMatchObject({ state: 'pending' });
  });
});
