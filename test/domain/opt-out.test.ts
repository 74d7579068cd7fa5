import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPT_OUT_LANGUAGES, OPT_OUT_WORDS } from '../../src/contract/index.js';
import { foldedWord, optOutVocabulary, optOutWord, possibleOptOut } from '../../src/domain/index.js';

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

/** Proves OPTOUT-4. */
describe('a possible opt-out', () => {
  const possible = (text: string) => possibleOptOut(EVERY_LANGUAGE, text);

  it.each([
    ['stop please', 'stop', 'en'],
    ['Please STOP!', 'stop', 'en'],
    ['Bitte abmelden', 'abmelden', 'de'],
    ['quero sair', 'sair', 'pt'],
    ['Quero sair da lista', 'quero sair', 'pt'],
    ['dame de baja', 'dame de baja', 'es'],
    ['Dame de baja por favor!!', 'dame de baja', 'es'],
    ['can you stop sending me this', 'stop', 'en'],
    ["don't stop", 'stop', 'en'],
    ['bus stop at 5', 'stop', 'en'],
    ['How do I unsubscribe?', 'unsubscribe', 'en'],
    ['please opt me out', 'opt me out', 'en'],
    ['Stop promotions', 'stop', 'en'],
    ['Not interested', 'not interested', 'en'],
    ["Don't text me again", 'don t text', 'en'],
    ['STOOOPPP', 'stop', 'en'],
    ['S.T.O.P.', 'stop', 'en'],
    ['sotp', 'sotp', 'en'],
    ['unsuscribe', 'unsubscribe', 'en'],
    ['unsubcsribe pls', 'unsubscribe', 'en'],
    ['TD', 'td', 'en'],
    ['🛑', 'stop', 'en'],
    ['Schreiben Sie mir nicht mehr', 'schreiben sie mir nicht', 'de'],
    ['Nummer löschen!', 'nummer loschen', 'de'],
    ["Arrêtez de m'envoyer des messages", 'arretez de m envoyer', 'fr'],
    ['Пожалуйста, отпишите', 'отпишите', 'ru'],
    ['не пишите мне', foldedWord('не пишите'), 'ru'],
    ['メッセージの配信を停止して', '配信を停止', 'ja'],
    ['请退订', '退订', 'zh'],
    ['lütfen mesaj atmayın', foldedWord('mesaj atmayın'), 'tr'],
    ['להסיר אותי מהרשימה', 'להסיר אותי', 'he'],
    ['message mat bhejo', 'mat bhejo', 'hi'],
  ])('%j is similar to %j (%s)', (text, word, language) => {
    expect(possible(text)).toEqual({ word: foldedWord(word), language });
  });

  it.each(
    [
      ['when does the shop close', 'What time do you close?', 'Hello', '', '👍', 'cancel my order', 'The end'],
      ['nonstop', 'thanks', 'please', 'Ich komme um fünf', 'quiero pizza', 'sim', 'ok', 'Wann endet das?', 'merci'],
      ['estoy de baja médica', 'oui', 'I want to buy two', 'sair'.repeat(400), '12345', 'Danke, bitte'],
    ].flat(),
  )('%j is none', (text) => {
    expect(possible(text)).toBeUndefined();
  });

  it.each(['STOP', 'abmelden', 'START'])('%j is none, since it counts at once', (text) => {
    expect(possible(text)).toBeUndefined();
  });

  it('is found in a short sentence only, and a phrase in a long one', () => {
    const long = 'word '.repeat(40);
    expect(possible(`${long} stop`)).toBeUndefined();
    expect(possible(`${long} remove my number`)).toEqual({ word: 'remove my number', language: 'en' });
  });

  it("depends on the instance's languages and words", () => {
    const own = optOutVocabulary({ languages: ['de'], stop: ['Nein danke'] });
    expect(possibleOptOut(own, 'quero sair')).toBeUndefined();
    expect(possibleOptOut(own, 'Hallo, nein danke')).toEqual({ word: 'nein danke', language: 'own' });
    expect(possibleOptOut(own, 'Nein')).toBeUndefined();
    expect(possibleOptOut(own, 'Bitte abmelden')).toEqual({ word: 'abmelden', language: 'de' });
    const without = optOutVocabulary({ except: ['stop'] });
    expect(possibleOptOut(without, 'stop please')).toBeUndefined();
    expect(possibleOptOut(optOutVocabulary({ languages: [] }), 'stop please')).toBeUndefined();
  });

  it('is found for each STOP word with politeness, and never for a word that counts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVERY_LANGUAGE.stop),
        fc.constantFrom('please', 'bitte', 'gracias'),
        (word, more) => {
          expect(possible(word)).toBeUndefined();
          expect(possible(`${word}, ${more}`) ?? says(`${word}, ${more}`)).toBeDefined();
        },
      ),
    );
  });

  it('takes little time for a long text', () => {
    const texts = ['a\u0301'.repeat(50_000), 'stop '.repeat(20_000), 'x'.repeat(100_000), '停'.repeat(100_000)];
    for (const text of texts) {
      const startedMs = performance.now();
      possible(text);
      expect(performance.now() - startedMs).toBeLessThan(100);
    }
  });
});
