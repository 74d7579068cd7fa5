/** Composing sorts the accents of one letter, which takes quadratic time when there are thousands: 30 end a row. */
const MANY_ACCENTS = /\p{M}{30}/gu;
const END_OF_ROW = '\u034F';

/**
 * A text as it is compared, never as it is sent: line ends as `\n`, characters composed (NFC). Two texts that a phone
 * shows alike compare alike, whichever of them a keyboard, a database or a gateway produced.
 */
export function comparableText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(MANY_ACCENTS, `$&${END_OF_ROW}`).normalize('NFC');
}
