import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPT_OUT_LANGUAGES, OPT_OUT_WORDS } from '../../src/contract/index.js';
import { foldedWord, optOutVocabulary, optOutWord } from '../../src/domain/index.js';

const EVERY_LANGUAGE = optOutVocabulary();
const says = (text: string) => optOutWord(EVERY_LANGUAGE, text);

/** Proves OPTOUT-1 to OPTOUT-3. */
describe('a message that is an opt-out word', () => {
  it.each(
    [
      ['STOP', 'stop', ' Stop. ', 'STOP!!!', '"stop"', '🛑 STOP 🛑', 'stop 🙏🏽', 'ＳＴＯＰ', 's\u200Btop\uFE0F'],
      ['Unsubscribe', 'opt-out', 'STOP\nALL', 'Baja', 'BAJA.', 'Arrêt', 'ARRET', 'désabonner', 'desabonner', 'SAIR'],
      ['cancelar inscricao', 'Abmelden', 'Rezygnuję', 'rezygnuje', 'СТОП', 'Отписаться.', 'İPTAL', 'IPTAL', 'ÇIK'],
      ['çık', 'إيقاف', 'ايقاف', 'إِيقَاف', 'הסר', 'बंद करें', 'बंद करें।', 'BERHENTI', '수신거부', '退订'],
      ['hủy đăng ký', 'huy dang ky', 'หยุด'],
    ].flat(),
  )('%j is a STOP', (text) => {
    expect(says(text)).toBe('stop');
  });

  it.each(['START', 'Unstop', 'subscribe!', 'старт', 'Başlat', 'darme de alta', 'शुरू करें', '配信再開'])(
    '%j is a START',
    (text) => {
      expect(says(text)).toBe('start');
    },
  );
});

describe('a message that contains such a word', () => {
  it.each(
    [
      ['please stop', "don't stop", 'Stop by at five?', 'stop 2', 'S.T.O.P.', 'nonstop', 'non-stop', 'The end'],
      ['cancel my order', 'बाद', '', '👍', '🛑', `stop${'!'.repeat(300)}`],
    ].flat(),
  )('%j has no effect', (text) => {
    expect(says(text)).toBeUndefined();
  });

  it.each(['yes', 'YES', 'sí', 'ja', 'red', 'dur', 'alta', 'alto', 'voltar', 'keluar', 'no'])(
    '%j has no effect, since the word also answers other questions',
    (text) => {
      expect(says(text)).toBeUndefined();
    },
  );
});

describe('the word lists', () => {
  it.each(OPT_OUT_LANGUAGES)('contain words for both in %s, each of which is found in every spelling', (language) => {
    const own = optOutVocabulary({ languages: [language] });
    for (const which of ['stop', 'start'] as const) {
      expect(OPT_OUT_WORDS[language][which].length).toBeGreaterThan(0);
      for (const word of OPT_OUT_WORDS[language][which]) {
        expect(optOutWord(own, word)).toBe(which);
        expect(optOutWord(own, ` ${word.toUpperCase()}! 🙂`)).toBe(which);
        expect(optOutWord(own, word.normalize('NFD'))).toBe(which);
      }
    }
  });

  it('have no word that means STOP in one language and START in another', () => {
    expect([...EVERY_LANGUAGE.stop].filter((word) => EVERY_LANGUAGE.start.has(word))).toEqual([]);
  });
});

describe("an instance's own words", () => {
  it('are added to those of its languages', () => {
    const words = optOutVocabulary({ languages: ['en'], stop: ['No más'], start: ['Vuelvo'] });
    expect(optOutWord(words, 'no mas!')).toBe('stop');
    expect(optOutWord(words, 'VUELVO')).toBe('start');
    expect(optOutWord(words, 'stop')).toBe('stop');
    expect(optOutWord(words, 'baja')).toBeUndefined();
  });

  it('may be the only ones', () => {
    const words = optOutVocabulary({ languages: [], stop: ['x'] });
    expect(optOutWord(words, 'x')).toBe('stop');
    expect(optOutWord(words, 'stop')).toBeUndefined();
  });

  it('may remove a built-in one', () => {
    const words = optOutVocabulary({ except: ['Cancel'] });
    expect(optOutWord(words, 'cancel')).toBeUndefined();
    expect(optOutWord(words, 'stop')).toBe('stop');
  });

  it('OPTOUT-3 mean STOP when they are in both lists', () => {
    expect(optOutWord(optOutVocabulary({ start: ['stop'] }), 'stop')).toBe('stop');
  });
});

describe('the comparable form of a text', () => {
  it('is its own comparable form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldedWord(text);
        expect(foldedWord(folded)).toBe(folded);
      }),
    );
  });
});
