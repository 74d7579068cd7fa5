import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAll } from './cast.js';

const read = (text: string) => readAll(text, { format: 'ndjson' });

describe('a line of NDJSON', () => {
  it('is a recipient with every other field as a text', async () => {
    expect(
      await read('\uFEFF{"name":"Ann","Phone":"+1 555 000 0001","order":17,"paid":true,"note":null,"tag":""}\r\n'),
    ).toMatchObject({
      recipients: [{ line: 1, chatId: '15550000001@c.us', values: { name: 'Ann', order: '17', paid: 'true' } }],
      rejects: [],
    });
  });

  it('may have its number as a number', async () => {
    const { recipients } = await read('{"number":1,"mobile":15550000001}\n\n{"mobile":"15550000002@c.us"}');
    expect(recipients).toEqual([
      { line: 1, chatId: '15550000001@c.us', values: { number: '1' } },
      { line: 3, chatId: '15550000002@c.us', values: {} },
    ]);
  });

  it('gives its fields the names that are mapped', async () => {
    const options = { format: 'ndjson', phoneColumn: 'who', map: { name: 'first name', city: 'TOWN' } } as const;
    const lines = '{"Who":15550000001,"First Name":"Ann","Town":null}\n{"Who":15550000002,"Town":"Ulm","late":1}\n';
    const { recipients, facts } = await readAll(lines, options);
    expect(recipients.map(({ values }) => values)).toEqual([{ name: 'Ann' }, { city: 'Ulm', late: '1' }]);
    expect(facts.phoneColumn).toEqual({ name: 'Who', by: 'option' });
  });

  it.each([
    ['is invalid JSON', '{"phone":', 'unreadable'],
    ['is no object', '["15550000001"]', 'unreadable'],
    ['is over 64 kB', `{"phone":15550000001,"a":"${'x'.repeat(70_000)}"}`, 'unreadable'],
    ['has no number', '{"name":"Ann"}', 'number_missing'],
    ['has an object for a number', '{"phone":{}}', 'number_missing'],
    ['has a list for a value', '{"phone":15550000001,"a":[1]}', 'bad_value'],
    ['has half a surrogate pair', '{"phone":15550000001,"a":"\\ud83c"}', 'bad_value'],
    ['has a NUL', '{"phone":15550000001,"a":"x\\u0000"}', 'bad_value'],
  ])('affects no other line when it %s', async (_, line, reason) => {
    const { recipients, rejects } = await read(`{"phone":15550000001}\n${line}\n{"phone":15550000003}\n`);
    expect(recipients.map((recipient) => recipient.line)).toEqual([1, 3]);
    expect(rejects).toMatchObject([{ line: 2, reason, value: expect.any(String), columns: expect.any(Object) }]);
    expect(rejects[0]?.value).not.toMatch(/\0|\p{Surrogate}/u);
  });

  it('has one verdict, wherever the source is cut into pieces', async () => {
    const line = fc.oneof(
      fc
        .record({ phone: fc.constantFrom('15550000001', '1', null), name: fc.string() })
        .map((value) => JSON.stringify(value)),
      fc.string({ maxLength: 20 }),
      fc.constantFrom('', ' ', '{', '[]'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.nat(300), async (lines, cut) => {
        const text = lines.join('\n');
        const bytes = Buffer.from(text);
        const whole = await readAll(bytes, { format: 'ndjson' });
        expect(await readAll([bytes.subarray(0, cut), bytes.subarray(cut)], { format: 'ndjson' })).toEqual(whole);
        const given = [...whole.recipients, ...whole.rejects]
          .map((one) => one.line)
          .toSorted((one, other) => one - other);
        const expected = text
          .split('\n')
          .flatMap((one, at) => (one.replace(/^\uFEFF/, '').trim() === '' ? [] : [at + 1]));
        expect(given).toEqual(expected);
      }),
    );
  });
});
