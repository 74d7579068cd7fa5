/** CHECK-1 and CHECK-2: what a file would become, without an import. */
import { describe, expect, it } from 'vitest';
import { CSV, useCampaigns } from './drafts.js';

const { parts, aCampaign, importing } = useCampaigns();

const GREETING = { content: { kind: 'text', text: 'Hello {{name}}, {{city|where you are}}' } };
const LIST = 'phone,name,town\n+15550000001,Ann,Rome\n+1 555 000 0001,Ann again,\n+15550000002,,Oslo\nnone,Eve,\n';

const checking = (path: string, csv: string, query = '') =>
  parts.call('POST', `${path}/recipients/check${query}`, csv, CSV);

describe('a check of a file', () => {
  it('shows columns, verdicts and what the text needs, and changes nothing (CHECK-1)', async () => {
    const { path } = await aCampaign(GREETING);
    const { status, body } = await checking(path, LIST, '?map={"city":"town"}');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        lines: 4,
        rejected: 1,
        verdicts: { accepted: 2, duplicate: 1, bad_number: 1 },
        source: { phoneColumn: { name: 'phone', by: 'name' }, delimiter: ',' },
        columns: [
          { name: 'phone', phone: true, samples: ['+15550000001', '+1 555 000 0001', '+15550000002', 'none'] },
          { name: 'name', phone: false },
          { name: 'town', phone: false },
        ],
        variables: [
          { name: 'name', required: true, without: 1, firstLine: 4 },
          { name: 'city', required: false, without: 0 },
        ],
        problems: [],
      },
    });
    expect((await parts.call('GET', path)).body).toMatchObject({ audience: 0, counts: { pending: 0 } });
    expect((await parts.call('GET', path)).body.imported).toBeUndefined();
  });

  it('counts what the import of the same file counts', async () => {
    const { path } = await aCampaign(GREETING);
    const list = LIST.replace('town', 'city');
    const { body: checked } = await checking(path, list);
    const { body: imported } = await importing(path, list);
    const counts = ({ lines, verdicts, rejected, remedies }: typeof checked) => ({
      lines,
      verdicts,
      rejected,
      remedies,
    });
    expect(counts(checked)).toEqual(counts(imported));
  });

  it('shows the columns of a file whose number is in none that is known (CHECK-2)', async () => {
    const { path } = await aCampaign();
    const { status, body } = await checking(path, 'reach,name\nhome,Ann\nwork,Bob\n');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        lines: 0,
        columns: [
          { name: 'reach', phone: false, samples: ['home', 'work'] },
          { name: 'name', phone: false, samples: ['Ann', 'Bob'] },
        ],
        problems: [{ path: 'recipients', message: expect.stringContaining('no column has a known name') }],
      },
    });
  });

  it('names the variables that are no column, as an import refuses them (CHECK-2)', async () => {
    const { path } = await aCampaign(GREETING);
    const { body } = await checking(path, 'phone,first\n+15550000001,Ann\n');
    expect(body.problems.map((problem: { path: string }) => problem.path)).toEqual([
      'content {{name}}',
      'content {{city}}',
    ]);
    expect((await importing(path, 'phone,first\n+15550000001,Ann\n')).status).toBe(409);
  });

  it('is refused for what is no list, and for a campaign that does not exist', async () => {
    const { path } = await aCampaign();
    expect((await checking(path, '')).status).toBe(422);
    const json = await parts.call('POST', `${path}/recipients/check`, { group: '120363043968066561@g.us' });
    expect(json).toMatchObject({ status: 400, body: { code: 'INPUT_INVALID' } });
    expect((await checking('/v1/campaigns/none', LIST)).status).toBe(404);
  });
});
