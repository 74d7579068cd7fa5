import { expect, it } from 'vitest';
import { SharedReadings } from '../../src/activities/witness-polls.js';

it('a reading that begins after another one has ended does not wait for it, and nothing of that one is kept', async () => {
  const readings = new SharedReadings<number>();
  const fail = () => Promise.reject(new Error('unreadable'));
  expect(await readings.read('main', () => Promise.resolve(1))).toBe(1);
  await expect(readings.read('main', fail)).rejects.toThrow('unreadable');
  expect(await readings.read('main', () => Promise.resolve(2))).toBe(2);
  expect(readings.size).toBe(0);
});
