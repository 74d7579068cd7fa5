import { describe, expect, it } from 'vitest';
import { readAll } from './cast.js';

const read = (text: string) => readAll(text, { format: 'list' });

describe('a list', () => {
  it('has one number or chat id in each line', async () => {
    expect(await read('\uFEFF+1 555 000 0001\r\n\n15550000002@c.us\n77000111222@lid')).toEqual({
      recipients: [
        { line: 1, chatId: '15550000001@c.us', values: {} },
        { line: 3, chatId: '15550000002@c.us', values: {} },
        { line: 4, chatId: '77000111222@lid', values: {} },
      ],
      rejects: [],
    });
  });

  it('has a verdict for an invalid line', async () => {
    expect((await read('phone\n0151 1234567\n15550000001,Ann')).rejects).toEqual([
      { line: 1, reason: 'bad_number', value: 'phone' },
      { line: 2, reason: 'country_missing', value: '0151 1234567' },
      { line: 3, reason: 'bad_number', value: '15550000001,Ann' },
    ]);
  });
});
