import { describe, expect, it } from 'vitest';
import { readAll } from './cast.js';

const NUMBERS = ['+49 151 00000101', '+44 7700 900102', '+1 202 555 0103', '+33 6 39 98 01 04'];

/** A list with these columns, and a number in each place that is written as #. */
function list(header: string, row: string): string {
  return [header, ...NUMBERS.map((number, at) => row.replaceAll('#', number).replaceAll('%', String(at + 1)))].join(
    '\n',
  );
}

/** Proves COLUMN-1 to COLUMN-3. */
describe('the columns of a list', () => {
  it('with the same name get numbers, and one without a name is no variable', async () => {
    const { recipients, rejects } = await readAll(list('Phone,Name,name,,NAME', '#,Ann,Lee,x,Ray'));
    expect(rejects).toEqual([]);
    expect(recipients[0]?.values).toEqual({ Name: 'Ann', 'name 2': 'Lee', 'NAME 3': 'Ray' });
  });

  it('become variables of other names, however the names are written', async () => {
    const map = { first: 'PRENOM', last: 'nom de famille' };
    const { recipients } = await readAll(list('Téléphone;Prénom;"Nom de famille"', '#;Ann;Lee'), { map });
    expect(recipients[0]?.values).toEqual({ first: 'Ann', last: 'Lee' });
  });

  it.each([
    ['map', { map: { first: 'Vorname' } }, /map\.first names the column "Vorname".*"Phone", "Name"/],
    ['phoneColumn', { phoneColumn: 'Handy' }, /phoneColumn names the column "Handy".*"Phone", "Name"/],
    ['map with a name that is taken', { map: { Name: 'Phone' } }, /map gives a column the name Name/],
  ])('must exist for %s', async (_, options, message) => {
    await expect(readAll(list('Phone,Name', '#,Ann'), options)).rejects.toThrow(message);
  });
});

/** Proves PHONE-1 to PHONE-3. */
describe('the column with the number', () => {
  it.each([
    ['Telefon;Name', '#;Ann', 'Telefon'],
    ['Nombre;Teléfono móvil', 'Ann;#', 'Teléfono móvil'],
    ['nome,Celular', 'Ann,#', 'Celular'],
    ['Nom;N° de téléphone', 'Ann;#', 'N° de téléphone'],
    ['Nome;Cellulare', 'Ann;#', 'Cellulare'],
    ['Naam;Mobiel nummer', 'Ann;#', 'Mobiel nummer'],
    ['Имя;Номер телефона', 'Ann;#', 'Номер телефона'],
    ['姓名,手机号', 'Ann,#', '手机号'],
    ['名前,電話番号', 'Ann,#', '電話番号'],
    ['이름,전화번호', 'Ann,#', '전화번호'],
    ['الاسم,رقم الهاتف', 'Ann,#', 'رقم الهاتف'],
    ['Ad;Cep telefonu', 'Ann;#', 'Cep telefonu'],
    ['Name,Phone (home),Mobile Phone', 'Ann,#,#', 'Mobile Phone'],
    ['Mobile Phone,Phone', ',#', 'Phone'],
    ['Number,Name,Phone Number', '%,Ann,#', 'Phone Number'],
  ])('of %j is found by its name', async (header, row, phoneColumn) => {
    const { recipients, facts } = await readAll(list(header, row));
    expect(facts.phoneColumn).toEqual({ name: phoneColumn, by: 'name' });
    expect(recipients).toHaveLength(NUMBERS.length);
  });

  it.each([
    ['Contact,City', '#,Ulm', 'Contact'],
    ['Number,City,Line', '%,Ulm,#', 'Line'],
    ['Customer no.,Line', '15550000%,#', 'Line'],
  ])('of %j is found by its values', async (header, row, phoneColumn) => {
    const { recipients, facts } = await readAll(list(header, row));
    expect(facts.phoneColumn).toEqual({ name: phoneColumn, by: 'content' });
    expect(recipients).toHaveLength(NUMBERS.length);
  });

  it.each([
    ['Phone 1,Phone 2', '#,#'],
    ['Contact,Line', '#,#'],
  ])('of %j is named by the caller, with the candidates and without a number', async (header, row) => {
    const refused = await readAll(list(header, row)).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'INPUT_INVALID',
      problems: header.split(',').map((name) => ({
        path: 'phoneColumn',
        message: `may be "${name}": 4 numbers in the first rows, the first one like +49 1…`,
      })),
    });
    const [, second] = header.split(',');
    const { facts } = await readAll(list(header, row), { phoneColumn: second });
    expect(facts.phoneColumn).toEqual({ name: second, by: 'option' });
  });

  it('is missing: the columns are listed', async () => {
    await expect(readAll('first,last\nAnn,Lee\n')).rejects.toThrow(/columns are "first", "last".*--phone-column/);
  });
});
