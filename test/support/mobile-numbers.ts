/** Numbers in many notations, for the tests of every place that reads one. */
import fc from 'fast-check';

/**
 * Mobile numbers in the twenty largest countries: the national number, and how it is dialled inside the country.
 * Digits that vary are given as #.
 */
export const MOBILE = [
  ['IN', '91', '98########', '098########'],
  ['CN', '86', '139########', '139########'],
  ['US', '1', '202555####', '202555####'],
  ['ID', '62', '812#######', '0812#######'],
  ['PK', '92', '301#######', '0301#######'],
  ['NG', '234', '803#######', '0803#######'],
  ['BR', '55', '119#######6', '0119#######6'],
  ['BD', '880', '17########', '017########'],
  ['RU', '7', '912#######', '8912#######'],
  ['ET', '251', '911######', '0911######'],
  ['MX', '52', '55########', '55########'],
  ['JP', '81', '90########', '090########'],
  ['PH', '63', '917#######', '0917#######'],
  ['EG', '20', '100#######', '0100#######'],
  ['CD', '243', '81#######', '081#######'],
  ['VN', '84', '91#######', '091#######'],
  ['IR', '98', '912#######', '0912#######'],
  ['TR', '90', '532#######', '0532#######'],
  ['DE', '49', '151########', '0151########'],
  ['TH', '66', '81#######', '081#######'],
] as const;

const separator = fc.constantFrom('', ' ', '-', '.', '\u00A0', '\u2011');
const digitsOfScript = fc.constantFrom(0x30, 0x660, 0x6f0, 0xff10);

/** Writes the digits in groups of a random length, and in the digits of a script. */
const written = fc
  .record({ between: separator, group: fc.integer({ min: 2, max: 5 }), zero: digitsOfScript })
  .map(({ between, group, zero }) => (digits: string) => {
    const grouped = digits.match(new RegExp(`\\d{1,${group}}`, 'g')) ?? [];
    return grouped.join(between).replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
  });

type Field<At extends 0 | 1 | 2 | 3> = (typeof MOBILE)[number][At];
export type Mobile = readonly [country: Field<0>, prefix: Field<1>, national: Field<2>, dialled: Field<3>];

/** A number of this country, in every notation that one reader has to read. */
export function aMobile([country, prefix, national, dialled]: Mobile) {
  const filling = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 11 });
  return fc.record({ filling, write: written }).map(({ filling: fill, write }) => {
    const filled = (shape: string): string => {
      const rest = fill.values();
      return shape.replaceAll('#', () => String(rest.next().value));
    };
    const international = `${prefix}${filled(national)}`;
    return {
      country,
      chatId: `${international}@c.us`,
      /** With its country code. */
      international: [
        `+${write(international)}`,
        `00${write(international)}`,
        international,
        `${international}.0`,
        `="+${international}"`,
        `tel:+${international}`,
        `https://wa.me/${international}`,
        `whatsapp:+${international}`,
        `\u202A+${international}\u202C`,
        `(+${prefix}) ${write(filled(national))}`,
        `${international}@c.us`,
        `${international}:12@S.whatsapp.net`,
        `${international}@C.US`,
      ],
      /** As it is dialled inside the country. */
      dialled: [write(filled(dialled)), filled(dialled)],
    };
  });
}
