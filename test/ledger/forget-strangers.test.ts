import { describe, expect, it } from 'vitest';
import { MINUTE, NOW, useCast, type Cast } from './cast.js';

const cast = useCast();
const DAY = 24 * 60 * MINUTE;
const NOTHING = { sightings: 0, receipts: 0 };

/** A message that somebody wrote on the phone: its notification and its receipt. */
async function aStranger({ ledger, instance }: Cast, idMessage: string, nowMs = NOW): Promise<void> {
  await ledger.reconciling.keepSighting(instance, idMessage, { idMessage }, nowMs);
  const receipt = { kind: 'status', idMessage, status: 'delivered', atMs: nowMs } as const;
  await ledger.receipts.apply(instance, receipt, nowMs);
}

describe('what is kept of messages that are nobody’s', () => {
  it('is forgotten when it came before the time that is given', async () => {
    const the = cast();
    await aStranger(the, 'OLD');
    await aStranger(the, 'NEW', NOW + 2 * DAY);

    expect(await the.ledger.reconciling.forgetStrangers(NOW + DAY)).toEqual({ sightings: 1, receipts: 1 });
    expect(await the.ledger.reconciling.forgetStrangers(NOW + DAY)).toEqual(NOTHING);
    expect(await the.ledger.reconciling.forgetStrangers(NOW + 3 * DAY)).toEqual({ sightings: 1, receipts: 1 });
  });

  it.each(['posting', 'unknown', 'held'] as const)(
    'stays, however old, while a message that was claimed before is %s: it may be what became of that one',
    async (state) => {
      const the = cast();
      const { reconciling } = the.ledger;
      const id = await the.planned();
      const { token } = await the.claimed(id);
      await aStranger(the, 'PERHAPS-OURS');
      if (state !== 'posting') await the.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
      const question = await reconciling.question(id);
      if (state === 'held' && question !== undefined) await reconciling.hold(question, 'no_witness', NOW);
      expect(await the.state(id)).toBe(state);

      expect(await reconciling.forgetStrangers(NOW + DAY)).toEqual(NOTHING);

      await the.record(token, { kind: 'accepted', idMessage: 'OURS', httpStatus: 200 });
      expect(await reconciling.forgetStrangers(NOW + DAY)).toEqual({ sightings: 1, receipts: 1 });
    },
  );

  it('is forgotten while a message is open that was claimed only afterwards', async () => {
    const the = cast();
    await aStranger(the, 'BEFORE');
    await the.claimed(await the.planned());

    expect(await the.ledger.reconciling.forgetStrangers(NOW + DAY)).toEqual({ sightings: 1, receipts: 1 });
  });
});
