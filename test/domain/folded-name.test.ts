import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldedName } from '../../src/domain/index.js';

it.each([
  ['firstname', ['First Name', 'first_name', ' "FIRST-NAME" ', 'firstName', '\uFEFFFirst\u200BName', "'First Name'"]],
  ['prenom', ['Prénom', 'PRE\u0301NOM', 'prenom:']],
  ['strasse', ['Straße', 'STRASSE']],
  ['isim', ['İsim', 'ISIM', 'ısım']],
  ['οδος', ['οδος', 'ΟΔΟΣ', 'Οδός']],
  ['phone1value', ['Phone 1 - Value', 'phone1value']],
  ['имя', ['Имя', 'ИМЯ']],
])('%s is the folded form of %j', (folded, names) => {
  expect(names.map(foldedName)).toEqual(names.map(() => folded));
});

it.each([
  ['の', 'は'],
  ['か', 'が'],
  ['कि', 'का'],
  ['name', 'name2'],
  ['#', '%'],
])('%s and %s stay two names', (one, other) => {
  expect(foldedName(one)).not.toBe(foldedName(other));
});

it('a folded name stays as it is when it is folded again', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => foldedName(foldedName(name)) === foldedName(name)));
});
