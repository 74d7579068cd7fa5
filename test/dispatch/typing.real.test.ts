/** Typing before messages, with all parts real, except Temporal. */
import { describe, expect, it } from 'vitest';
import type { MessageContent } from '../../src/contract/index.js';
import { anId } from '../ledger/dispatch/cast.js';
import { useLedger } from '../support/ledger/ledger.js';
import { aRealWorld, DAY, SECOND } from './real-world.js';

const ledger = useLedger();

describe('typing', () => {
  it.each([
    ['text', { kind: 'text', text: 'Hello' }],
    ['file', { kind: 'file', url: 'https://example.com/a.pdf', fileName: 'a.pdf' }],
  ] as const)('is a field of the send of a %s, which arrives when its time has passed', async (_, content) => {
    const world = await aRealWorld({ ledger });
    const [id, nowMs] = [anId(), world.nowMs()];
    const request = { instance: world.instance, chatId: '15550001111@c.us', content, typing: '4s' } as const;
    await ledger.intake.open({ id, requestHash: id, request, expiresAtMs: nowMs + DAY, nowMs });
    world.wake();
    await world.pass(3 * SECOND);
    expect([await world.state(id), world.delivered()]).toEqual(['accepted', []]);
    await world.pass(2 * SECOND);
    expect(await world.state(id)).toBe('delivered');
    expect(world.requests('sendTyping')).toBe(0);
    const typingTime = content.kind === 'file' ? 4 : 4_000;
    expect((await world.view(id)).content).toMatchObject({ ...content, typingTime } satisfies MessageContent);
  });

  it('counts in the depth of the queue: a campaign with typing does not fill it (DEPTH-9)', async () => {
    const world = await aRealWorld({ ledger, measuresDepth: true });
    const id = await world.campaign(8, { typing: '20s' });
    await world.untilEnded(id);
    // At one release a second, one message with its typing fills the room of its class. A second one is posted with it.
    expect(world.deepest()).toBeLessThanOrEqual(3);
    expect(world.delivered()).toHaveLength(8);
  });

  it('remains when the content of the campaign is changed', async () => {
    const world = await aRealWorld({ ledger });
    const id = await world.campaign(1, { typing: '3s', startAt: new Date(world.nowMs() + DAY).toISOString() });
    const content = { kind: 'text', text: 'Later' } as const;
    await ledger.campaigns.update(id, { content }, world.nowMs());
    expect((await ledger.audiences.view(id, world.nowMs()))?.content).toEqual({ ...content, typingTime: 3_000 });
  });
});
