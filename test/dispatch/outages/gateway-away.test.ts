/** Messages while the gateway is unavailable for hours and days. */
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, aRealWorld, FOR_DAYS } from '../real-world.js';

/** The dispatcher's own timers decide here: the background jobs run rarely, and not on the hour. */
const WITH_FEW_ROUNDS = { ...FOR_DAYS, jobsEveryMs: 50 * MINUTE };

describe('a gateway that is unavailable', () => {
  test('loses no message that lives longer than its thirty hours; shorter-lived messages expire unsent', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await world.simulator.pauseListening();
    const lasting = await world.single(72 * HOUR, 'Worth waiting for');
    const short = await world.single(DAY, 'Today only');
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
    expect(world.requests('sendMessage')).toBe(1);
    expect(world.retried).toBeUndefined();
  });

  test('does not get a message that expired before its return', async () => {
    const world = await aRealWorld(FOR_DAYS);
    await world.simulator.pauseListening();
    const id = await world.single(HOUR, 'Only this hour');
    await world.pass(HOUR + 11 * MINUTE);
    expect(await world.view(id)).toMatchObject({ state: 'expired' });

    await world.simulator.resumeListening();
    await world.pass(HOUR);
    expect(world.requests('sendMessage')).toBe(0);
  });

  test('is asked once an hour when it answers 429 for thirty hours, and a message leaves once when its turn comes', async () => {
    const world = await aRealWorld(WITH_FEW_ROUNDS);
    await world.fault({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '3600' },
      accepted: false,
      times: 30,
    });
    const id = await world.single(72 * HOUR, 'Worth waiting for');
    await world.pass(29 * HOUR + MINUTE);
    expect(await world.view(id)).toMatchObject({ state: 'pending', waiting: { code: 'GATEWAY_BUSY' } });
    expect(world.requests('sendMessage')).toBe(30);

    await world.pass(HOUR);
    expect(await world.view(id)).toMatchObject({ state: 'delivered' });
    expect(world.requests('sendMessage')).toBe(31);
    expect(world.simulator.delivered()).toHaveLength(1);
  });
});
