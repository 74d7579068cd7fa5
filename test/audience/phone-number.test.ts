import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { isKnownCountry, timezonesOfNumbers } from '../../src/audience/index.js';
import { readNumber } from '../../src/audience/phone-number.js';

const chat = (digits: string) => ({ chatId: `${digits}@c.us` });
const refused = (reason: string) => ({ reason });

/** Proves NUMBER-1 to NUMBER-4. */
describe('a number', () => {
  it.each([
    ['+15550001111', chat('15550001111')],
    ['15550001111', chat('15550001111')],
    [' +1 (555) 000-11.11 ', chat('15550001111')],
    ['0049 151 12345678', chat('4915112345678')],
    ['+49 (0)151 12345678', chat('4915112345678')],
    ['+39 06 1234 5678', chat('390612345678')],
    ['0151 12345678', refused('country_missing')],
    ['(030) 1234567', refused('country_missing')],
    ['', refused('number_missing')],
    ['  ', refused('number_missing')],
    ['12345', refused('bad_number')],
    ['0', refused('bad_number')],
    ['+999123456789', refused('bad_number')],
    ['+1555000111122223333', refused('bad_number')],
    ['call +1 555 000 1111', refused('bad_number')],
    ['1-800-FLOWERS', refused('bad_number')],
    ['+1 555 000 1111 ext. 7', refused('bad_number')],
    ['1.5550001111e10', refused('bad_number')],
    ['Ann', refused('bad_number')],
  ])('%j without a default country is %j', (written, expected) => {
    expect(readNumber(written)).toEqual(expected);
  });

  it.each([
    ['DE', '0151 12345678', chat('4915112345678')],
    ['DE', '4915112345678', chat('4915112345678')],
    ['DE', '+1 555 000 1111', chat('15550001111')],
    ['DE', '001 555 000 1111', chat('15550001111')],
    ['DE', '491 234567', chat('49491234567')],
    ['US', '(555) 000-1111', chat('15550001111')],
    ['US', '15550001111', chat('15550001111')],
    ['IT', '391 234 5678', chat('393912345678')],
    ['IT', '06 1234 5678', chat('390612345678')],
    ['FR', '33612345678', chat('33612345678')],
    ['DE', '110', refused('bad_number')],
    ['DE', 'zero', refused('bad_number')],
  ] as const)('is read by the rules of its country, %s: %j becomes %j', (country, written, expected) => {
    expect(readNumber(written, country)).toEqual(expected);
  });

  it.each([
    ['15550001111@c.us', chat('15550001111')],
    ['120363043968066561@g.us', { chatId: '120363043968066561@g.us' }],
    ['4917111111111-1600000000@g.us', { chatId: '4917111111111-1600000000@g.us' }],
    ['99000111222@lid', { chatId: '99000111222@lid' }],
    ['Ann@c.us', refused('bad_number')],
    ['15550001111@example.com', refused('bad_number')],
  ])('is read as a chat id: %j becomes %j', (written, expected) => {
    expect(readNumber(written, 'DE')).toEqual(expected);
  });
});

it('the known countries are those of the library', () => {
  expect(['DE', 'US', 'XX', 'de', ''].map(isKnownCountry)).toEqual([true, true, false, false, false]);
});

it("a North American number has the library's verdict, without its country", () => {
  const digits = fc.stringMatching(/^[2-9][0-9]{9}$/);
  const separators = fc.constantFrom('', ' ', '-', '.', ' (', ') ');
  fc.assert(
    fc.property(digits, separators, fc.constantFrom('US', 'BS', 'CA', 'PR'), (number, between, country) => {
      const written = `${number.slice(0, 3)}${between}${number.slice(3)}`;
      const known = parsePhoneNumberFromString(`+1${number}`, { extract: false });
      expect(known?.isPossible()).toBe(true);
      const expected = chat(known?.number.slice(1) ?? '');
      expect(readNumber(`+1${written}`)).toEqual(expected);
      expect(readNumber(`001${written}`)).toEqual(expected);
      expect(readNumber(written, country)).toEqual(expected);
      expect(readNumber(`1 ${written}`, country)).toEqual(expected);
    }),
  );
});

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
