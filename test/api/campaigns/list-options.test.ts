/** How an import by HTTP says what its file is: by the content type, and by parameters. */
import { describe, expect, it } from 'vitest';
import { useListeningApi } from '../api-parts.js';

const { env } = useListeningApi();
let made = 0;

const GREEK = Buffer.from([0xcf, 0xed, 0xef, 0xec, 0xe1]); // Όνομα without its accent, in windows-1253
const csv = Buffer.concat([GREEK, Buffer.from(';Phone;Reach\n'), GREEK, Buffer.from(';15550000001;15550000009\n')]);
const TEXT = { content: { kind: 'text', text: 'Hi {{name}}' } };

/** Sends bytes, which a charset describes. */
async function importing(type: string, query: Readonly<Record<string, string>>, body: Buffer = csv) {
  const campaign = `${env.EVERPOST_API_URL}/v1/campaigns/list-${++made}`;
  const put = (url: string, contentType: string, content: string | Buffer) =>
    fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body: new Uint8Array(Buffer.from(content)) });
  await put(campaign, 'application/json', JSON.stringify({ instance: 'main', ...TEXT }));
  const answer = await put(`${campaign}/recipients?${new URLSearchParams(query).toString()}`, type, body);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const MAP = JSON.stringify({ name: 'Ονομα' });

describe('the file of an import', () => {
  it.each([
    ['the charset of its content type', 'text/csv; charset=windows-1253', {}],
    ['a parameter', 'text/csv', { encoding: 'windows-1253' }],
    ['a parameter, whatever the charset', 'text/csv; charset=utf-8', { encoding: 'windows-1253' }],
  ])('is decoded as told by %s', async (_, type, encoding) => {
    const given = { ...encoding, map: MAP, phoneColumn: 'reach' };
    const { status, body } = await importing(type, given);
    expect({ status, source: body.source }).toMatchObject({
      status: 200,
      source: {
        encoding: { name: 'windows-1253', detected: false },
        delimiter: ';',
        phoneColumn: { name: 'Reach', by: 'option' },
      },
    });
  });

  it.each([
    [{ map: 'name' }, 'map', 'is not a JSON object'],
    [
      { map: '{"name":"Nope"}', encoding: 'windows-1253' },
      'map.name',
      'names no column. The columns are "Ονομα", "Phone"',
    ],
    [{ phoneColumn: 'Nope', encoding: 'windows-1253' }, 'phoneColumn', 'names no column'],
    [{ sheet: 'March' }, 'sheet', 'does not apply: the file is CSV'],
    [{ encoding: 'klingon' }, 'encoding', 'is none of the encodings utf-8'],
    [{ delimiter: '#' }, 'delimiter', 'expected one of'],
  ])('is refused with the parameters %j', async (query, path, message) => {
    const answer = await importing('text/csv', query);
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'INPUT_INVALID', errors: [{ path, message: expect.stringContaining(message) }] },
    });
  });

  it('has control characters in its values as they are, but no NUL', async () => {
    const body = Buffer.from('phone,name\n15550000001,A\u0007B\n15550000002,A\u0000B\n');
    expect(await importing('text/csv', {}, body)).toMatchObject({
      body: { verdicts: { accepted: 1, bad_value: 1 } },
    });
  });
});
