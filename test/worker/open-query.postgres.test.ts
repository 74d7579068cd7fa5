import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../src/contract/index.js';
import { openQuery } from '../../src/worker/sources.js';
import { anEmptyDatabaseUrl, dropDatabase } from '../support/ledger/ledger.js';

let url: string;
beforeAll(async () => {
  url = await anEmptyDatabaseUrl();
  await withClient(
    `create table customers (phone text, name text, points integer, vip boolean, since timestamptz, tags json);
     insert into customers select '+1555' || lpad(n::text, 7, '0'), case when n > 1 then 'P' || n end, n, n = 1,
       '2026-01-01T00:00:00Z', '["a"]' from generate_series(1, 2500) n`,
  );
});
afterAll(() => dropDatabase(url));

async function withClient(text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function rowsOf(query: string, connection = url): Promise<unknown[]> {
  const pieces: Uint8Array[] = [];
  const signal = new AbortController().signal;
  for await (const piece of openQuery(new Secret(connection), query, signal)) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('a query for recipients', () => {
  it('gives a line for each row, in parts, with null for an empty field', async () => {
    const rows = await rowsOf('select * from customers order by points');
    expect(rows).toHaveLength(2_500);
    expect(rows[0]).toEqual({
      name: null,
      phone: '+15550000001',
      points: 1,
      vip: true,
      since: '2026-01-01T00:00:00.000Z',
      tags: '["a"]',
    });
    expect(rows[1]).toMatchObject({ name: 'P2' });
  });

  it.each([
    ['a change', 'delete from customers returning phone', /syntax error/],
    [
      'a change within a query',
      'with gone as (delete from customers returning *) select * from gone',
      /DECLARE CURSOR/,
    ],
    ['a second statement', 'select 1; commit; drop table customers', /multiple commands/],
    ['a function that writes', "select nextval('s')", /does not exist/],
    ['an unknown name', 'select phone from customer', /"customer" does not exist/],
  ])('is refused for %s with the server’s own message, and changes nothing', async (_, query, words) => {
    await expect(rowsOf(query)).rejects.toMatchObject({
      code: 'SCHEDULE_RUN_FAILED',
      message: expect.stringMatching(words),
    });
    expect(await withClient('select count(*)::integer as left from customers')).toEqual([{ left: 2_500 }]);
  });

  it('is read only, also when it calls a function that writes', async () => {
    await withClient('create sequence s');
    await expect(rowsOf("select nextval('s')")).rejects.toThrow(/read-only transaction/);
  });

  it('does not show the connection string when the server refuses it', async () => {
    const wrong = new URL(url);
    wrong.pathname = '/no_such_database';
    const failed = await rowsOf('select 1', wrong.href).catch((error: unknown) => error);
    expect(String(failed)).toMatch(/3D000/);
    expect(String(failed)).not.toContain(wrong.href);
  });
});
