/** Typing before messages, with all parts real, except Temporal. */
import { describe, expect, it } from 'vitest';
import type { MessageId, MessageRequest } from '../../src/contract/index.js';
import { anId } from '../ledger/dispatch/cast.js';
import { useLedger } from '../support/ledger/ledger.js';
import { aRealWorld, DAY, SECOND, type RealWorld } from './real-world.js';

const ledger = useLedger();
let world: RealWorld;

const CHAT = '15550001111@c.us';
const PLACE = { kind: 'location', latitude: 1, longitude: 1 } as const;

async function take(request: Partial<MessageRequest> = {}): Promise<MessageId> {
  const id = anId();
  const nowMs = world.nowMs();
  const content = { kind: 'text', text: 'Hello' } as const;
  const whole = { instance: world.instance, chatId: CHAT, content, ...request };
  await ledger.messages.open({ id, requestHash: id, request: whole, expiresAtMs: nowMs + DAY, nowMs });
  world.wake();
  return id;
}

const posted = (method: string) =>
  world.simulator.requests().flatMap((request) => (request.method === method ? [Date.parse(request.at)] : []));
const whats = async (id: MessageId) => (await world.view(id)).evidence.map(({ what }) => what);

/** Proves SHIFT-4, DEPTH-9, TYPING-1 and TYPING-2. */
describe('typing', () => {
  it('is shown for its time before the message is posted; messages to other chats are not delayed', async () => {
    world = await aRealWorld({ ledger });
    const startMs = world.nowMs();
    const id = await take({ typing: '4s', content: PLACE });
    const other = await world.single();
    await world.pass(3 * SECOND);
    expect([await world.state(id), posted('sendTyping')]).toEqual(['pending', [startMs]]);
    expect(posted('sendMessage')).toHaveLength(1);
    await world.pass(20 * SECOND);
    expect(posted('sendLocation')).toEqual([startMs + 4 * SECOND]);
    expect(await Promise.all([world.state(id), world.state(other)])).toEqual(['delivered', 'delivered']);
    expect((await whats(id)).slice(0, 3)).toEqual(['typing_asked', 'typing_shown', 'claimed']);
  });

  it('leaves no doubt when the worker dies during it: the message is posted once, in time', async () => {
    world = await aRealWorld({ ledger });
    const startMs = world.nowMs();
    const id = await take({ typing: '10s' });
    await world.pass(2 * SECOND);
    world.serve();
    await world.pass(40 * SECOND);
    expect([posted('sendTyping'), posted('sendMessage')]).toEqual([[startMs], [startMs + 10 * SECOND]]);
    expect((await world.view(id)).attempts).toHaveLength(1);
    expect(world.delivered()).toEqual(['Hello']);
  });

  it('neither delays nor repeats the message when its response is lost, and the shift does not request it again', async () => {
    world = await aRealWorld({ ledger });
    await world.fault({ method: 'sendTyping', kind: 'lose-answer', accepted: true, times: 1 });
    const startMs = world.nowMs();
    const id = await take({ typing: '5s' });
    await world.pass(8 * SECOND);
    const next = await take({ typing: '5s', chatId: '15550002222@c.us' });
    await world.pass(20 * SECOND);
    expect(posted('sendTyping')).toHaveLength(1);
    const [first, second = 0] = posted('sendMessage');
    expect(first).toBe(startMs + 5 * SECOND);
    expect(second - startMs - 8 * SECOND).toBeLessThan(SECOND / 2);
    expect(await whats(id)).toContain('typing_failed');
    expect(await world.state(next)).toBe('delivered');
  });

  it.each([403, 404])('is skipped for the rest of the shift when the gateway answers %i', async (status) => {
    world = await aRealWorld({ ledger });
    await world.fault({ method: 'sendTyping', kind: 'status', status, times: 10 });
    const id = await world.campaign(4, { typing: '3s' });
    await world.untilEnded(id);
    expect(posted('sendTyping')).toHaveLength(1);
    expect(world.delivered()).toHaveLength(4);
  });

  it('is shown before every message of a campaign, at most once a second, and the queue stays shallow', async () => {
    world = await aRealWorld({ ledger });
    const id = await world.campaign(6, { typing: '2s' });
    await world.untilEnded(id);
    const [asked, sent] = [posted('sendTyping'), posted('sendMessage')];
    expect([asked.length, sent.length, world.delivered().length]).toEqual([6, 6, 6]);
    expect(asked.slice(1).every((atMs, at) => atMs - (asked[at] ?? 0) >= SECOND)).toBe(true);
    expect(sent.every((atMs, at) => atMs - (asked[at] ?? 0) >= 2 * SECOND)).toBe(true);
  });
});
