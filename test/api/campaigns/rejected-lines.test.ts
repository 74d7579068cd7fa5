/** Rejected lines, by HTTP: what to do about them, their file, its correction, and the start of their campaign. */
import { describe, expect, it } from 'vitest';
import { refusal } from '../api-parts.js';
import { CSV, useCampaigns } from './drafts.js';

const { parts, aCampaign, importing } = useCampaigns();

const TEXT = { content: { kind: 'text', text: 'Hello {{First Name|you}}' } };
/** Twelve numbers of Germany; one without country, one twice in another order of its columns. */
const LIST = [
  'City;phone;first_name;2024',
  ...Array.from({ length: 12 }, (_, at) => `Ulm;+49151123456${10 + at};P${at};x`),
  'Köln;0151 7654321;"Eva; née ""X""";=1+1',
  'Bonn;+49 151 12345611;Twice;',
].join('\n');

async function rejectsOf(path: string): Promise<string> {
  const { headers, body } = await parts.call('GET', `${path}/rejected-recipients.csv`);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return String(body);
}

describe('the verdicts', () => {
  it('come with a remedy each, which names the country of most other numbers', async () => {
    const { path } = await aCampaign(TEXT);
    const remedies = [
      { verdict: 'duplicate', lines: 1, remedy: expect.stringContaining('nothing to do') },
      { verdict: 'country_missing', lines: 1, remedy: 'set defaultCountry: DE in the campaign file' },
    ];
    expect(await importing(path, LIST)).toMatchObject({ status: 200, body: { rejected: 1, remedies, additions: 0 } });
    expect(await parts.call('GET', path)).toMatchObject({ body: { imported: { remedies } } });
  });

  it('name no country when no other number shows one', async () => {
    const { path } = await aCampaign(TEXT);
    const { body } = await importing(path, 'phone,first name\n0151 7654321,Eva\n');
    expect(body.remedies[0].remedy).toContain('e.g. defaultCountry: DE');
  });
});

describe('the file of rejected lines', () => {
  it('has every column in its order, and line, reason and remedy', async () => {
    const { path } = await aCampaign(TEXT);
    await importing(path, LIST);
    const remedy = 'set defaultCountry: DE in the campaign file';
    const nothingToDo = '"nothing to do: the recipient is in the audience once, with the values of the first line"';
    expect((await rejectsOf(path)).split('\r\n')).toEqual([
      'City,phone,first_name,2024,line,reason,remedy',
      `Köln,0151 7654321,"Eva; née ""X""",'=1+1,14,country_missing,${remedy}`,
      `Bonn,+49 151 12345611,Twice,,15,duplicate of line 3,${nothingToDo}`,
      '',
    ]);
  });

  it('is imported as an addition after its correction, and then no line is rejected any more', async () => {
    const { path } = await aCampaign(TEXT);
    await importing(path, LIST);
    const corrected = (await rejectsOf(path)).replace('0151 7654321', '+49 151 76543210');
    const add = () => parts.call('PUT', `${path}/recipients?add=true`, corrected, CSV);
    expect(await add()).toMatchObject({
      status: 200,
      body: {
        lines: 14,
        rejected: 0,
        verdicts: { accepted: 13, duplicate: 1, country_missing: 0 },
        added: { lines: 2, verdicts: { accepted: 1, duplicate: 1 } },
        additions: 1,
        unchanged: false,
      },
    });
    expect(await add()).toMatchObject({ body: { unchanged: true, lines: 14 } });
    const [added] = await parts.ledger.audiences.recipients((await parts.call('GET', path)).body.id, 1_000_000, 10);
    expect(added).toEqual({
      line: 1_000_002,
      chatId: '4915176543210@c.us',
      key: '4915176543210@c.us',
      values: { City: 'Köln', first_name: 'Eva; née "X"', '2024': '=1+1' },
    });
    expect(await rejectsOf(path)).toContain('1000003,duplicate of line 3');
  });

  it('is refused as an addition to a campaign without recipients', async () => {
    const { path } = await aCampaign(TEXT);
    const adding = await parts.call('PUT', `${path}/recipients?add=true`, LIST, CSV);
    expect(adding).toMatchObject(refusal(409, 'CAMPAIGN_EMPTY'));
  });
});

describe('a start', () => {
  it('needs acceptRejected when more than 5 % of the lines were rejected', async () => {
    const { path } = await aCampaign(TEXT);
    await importing(path, LIST);
    expect(await parts.call('POST', `${path}/start`)).toMatchObject({
      status: 409,
      body: {
        code: 'CAMPAIGN_REJECTED_LINES',
        errors: [
          { path: 'recipients.country_missing', message: expect.stringContaining('1 line: set defaultCountry: DE') },
        ],
      },
    });
    expect(await parts.call('POST', `${path}/start`, { acceptRejected: 'yes' })).toMatchObject({ status: 422 });
    expect(await parts.call('POST', `${path}/start`, { acceptRejected: true })).toMatchObject({ status: 202 });
  });

  it('needs nothing when the definition accepts it', async () => {
    const { path } = await aCampaign({ ...TEXT, acceptRejected: true });
    await importing(path, LIST);
    expect(await parts.call('POST', `${path}/start`)).toMatchObject({ status: 202 });
  });
});

describe('a variable', () => {
  it('is refused by the import when it is no column, also with a fallback', async () => {
    const { path } = await aCampaign({ content: { kind: 'text', text: 'Hi {{nmae|you}}, {{city}}' } });
    expect(await importing(path, 'phone,Name,City\n15550000001,Ann,Ulm\n')).toMatchObject({
      status: 409,
      body: {
        code: 'CAMPAIGN_INCOMPLETE',
        errors: [{ path: 'content {{nmae}}', message: expect.stringContaining('Name, City') }],
      },
    });
    expect(await parts.call('GET', path)).toMatchObject({ body: { audience: 0 } });
  });

  it('is refused in a changed text, a test and a start, and shown in a plan', async () => {
    const { path } = await aCampaign({ content: { kind: 'text', text: 'Hi {{name|you}}' } });
    await importing(path, 'phone,Name\n15550000001,Ann\n');
    const content = { kind: 'text', text: 'Hi {{nmae|you}}' };
    expect(await parts.call('PATCH', path, { content })).toMatchObject(refusal(409, 'CAMPAIGN_INCOMPLETE'));
    expect(await parts.call('PUT', path, { instance: 'main', content })).toMatchObject({ status: 200 });
    const test = { to: '15550000009', line: 2 };
    expect(await parts.call('POST', `${path}/test`, test)).toMatchObject(refusal(409, 'CAMPAIGN_INCOMPLETE'));
    expect(await parts.call('POST', `${path}/start`)).toMatchObject(refusal(409, 'CAMPAIGN_INCOMPLETE'));
    expect(await parts.call('GET', `${path}/plan`)).toMatchObject({
      body: { canStart: false, unknown: [{ path: 'content {{nmae}}' }] },
    });
  });
});
