import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ColumnTally, groupRecipients, readRecipients } from '../../src/audience/index.js';
import { RECIPIENT_VERDICTS } from '../../src/contract/index.js';

async function* manyLines(count: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('phone,name\n');
  for (let at = 0; at < count; at += 1_000) {
    yield Buffer.from(Array.from({ length: 1_000 }, (_, n) => `1555${String(at + n).padStart(7, '0')},Ann\n`).join(''));
  }
}

it('a batch has about the requested size', async () => {
  const sizes: number[] = [];
  for await (const { recipients } of readRecipients({ bytes: manyLines(5_000), format: 'csv' }, 2_000))
    sizes.push(recipients.length);
  expect(sizes).toEqual([2_000, 2_000, 1_000]);
});

it('a source is read on only when the next batch is requested', async () => {
  let given = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of manyLines(100_000)) {
      given += 1;
      yield piece;
    }
  }
  const batches = readRecipients({ bytes: counted(), format: 'csv' }, 1_000);
  await batches.next();
  expect(given).toBeLessThan(5);
  await batches.return(undefined);
});

describe('a group', () => {
  it('gives a verdict for each participant, by their place', () => {
    const participants = [
      { id: '15550000001@c.us', lid: '1@lid' },
      { id: '15550000009@c.us' },
      { id: '77000111@lid', lid: '77000111@lid' },
      { id: '', lid: '88000111@lid' },
      { id: '15550000002@c.us' },
    ];
    const rules = { allowedRecipients: new Set(['15550000001@c.us', '15550000009@c.us']) };
    expect(groupRecipients(participants, '15550000009@c.us', rules)).toMatchObject({
      recipients: [{ line: 1, chatId: '15550000001@c.us', values: {} }],
      rejects: [
        { line: 2, reason: 'own_account', value: '15550000009@c.us' },
        { line: 3, reason: 'lid_only', value: '77000111@lid', columns: { chatId: '77000111@lid' } },
        { line: 4, reason: 'lid_only', value: '88000111@lid' },
        { line: 5, reason: 'not_allowed', value: '15550000002@c.us' },
      ],
    });
  });
});

describe('the tally of columns', () => {
  const recipient = (line: number, values: Readonly<Record<string, string>>) => ({
    line,
    chatId: `${line}@c.us`,
    values,
  });

  it('counts the recipients with a value, and names the first one without', () => {
    const tally = new ColumnTally();
    tally.add(recipient(2, { name: 'Ann', city: 'Ulm' }));
    tally.add(recipient(4, { name: 'Bob', city: ' ' }));
    tally.add(recipient(5, { name: 'Cid', late: 'x' }));
    tally.declare('Empty');
    expect(tally.columns).toEqual({
      name: { name: 'name', recipients: 3 },
      city: { name: 'city', recipients: 1, firstMissingLine: 4 },
      late: { name: 'late', recipients: 1, firstMissingLine: 2 },
      empty: { name: 'Empty', recipients: 0, firstMissingLine: 2 },
    });
  });

  it('accepts a column with the name of a property that every object has', () => {
    const tally = new ColumnTally();
    tally.add(recipient(2, { constructor: 'x' }));
    expect(Object.keys(tally.columns)).toEqual(['constructor']);
  });

  it('refuses more columns than a file may have', () => {
    const tally = new ColumnTally();
    for (let at = 0; at < 1_000; at += 1) tally.add(recipient(at, { [`c${at}`]: 'x' }));
    expect(() => tally.add(recipient(1_001, { more: 'x' }))).toThrow(/more than 1000 different fields/);
  });
});

describe('docs/recipients.md', () => {
  const document = readFileSync(new URL('../../docs/recipients.md', import.meta.url), 'utf8');

  it('explains every verdict, and no other', () => {
    const explained = [...document.matchAll(/^\| `(\w+)` +\| [A-Z]/gm)].map(([, verdict]) => verdict);
    expect(explained).toEqual(RECIPIENT_VERDICTS);
  });
});
