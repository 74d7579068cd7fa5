/**
 * Decides which messages mean STOP or START.
 *
 * OPTOUT-1 Only a whole message counts: "please don't stop" does not mean STOP.
 * OPTOUT-2 Case, accents, blanks, punctuation, emoji and invisible characters are ignored.
 * OPTOUT-3 A word that is in both lists of an instance means STOP.
 */
import { OPT_OUT_LANGUAGES, OPT_OUT_WORDS, type OptOutConfig } from '../contract/index.js';

/** The words of an instance in the form of {@link foldedWord}. */
export interface OptOutVocabulary {
  readonly stop: ReadonlySet<string>;
  readonly start: ReadonlySet<string>;
}

/** Longer than any word. A longer text is not checked, since composing accents takes quadratic time. */
const MOST_CHARACTERS = 200;
/** Letters for which Unicode has no form without an accent. */
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', đ: 'd', ø: 'o', ß: 'ss', ـ: '' };
const WITHOUT_PLAIN_FORM = /[ıłđøßـ]/g;

/** Accents of any script, but not the vowel signs of Indian or Thai scripts, which are part of the word. */
const ACCENTS = /[\p{Script=Inherited}\u0591-\u05C7]/gu;
const INVISIBLE = /\p{Cf}/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * The compared form of a text (OPTOUT-2): letters and digits in lower case without accents. One blank replaces all
 * other characters between them.
 * @returns empty if the text has neither letters nor digits
 */
export function foldedWord(text: string): string {
  return (
    text
      .slice(0, MOST_CHARACTERS)
      .normalize('NFKD')
      .replaceAll(INVISIBLE, '')
      .toLowerCase()
      // This follows lower-casing, which can turn a Turkish capital I into an i with a separate dot.
      .replaceAll(ACCENTS, '')
      .replaceAll(WITHOUT_PLAIN_FORM, (letter) => PLAIN[letter] ?? letter)
      .replaceAll(BETWEEN_WORDS, ' ')
      .trim()
  );
}

export function optOutVocabulary({
  languages = OPT_OUT_LANGUAGES,
  stop = [],
  start = [],
  except = [],
}: OptOutConfig = {}): OptOutVocabulary {
  const left = new Set(except.map(foldedWord));
  const words = (which: 'stop' | 'start', own: readonly string[]): ReadonlySet<string> => {
    const builtIn = languages.flatMap((language) => OPT_OUT_WORDS[language][which]).map(foldedWord);
    return new Set([...builtIn.filter((word) => !left.has(word)), ...own.map(foldedWord)]);
  };
  return { stop: words('stop', stop), start: words('start', start) };
}

/** @returns undefined for any other message, i.e. for nearly every message */
export function optOutWord({ stop, start }: OptOutVocabulary, text: string): 'stop' | 'start' | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const word = foldedWord(text);
  if (stop.has(word)) return 'stop';
  return start.has(word) ? 'start' : undefined;
}
