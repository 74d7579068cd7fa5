/**
 * Decides which messages mean STOP or START.
 *
 * OPTOUT-1 Only a whole message counts: "please don't stop" does not mean STOP.
 * OPTOUT-2 Case, accents, blanks, punctuation, emoji and invisible characters are ignored.
 * OPTOUT-3 A word that is in both lists of an instance means STOP.
 * OPTOUT-4 A message that is similar is a possible opt-out, which an operator decides: a STOP word among words of
 *    politeness, misspelled, or in a short sentence; or a phrase (opt-out-phrases.ts).
 */
import { OPT_OUT_LANGUAGES, OPT_OUT_WORDS, type OptOutConfig, type OptOutLanguage } from '../contract/index.js';
import { OPT_OUT_PHRASES, UNSPACED } from './opt-out-phrases.js';

/** The words of an instance in the form of {@link foldedWord}. */
export interface OptOutVocabulary {
  readonly stop: ReadonlySet<string>;
  readonly start: ReadonlySet<string>;
  readonly near: NearWords;
}

/** What makes a message a possible opt-out, folded, with the language of each word. */
interface NearWords {
  /** The STOP words. */
  readonly words: ReadonlyMap<string, PossibleLanguage>;
  /** The STOP words without blanks, the shortest first. */
  readonly single: readonly PossibleOptOut[];
  readonly whole: ReadonlyMap<string, PossibleLanguage>;
  readonly inside: ReadonlyMap<string, PossibleLanguage>;
  readonly phrases: readonly (readonly [phrase: string, language: OptOutLanguage])[];
}

/** `own`: a word of the instances file. */
export type PossibleLanguage = OptOutLanguage | 'own';

/** A message that may mean STOP. */
export interface PossibleOptOut {
  /** The word or phrase of ours that it is similar to, folded. */
  readonly word: string;
  readonly language: PossibleLanguage;
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
  return folded(text.slice(0, MOST_CHARACTERS));
}

function folded(text: string): string {
  return (
    text
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
  const words = (which: 'stop' | 'start', own: readonly string[]): Map<string, PossibleLanguage> => {
    const builtIn = languages.flatMap((language) => of(language, OPT_OUT_WORDS[language][which]));
    return firstOfEach([
      ...builtIn.filter(([word]) => !left.has(word)),
      ...own.map((word) => [foldedWord(word), 'own'] as const),
    ]);
  };
  const near = (which: 'inside' | 'whole') =>
    firstOfEach(
      languages
        .flatMap((language) => of(language, OPT_OUT_PHRASES[language][which] ?? []))
        .filter(([word]) => !left.has(word)),
    );
  const stopWords = words('stop', stop);
  const stopList = [...stopWords].map(([word, language]) => ({ word, language }));
  return {
    stop: new Set(stopWords.keys()),
    start: new Set(words('start', start).keys()),
    near: {
      words: stopWords,
      single: stopList
        .filter(({ word }) => word.length > 3 && !word.includes(' '))
        .toSorted((one, other) => one.word.length - other.word.length),
      whole: near('whole'),
      inside: near('inside'),
      phrases: languages.flatMap((language) => of(language, OPT_OUT_PHRASES[language].phrases)),
    },
  };
}

function of(language: OptOutLanguage, words: readonly string[]): (readonly [string, OptOutLanguage])[] {
  return words.map((word) => [foldedWord(word), language]);
}

function firstOfEach(words: readonly (readonly [string, PossibleLanguage])[]): Map<string, PossibleLanguage> {
  return new Map(words.toReversed());
}

/** @returns undefined for any other message, i.e. for nearly every message */
export function optOutWord({ stop, start }: OptOutVocabulary, text: string): 'stop' | 'start' | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const word = foldedWord(text);
  if (stop.has(word)) return 'stop';
  return start.has(word) ? 'start' : undefined;
}

/** A longer text is checked up to here. */
const MOST_CHECKED_CHARACTERS = 1_000;
/** A STOP word in a longer text is seldom a request. */
const MOST_WORDS_AROUND = 30;
/** U+1F6D1 is named stop sign. U+FE0F follows an emoji. */
const STOP_SIGN = /^\s*(?:\u{1F6D1}\uFE0F?\s*)+$/u;
const AROUND: ReadonlySet<string> = new Set(
  Object.values(OPT_OUT_PHRASES).flatMap(({ around = [] }) => around.flatMap((word) => foldedWord(word).split(' '))),
);

/** @returns undefined for a message that is not similar, and for one that is a STOP or START word */
export function possibleOptOut(vocabulary: OptOutVocabulary, text: string): PossibleOptOut | undefined {
  const { near } = vocabulary;
  if (optOutWord(vocabulary, text) !== undefined) return undefined;
  const start = text.slice(0, MOST_CHECKED_CHARACTERS);
  if (STOP_SIGN.test(start)) return near.inside.has('stop') ? { word: 'stop', language: 'en' } : undefined;
  const message = folded(start);
  if (message === '') return undefined;
  const words = message.split(' ');
  const cores = words.length > MOST_WORDS_AROUND ? [] : withoutPoliteness(words);
  const similar =
    cores.map((core) => named(near.words, core) ?? named(near.whole, core)).find((found) => found !== undefined) ??
    misspelled(near.single, words, cores.at(-1));
  if (similar !== undefined) return similar;
  const padded = ` ${message} `;
  const phrase = near.phrases.find(([one, language]) =>
    UNSPACED.has(language) ? message.includes(one) : padded.includes(` ${one} `),
  );
  const isLong = words.length > MOST_WORDS_AROUND;
  const found = phrase ?? (isLong ? undefined : [...near.inside].find(([word]) => padded.includes(` ${word} `)));
  return found && { word: found[0], language: found[1] };
}

/** The message without some words of politeness at its ends, the one without all of them last. */
function withoutPoliteness(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !AROUND.has(word));
  const last = words.findLastIndex((word) => !AROUND.has(word));
  if (first < 0) return [];
  return Array.from({ length: first + 1 }, (_, from) =>
    Array.from({ length: words.length - last }, (_unused, left) => words.slice(from, words.length - left).join(' ')),
  ).flat();
}

function named(words: ReadonlyMap<string, PossibleLanguage>, word: string): PossibleOptOut | undefined {
  const language = words.get(word);
  return language === undefined ? undefined : { word, language };
}

/** With a letter changed, a shorter word is too often another word. */
const LEAST_MISSPELLED = 7;
const LEAST_TWICE_MISSPELLED = 11;
/** No STOP word has more. */
const MOST_LETTERS = 40;

/** A STOP word in single letters (S T O P), with repeated letters (stoooop), or with a typing error. */
function misspelled(stop: readonly PossibleOptOut[], words: readonly string[], core = ''): PossibleOptOut | undefined {
  const letters = words.length > 3 && words.every((word) => word.length === 1) ? words.join('') : undefined;
  if (letters !== undefined) return stop.find(({ word }) => word === letters);
  if (core.includes(' ') || core.length > MOST_LETTERS) return undefined;
  const single = withoutRepetitions(core);
  return stop.find(({ word }) => {
    if (single !== core && single === withoutRepetitions(word)) return true;
    const most = word.length >= LEAST_TWICE_MISSPELLED ? 2 : word.length >= LEAST_MISSPELLED ? 1 : 0;
    return most > 0 && isWithin(word, core, most);
  });
}

function withoutRepetitions(word: string): string {
  return word.replaceAll(/(.)\1+/gu, '$1');
}

/** Whether at most so many letters are missing, added, replaced or exchanged with the next one. */
function isWithin(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isExchanged ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return (last[other.length] ?? Infinity) <= most;
}
