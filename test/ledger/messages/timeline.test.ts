/** A message's timeline: in the order of our own times, with the time until which witnesses are asked. */
import { describe, expect, it } from 'vitest';
import { MINUTE, NOW, SECOND, useCast } from '../cast.js';

const cast = useCast();
const at = (ms: number): string => new Date(ms).toISOString();

describe('a timeline', () => {
  it('does not run backwards when the gateway’s whole seconds lie before our acceptance', async () => {
    const the = cast();
    const id = await the.pending();
    const { token } = await the.claimed(id, NOW + 600);
    await the.accept(token, 'A1', NOW + 700);
    await the.receive('A1', 'sent', { atMs: NOW, nowMs: NOW + 900 });
    await the.receive('A1', 'delivered', { atMs: NOW, nowMs: NOW + 950 });

    const view = await the.view(id);

    expect(view).toMatchObject({
      acceptedAt: at(NOW + 700),
      sentAt: at(NOW + 900),
      deliveredAt: at(NOW + 950),
      gatewaySentAt: at(NOW),
      gatewayDeliveredAt: at(NOW),
    });
    expect(view.evidence.map(({ what }) => what)).toEqual(['claimed', 'accepted', 'sent', 'delivered']);
  });

  it('sorts a late record by its own time', async () => {
    const the = cast();
    const id = await the.pending();
    const { token } = await the.claimed(id, NOW);
    await the.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' }, NOW + 2 * SECOND);
    await the.accept(token, 'A1', NOW + SECOND);
    const { evidence } = await the.view(id);
    const times = evidence.map((one) => one.at);
    expect(times).toEqual(times.toSorted());
    expect(evidence.map(({ what }) => what)).toEqual(['claimed', 'accepted', 'unknown']);
  });
});

describe('a message with an unknown outcome', () => {
  it.each([
    ['manual', 'unresolved', 90 * SECOND],
    ['auto', 'presume_or_unresolved', 10 * MINUTE],
  ] as const)(
    'shows until when witnesses are asked, and what follows, with onUnknown %s',
    async (onUnknown, then, ms) => {
      const the = cast();
      const { id, token } = await the.posting({ onUnknown });
      expect(await the.view(id)).not.toHaveProperty('unknown');
      await the.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });

      expect(await the.view(id)).toMatchObject({
        state: 'unknown',
        unknown: {
          since: at(NOW),
          witnessesUntil: at(NOW + 35 * SECOND + ms),
          atLatest: at(NOW + 35 * SECOND + 60 * MINUTE),
          // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
          then,
        },
      });
    },
  );
});
