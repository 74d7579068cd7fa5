/** What becomes of messages while the gateway takes nothing for hours and days. */
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, anOutageWorld } from './world.js';

describe('a gateway that is away', () => {
  test('for thirty hours costs no message that lives longer, and those that do not live so long expire unsent', async () => {
    const world = await anOutageWorld();
    await world.simulator.pauseListening();
    const expiresAt = new Date(world.clock.wall.nowMs() + 72 * HOUR).toISOString();
    const lasting = await world.accept('Worth waiting for', { expiresAt });
    const short = await world.accept('Today only');
    await world.pass(HOUR);
    expect(world.retried).toMatchObject({ type: 'GATEWAY_UNREACHABLE' });
    expect(await world.view(lasting)).toMatchObject({ state: 'pending', waiting: { code: 'GATEWAY_UNREACHABLE' } });

    await world.pass(29 * HOUR);
    expect(await world.view(lasting)).toMatchObject({ state: 'pending' });
    expect(await world.view(short)).toMatchObject({ state: 'expired' });

    await world.simulator.resumeListening();
    await world.pass(15 * MINUTE);
    expect(await world.view(lasting)).toMatchObject({ state: 'delivered' });
    expect(world.simulator.delivered()).toMatchObject([{ text: 'Worth waiting for' }]);
    expect(world.posts()).toBe(1);
    expect(world.retried).toBeUndefined();
  });

  test('until a message expires gets nothing when it returns', async () => {
    const world = await anOutageWorld();
    await world.simulator.pauseListening();
    const expiresAt = new Date(world.clock.wall.nowMs() + HOUR).toISOString();
    const id = await world.accept('Only this hour', { expiresAt });
    await world.pass(HOUR + 11 * MINUTE);
    expect(await world.view(id)).toMatchObject({ state: 'expired' });

    await world.simulator.resumeListening();
    await world.pass(HOUR);
    expect(world.posts()).toBe(0);
  });

  test('and answers 429 for thirty hours is asked once an hour, and a message leaves once when its turn comes', async () => {
    const world = await anOutageWorld();
    await world.control('POST', 'faults', {
      method: 'sendMessage',
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '3600' },
      accepted: false,
      times: 30,
    });
    const expiresAt = new Date(world.clock.wall.nowMs() + 72 * HOUR).toISOString();
    const id = await world.accept('Worth waiting for', { expiresAt });
    await world.pass(29 * HOUR + MINUTE);
    expect(await world.view(id)).toMatchObject({ state: 'pending', waiting: { code: 'GATEWAY_BUSY' } });
    expect(world.posts()).toBe(30);

    await world.pass(HOUR);
    expect(await world.view(id)).toMatchObject({ state: 'delivered' });
    expect(world.posts()).toBe(31);
    expect(world.simulator.delivered()).toHaveLength(1);
  });
});
