/**
 * Which messages say STOP or START.
 *
 * OPTOUT-1 The whole message is the word, or it says nothing: "please don't stop" is conversation.
 * OPTOUT-2 Capitals, accents, blanks, punctuation, emoji and invisible signs make no difference.
 * OPTOUT-3 A word that an instance has in both lists says STOP.
 */
import { OPT_OUT_LANGUAGES, OPT_OUT_WORDS, type OptOutConfig } from '../contract/index.js';

/** Words by their {@link foldedWord}. */
export interface OptOutVocabulary {
  readonly stop: ReadonlySet<string>;
  readonly start: ReadonlySet<string>;
}

/** Longer than any word. A text that is not read takes no time; putting accents in order takes quadratic time. */
const MOST_CHARACTERS = 200;
/** Letters whose plain form Unicode does not know. */
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', đ: 'd', ø: 'o', ß: 'ss', ـ: '' };
const WITHOUT_PLAIN_FORM = /[ıłđøßـ]/g;

/**
 * Accents, of any script that has them on its letters; not the vowel signs of Indian or Thai words, which are half of
 * the word.
 */
const ACCENTS = /[\p{Script=Inherited}\u0591-\u05C7]/gu;
const INVISIBLE = /\p{Cf}/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * The compared form of a text (OPTOUT-2): letters and digits, small and without accents, and one blank where anything
 * else stands between them.
 * @returns empty when there is neither letter nor digit
 */
export function foldedWord(text: string): string {
  return (
    text
      .slice(0, MOST_CHARACTERS)
      .normalize('NFKD')
      .replaceAll(INVISIBLE, '')
      .toLowerCase()
      // After it: a small Turkish i may come with a dot of its own.
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

/** @returns undefined for everything that is no such word: nearly every message */
export function optOutWord({ stop, start }: OptOutVocabulary, text: string): 'stop' | 'start' | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const word = foldedWord(text);
  if (stop.has(word)) return 'stop';
  return start.has(word) ? 'start' : undefined;
}
