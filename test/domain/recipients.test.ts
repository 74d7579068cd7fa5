import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import {
  chatForms,
  countryOfChat,
  isKnownCountry,
  recipientKey,
  readChatId,
  readRecipient,
  writtenNumber,
} from '../../src/domain/index.js';
import { MOBILE, aMobile } from '../support/mobile-numbers.js';

const chat = (digits: string) => ({ chatId: `${digits}@c.us` });
const refused = (reason: string) => ({ reason });

/** Proves NUMBER-1 to NUMBER-5. */
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
    ['Ann', refused('bad_number')],
    // Numbers that pandas and Excel wrote as decimals.
    ['628123456789.0', chat('628123456789')],
    ['491701234567,00', chat('491701234567')],
    ['+491701234567.0', chat('491701234567')],
    ['491701234567.5', refused('bad_number')],
    ['628123456789.01', refused('bad_number')],
    ['1.5550001111e10', refused('lost_in_spreadsheet')],
    ['5,51199E+12', refused('lost_in_spreadsheet')],
    ['########', refused('lost_in_spreadsheet')],
    ['#N/A', refused('lost_in_spreadsheet')],
    ['#VALUE!', refused('lost_in_spreadsheet')],
    ['+49 151 1234567 / 89', refused('several_numbers')],
    ['+49 151 1234567 / +49 170 7654321', refused('several_numbers')],
    ['+49 151 1234567; 030 1234567', refused('several_numbers')],
    ['+49 151 1234567 ::: +49 30 1234567', refused('several_numbers')],
    ['+49 151 1234567\n+49 170 7654321', refused('several_numbers')],
    ['+49 30/1234567', chat('49301234567')],
    ['="+491711234567"', chat('491711234567')],
    ['"+491711234567"', chat('491711234567')],
    ["'+491711234567", chat('491711234567')],
    ["'491711234567", chat('491711234567')],
    ['\u202A+49 171 1234567\u202C', chat('491711234567')],
    ['\u200B+49\u00A0171\u20601234567\uFEFF', chat('491711234567')],
    ['\u2066491711234567\u2069', chat('491711234567')],
    ['+٤٩١٧١١٢٣٤٥٦٧', chat('491711234567')],
    ['۴۹۱۷۱۱۲۳۴۵۶۷', chat('491711234567')],
    ['+९१९८७६५४३२१०', chat('919876543210')],
    ['＋４９ １７１－１２３４５６７', chat('491711234567')],
    ['tel:+49-171-1234567', chat('491711234567')],
    ['whatsapp:+14155238886', chat('14155238886')],
    ['p:+491711234567', chat('491711234567')],
    ['wa.me/491711234567', chat('491711234567')],
    ['https://wa.me/491711234567?text=hi', chat('491711234567')],
    ['https://api.whatsapp.com/send?phone=491711234567&text=hi', chat('491711234567')],
    ['(+49) 171 1234567', chat('491711234567')],
    ['+5215512345678', chat('5215512345678')],
    ['5215512345678', chat('5215512345678')],
    ['+52 55 1234 5678', chat('525512345678')],
    ['1234567890123456', refused('bad_number')],
    ['9'.repeat(200), refused('bad_number')],
    [' '.repeat(200), refused('number_missing')],
  ])('%j without a default country is %j', (written, expected) => {
    expect(readRecipient(written)).toEqual(expected);
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
    ['DE', '0151/1234567', chat('491511234567')],
    ['DE', '030 / 1234567', chat('49301234567')],
    ['DE', '06021/1234', chat('4960211234')],
    ['DE', '0151 1234567 / 89', refused('several_numbers')],
    ['DE', '0151 1234567, 0170 7654321', refused('several_numbers')],
    ['MX', '55 1234 5678', chat('525512345678')],
    ['MX', '1 55 1234 5678', chat('525512345678')],
    ['MX', '044 55 1234 5678', chat('525512345678')],
    ['MX', '01 55 1234 5678', chat('525512345678')],
    ['MX', '5215512345678', chat('5215512345678')],
    ['BR', '551187654321', chat('551187654321')],
    ['BR', '(11) 98765-4321', chat('5511987654321')],
    ['BR', '0 15 11 98765-4321', chat('5511987654321')],
    ['AR', '011 15-2345-6789', chat('5491123456789')],
    // Bare digits of a mobile number abroad, which a country of open lengths may read as a landline.
    ['DE', '628123456789', refused('country_unclear')],
    ['DE', '628123456789.0', refused('country_unclear')],
    ['DE', '5215512345678', refused('country_unclear')],
    ['DE', '551187654321', refused('country_unclear')],
    ['DE', '44 7911 123456', refused('country_unclear')],
    ['AT', '4915112345678', refused('country_unclear')],
    ['AT', '919876543210', refused('country_unclear')],
    // A spreadsheet dropped the 0 of a mobile number or a landline.
    ['DE', '15123456789', chat('4915123456789')],
    ['DE', '3012345678', chat('493012345678')],
    ['DE', '0628123456789', chat('49628123456789')],
    ['AT', '6641234567', chat('436641234567')],
    ['DE', '110', refused('bad_number')],
    ['DE', 'zero', refused('bad_number')],
  ] as const)('is read by the rules of its country, %s: %j becomes %j', (country, written, expected) => {
    expect(readRecipient(written, country)).toEqual(expected);
  });

  it.each([
    ['15550001111@c.us', chat('15550001111')],
    ['120363043968066561@g.us', { chatId: '120363043968066561@g.us' }],
    ['4917111111111-1600000000@g.us', { chatId: '4917111111111-1600000000@g.us' }],
    ['99000111222@lid', { chatId: '99000111222@lid' }],
    ['15550001001:3@c.us', chat('15550001001')],
    ['15550001001.0:3@s.whatsapp.net', chat('15550001001')],
    ['15550001001@S.WhatsApp.Net', chat('15550001001')],
    ['15550001001@C.US', chat('15550001001')],
    ['99000111222:7@lid', { chatId: '99000111222@lid' }],
    ['01715550001@c.us', refused('bad_number')],
    ['1234567890123456@c.us', refused('bad_number')],
    ['491701234567.0@c.us.de', refused('bad_number')],
    ['Ann@c.us', refused('bad_number')],
    ['15550001111@example.com', refused('bad_number')],
  ])('is read as a chat id: %j becomes %j', (written, expected) => {
    expect(readRecipient(written, 'DE')).toEqual(expected);
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
      expect(readRecipient(`+1${written}`)).toEqual(expected);
      expect(readRecipient(`001${written}`)).toEqual(expected);
      expect(readRecipient(written, country)).toEqual(expected);
      expect(readRecipient(`1 ${written}`, country)).toEqual(expected);
    }),
  );
});

describe('an id as a gateway shows it', () => {
  it.each([
    ['15550001001', '15550001001@c.us'],
    [15550001001, '15550001001@c.us'],
    [' 15550001001:3@c.us ', '15550001001@c.us'],
    ['120363043968066561@g.us', '120363043968066561@g.us'],
    ['status@broadcast', undefined],
    ['', undefined],
    ['0', undefined],
    ['+15550001001', undefined],
    ['9'.repeat(500), undefined],
  ])('%j is the chat %s', (shown, chatId) => {
    expect(readChatId(shown)).toBe(chatId);
  });
});

/** Proves NUMBER-6. */
describe('spellings of one number', () => {
  it.each([
    ['5511987654321@c.us', '551187654321@c.us'],
    ['5215512345678@c.us', '525512345678@c.us'],
    ['5491123456789@c.us', '541123456789@c.us'],
  ])('%s and %s have one key', (long, short) => {
    expect(chatForms(long)).toEqual([long, short]);
    expect(chatForms(short)).toEqual([short, long]);
    expect([recipientKey(long), recipientKey(short)]).toEqual([short, short]);
  });

  it.each(['15550001111@c.us', '551123456789@c.us', '120363043968066561@g.us', '99000111222@lid'])(
    '%s has no other spelling',
    (chatId) => {
      expect(chatForms(chatId)).toEqual([chatId]);
      expect(recipientKey(chatId)).toBe(chatId);
    },
  );
});

it.each(MOBILE)('every form of a number in %s (+%s) is read as one recipient', (...mobile) => {
  fc.assert(
    fc.property(aMobile(mobile), ({ country, chatId, international, dialled }) => {
      for (const form of international) {
        expect([form, readRecipient(form)]).toEqual([form, { chatId }]);
        expect([form, readRecipient(form, country)]).toEqual([form, { chatId }]);
      }
      for (const form of dialled) {
        expect([form, readRecipient(form, country)]).toEqual([form, { chatId }]);
      }
      for (const form of chatForms(chatId)) {
        expect(recipientKey(form)).toBe(recipientKey(chatId));
        expect(readRecipient(`+${form.slice(0, -5)}`)).toEqual({ chatId: form });
        expect(readChatId(form.replace('@c.us', ':3@s.whatsapp.net'))).toBe(form);
      }
      expect(readRecipient(writtenNumber(chatId))).toEqual({ chatId });
      expect(countryOfChat(chatId)).toBeDefined();
    }),
    { numRuns: 30 },
  );
});

it('text that is read is never another number', () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('0123456789+-()./ ,:@e#')), maxLength: 24 });
  fc.assert(
    fc.property(text, fc.constantFrom(undefined, 'DE' as const, 'US' as const, 'MX' as const), (form, country) => {
      const read = readRecipient(form, country);
      if (!('chatId' in read) || form.includes('@')) return;
      // The digits of the result were written in this order: nothing was added but the prefix, and nothing was joined.
      const digits = read.chatId.slice(0, -5);
      const tail = digits.slice(-3);
      expect(
        form
          .replace(/^(\+?\d+)[.,]0+$/, '$1')
          .replaceAll(/\D/g, '')
          .endsWith(tail),
      ).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
