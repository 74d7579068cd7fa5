import { isKnownCountry, readNumber } from '../audience/index.js';
import { inputInvalid } from '../domain/index.js';

/**
 * The chat id of a number as an operator writes it.
 * @param what  said in the message, e.g. `The suppression`
 * @throws AppError INPUT_INVALID; what was written is not repeated in it
 */
export function chatIdOf(
  what: string,
  { to, defaultCountry }: { readonly to: string; readonly defaultCountry?: string | undefined },
): string {
  const read = readNumber(to, countryOf(what, defaultCountry));
  if ('chatId' in read) return read.chatId;
  throw inputInvalid(what, [
    {
      path: 'to',
      message:
        read.reason === 'country_missing'
          ? "is written as inside a country: write it with its country's prefix, or give defaultCountry"
          : 'is neither a phone number of any country nor a chat id ending in @c.us, @g.us or @lid',
    },
  ]);
}

/** @throws AppError INPUT_INVALID */
export function countryOf(what: string, word: string | undefined) {
  if (word === undefined || isKnownCountry(word)) return word;
  throw inputInvalid(what, [{ path: 'defaultCountry', message: 'is no country with phone numbers of its own' }]);
}
