import { describe, expect, it } from 'vitest';
import { CampaignCast } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND, useCast, type Cast } from '../cast.js';

const at = (ms: number): string => new Date(ms).toISOString();

describe('the reason why a pending message waits', () => {
  const aCast = useCast();

  async function refused(cast: Cast, id: Parameters<Cast['claim']>[0], code: string, nowMs: number, retryAfterMs = 0) {
    const { token } = await cast.claimed(id, nowMs);
    const text = `said at ${nowMs - NOW}`;
    await cast.record(token, { kind: 'not_accepted', code, text, ...(retryAfterMs > 0 && { retryAfterMs }) }, nowMs);
  }

  it('is absent before its first attempt', async () => {
    const cast = aCast();
    expect((await cast.view(await cast.pending())).waiting).toBeUndefined();
  });

  it('is the reason of its last attempt until the next try, when nothing else blocks it', async () => {
    const cast = aCast();
    const id = await cast.pending();
    await refused(cast, id, 'GATEWAY_UNAUTHORIZED', NOW);
    await refused(cast, id, 'GATEWAY_UNREACHABLE', NOW + MINUTE, SECOND);
    await refused(cast, id, 'GATEWAY_UNREACHABLE', NOW + 2 * MINUTE, 2 * SECOND);
    const view = await cast.view(id);
    expect(view.waiting).toEqual({
      code: 'GATEWAY_UNREACHABLE',
      text: `said at ${2 * MINUTE}`,
      since: at(NOW + MINUTE),
      until: at(NOW + 2 * MINUTE + 2 * SECOND),
    });
    expect(view.attempts.at(-1)?.retryAt).toBe(at(NOW + 2 * MINUTE + 2 * SECOND));
  });

  it('never names a try after its expiry', async () => {
    const cast = aCast();
    const id = await cast.pending({ expiresAtMs: NOW + MINUTE });
    await refused(cast, id, 'GATEWAY_BUSY', NOW, 10 * MINUTE);
    expect((await cast.view(id)).waiting?.until).toBe(at(NOW + MINUTE));
  });

  it('is its identical message while the outcome of that one is unknown', async () => {
    const cast = aCast();
    const first = await cast.pending({ text: 'the same', nowMs: NOW - 1 });
    const second = await cast.pending({ text: 'the same' });
    const { token } = await cast.claimed(first, NOW + SECOND);
    expect((await cast.view(second)).waiting).toEqual({
      code: 'MESSAGE_CLAIMED_ELSEWHERE',
      since: at(NOW + SECOND),
      identical: first,
    });
    const { items } = await cast.ledger.views.messages({ instance: cast.instance }, NOW + SECOND);
    expect(items.map(({ id, waiting }) => [id, waiting?.code])).toEqual([
      [second, 'MESSAGE_CLAIMED_ELSEWHERE'],
      [first, undefined],
    ]);
    await cast.accept(token, 'BAE9');
    expect((await cast.view(second)).waiting).toBeUndefined();
  });

  it('is its campaign while that is paused, with the command that resumes it', async () => {
    const cast = aCast();
    const campaign = await new CampaignCast(cast.ledger).running(2);
    const [claimed] = await campaign.claim(1);
    const id = claimed?.messageId ?? ('' as never);
    await cast.ledger.dispatch.recordOutcomes([
      { token: claimed?.token ?? '', outcome: { kind: 'not_accepted', code: 'GATEWAY_BUSY' }, atMs: NOW },
    ]);
    await cast.ledger.campaigns.pause(campaign.id, NOW);
    expect((await cast.ledger.views.message(id, NOW))?.waiting).toEqual({
      code: 'CAMPAIGN_NOT_RUNNING',
      text: `campaign ${campaign.id} is paused`,
      since: at(NOW),
      remedy: `everpost campaign resume ${campaign.id}`,
    });
  });

  it('is gone once it is posted', async () => {
    const cast = aCast();
    const id = await cast.pending();
    await refused(cast, id, 'GATEWAY_BUSY', NOW);
    await cast.claimed(id, NOW + MINUTE);
    expect((await cast.view(id)).waiting).toBeUndefined();
  });
});
