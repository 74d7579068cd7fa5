import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, aRealWorld, FOR_DAYS } from '../real-world.js';

const MESSAGES = 20;

test('each message that was accepted while Temporal was unavailable for an hour is delivered once', async () => {
  const world = await aRealWorld(FOR_DAYS);
  world.setTemporalAway(true);
  for (let count = 0; count < MESSAGES; count += 1) await world.single(DAY, `Number ${count}`);
  await world.pass(HOUR);
  expect(world.requests('sendMessage')).toBe(0);

  world.setTemporalAway(false);
  await world.pass(15 * MINUTE + MESSAGES * 500);
  const texts = world.simulator.delivered().map(({ text }) => text);
  expect(texts).toHaveLength(MESSAGES);
  expect(new Set(texts).size).toBe(MESSAGES);
  expect(world.requests('sendMessage')).toBe(MESSAGES);
  const { items } = await world.ledger.views.messages({ instance: world.instance, state: 'delivered', limit: 1 });
  expect(items).toHaveLength(1);
});
