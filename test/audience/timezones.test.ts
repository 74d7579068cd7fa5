import { describe, expect, it } from 'vitest';
import { timezonesOfNumbers } from '../../src/audience/index.js';

describe('the timezone of a number', () => {
  const timezone = timezonesOfNumbers(Date.UTC(2026, 10, 23));

  it.each([
    ['4915112345678@c.us', 'Europe/Berlin'],
    ['919812345678@c.us', 'Asia/Calcutta'],
    ['2348012345678@c.us', 'Africa/Lagos'],
    // Jamaica shares its prefix with North America.
    ['18765551234@c.us', 'America/Jamaica'],
    ['12125550123@c.us', undefined],
    ['351912345678@c.us', undefined],
    ['120363043968066561@g.us', undefined],
    ['123456789012345@lid', undefined],
  ])('of %s is %s', (chatId, expected) => {
    expect(timezone(chatId)).toBe(expected);
  });
});
