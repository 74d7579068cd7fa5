/** No name has more accents on one letter; putting them in order takes quadratic time. */
const MANY_ACCENTS = /(\p{M}{30})\p{M}+/gu;

/**
 * The form in which names of columns and variables are compared: `First Name`, `first_name`, `"FIRST-NAME"` and
 * `firstName` are one name, and so are `Prénom` and `prenom`.
 *
 * Removes case, accents, blanks, quotes, punctuation and invisible characters. Only accents of Latin, Greek and Cyrillic
 * letters are removed: in other scripts such marks are vowels, or make another letter.
 */
export function foldedName(name: string): string {
  const letters = name
    .replaceAll(MANY_ACCENTS, '$1')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]|[^\p{L}\p{M}\p{N}]/gu, '')
    // Marks that met when signs between them went are put in order.
    .normalize('NFKD');
  // By way of upper case, so that ß and ẞ equal SS, and the dotless ı of Turkish equals I.
  const folded = letters.toLowerCase().toUpperCase().toLowerCase();
  return folded === '' ? name.trim() : folded;
}
