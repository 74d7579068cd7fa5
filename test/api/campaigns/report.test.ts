/** The report of a campaign over HTTP: the recipients' own columns, numbers as they are written, local times. */
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError, type CampaignId } from '../../../src/contract/index.js';
import { chosenColumns, ownHeaders } from '../../../src/api/report/own-columns.js';
import { eraseRecipients } from '../../../src/worker/index.js';
import { CampaignCast, DAY } from '../../ledger/campaigns/campaign-life-cast.js';
import { NOW, SECOND } from '../../ledger/cast.js';
import { SYSTEM_CLOCK, refusal, useApi } from '../api-parts.js';
import { CSV, HELLO } from './drafts.js';

const BOM = '\uFEFF';
const parts = useApi();

/** Its third column has the name of one of ours, and its first recipient has no value in it. */
const GUESTS = [
  'Phone;First Name;STATE;Straße;Note',
  '4915112345678;Zoë;;Haupt 1;=1+1',
  '15557654321;"Ann; ""B""";Ohio;;',
  '33612345678;;;;',
].join('\n');

beforeAll(async () => {
  for (const id of ['guests', 'group', 'empty']) await parts.call('POST', '/v1/campaigns', { ...HELLO, id });
  await parts.call('PUT', '/v1/campaigns/guests/recipients', GUESTS, CSV);
  await parts.call(
    'PUT',
    '/v1/campaigns/group/recipients',
    'number\n120363043968066561@g.us\n77001122334455@lid\n',
    CSV,
  );
});

/** A report as its bytes say, with the byte order mark that a reader of text removes. */
async function textOf(path: string): Promise<string> {
  const request = new Request(`http://127.0.0.1/v1/campaigns/${path}`, { headers: { host: '127.0.0.1' } });
  const response = await parts.api.fetch(request);
  expect(response.status).toBe(200);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
}

async function cells(path: string): Promise<string[][]> {
  const lines = (await textOf(path)).replace(BOM, '').trimEnd().split('\r\n');
  return lines.map((line) => line.split(','));
}

async function items(path: string) {
  return (await parts.call('GET', `/v1/campaigns/${path}`)).body.items;
}

describe("the recipients' own columns", () => {
  it('stand behind the chat id, in the order of the source, with a prefix where a name is taken', async () => {
    const [header, first] = await cells('guests/report.csv?columns=all');
    expect(header?.slice(0, 9)).toEqual([
      'line',
      'messageId',
      'number',
      'chatId',
      'First Name',
      'recipient.STATE',
      'Straße',
      'Note',
      'state',
    ]);
    expect(first?.slice(2, 9)).toEqual([
      '+49 1511 2345678',
      '4915112345678@c.us',
      'Zoë',
      '',
      'Haupt 1',
      "'=1+1",
      'pending',
    ]);
  });

  it('are chosen by name, without regard to case, accents and blanks', async () => {
    const csv = await textOf('guests/report.csv?columns=state,FIRSTNAME&reason=none');
    expect(csv).toMatch(/^\uFEFFline,messageId,number,chatId,First Name,recipient\.STATE,state,[^\uFEFF]+$/);
    expect(await items('guests/report.json?columns=strasse,first_name')).toMatchObject([
      { columns: { 'First Name': 'Zoë', Straße: 'Haupt 1' } },
      { columns: { 'First Name': 'Ann; "B"' } },
      { columns: {} },
    ]);
  });

  it('are in a page, too, and in no report that does not ask for them', async () => {
    expect((await items('guests/recipients?columns=note&limit=1'))[0]).toMatchObject({ columns: { Note: '=1+1' } });
    expect((await items('guests/recipients?limit=1'))[0]).not.toHaveProperty('columns');
  });

  it.each([
    ['guests/report.csv?columns=name,city', /unknown name "name".*First Name.*unknown name "city"/],
    ['guests/report.ndjson?columns=', /columns/],
    ['group/report.json?columns=name', /the recipients have no columns of their own/],
    ['empty/recipients?columns=name', /the recipients have no columns of their own/],
  ])('%s is refused', async (path, words) => {
    const { status, body } = await parts.call('GET', `/v1/campaigns/${path}`);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'INPUT_INVALID' });
    expect(body.detail).toMatch(words);
  });

  it('are none for recipients of a group and for an empty draft', async () => {
    expect(await items('group/report.json?columns=all')).toMatchObject([{ columns: {} }, { columns: {} }]);
    expect(await items('empty/report.json?columns=all')).toEqual([]);
  });

  it('with a name that every object has are the values of the source only', async () => {
    await parts.call('POST', '/v1/campaigns', { ...HELLO, id: 'odd' });
    const source = 'phone,constructor,__proto__\n15550000001,,x\n15550000002,y,\n';
    await parts.call('PUT', '/v1/campaigns/odd/recipients', source, CSV);
    const rows = await cells('odd/report.csv?columns=all');
    expect(rows.map((row) => row.slice(4, 6))).toEqual([
      ['constructor', '__proto__'],
      ['', 'x'],
      ['y', ''],
    ]);
  });

  it('an exact name selects one column, another spelling all that match', () => {
    const known = ['name', 'Name', 'NAME ', 'city'];
    expect(chosenColumns('Name', known)).toEqual(['Name']);
    expect(chosenColumns('city, nAME', known)).toEqual(known);
    expect(chosenColumns('all', ['all', 'city'])).toEqual(['all', 'city']);
  });

  it('of a very wide source are not all named in an error', () => {
    const known = Array.from({ length: 1_000 }, (_, at) => `c${at}`);
    expect(() => chosenColumns('x', known)).toThrow(AppError);
    expect(() => chosenColumns('x', known)).toThrow(/c49, and 950 more/);
  });

  it('get as many prefixes as they need', () => {
    expect(ownHeaders(['recipient.state', 'State', 'STATE', 'city'], ['state'])).toEqual([
      'recipient.state',
      'recipient.recipient.State',
      'recipient.recipient.recipient.STATE',
      'city',
    ]);
  });
});

describe('the number', () => {
  it('is written as usual; a group and a hidden number keep their id', async () => {
    expect(await items('guests/recipients')).toMatchObject([
      { number: '+49 1511 2345678', chatId: '4915112345678@c.us' },
      { number: '+1 555 765 4321', chatId: '15557654321@c.us' },
      { number: '+33 6 12 34 56 78', chatId: '33612345678@c.us' },
    ]);
    expect(await items('group/recipients')).toMatchObject([
      { number: '120363043968066561@g.us', chatId: '120363043968066561@g.us' },
      { number: '77001122334455@lid', chatId: '77001122334455@lid' },
    ]);
  });

  it('of a report is read when the report is imported as recipients', async () => {
    const report = await textOf('guests/report.csv?columns=all&state=pending');
    expect(report.lastIndexOf(BOM)).toBe(0);
    await parts.call('POST', '/v1/campaigns', { ...HELLO, id: 'again' });
    expect(await parts.call('PUT', '/v1/campaigns/again/recipients', report, CSV)).toMatchObject({
      status: 200,
      body: { lines: 3, verdicts: { accepted: 3 } },
    });
    expect(await items('again/report.json?columns=FirstName,note')).toMatchObject([
      { chatId: '4915112345678@c.us', columns: { 'First Name': 'Zoë', Note: '=1+1' } },
      { chatId: '15557654321@c.us', columns: { 'First Name': 'Ann; "B"' } },
      { chatId: '33612345678@c.us' },
    ]);
  });

  it('and the values of an erased recipient are empty', async () => {
    await parts.call('POST', '/v1/campaigns', { ...HELLO, id: 'erased' });
    await parts.call('PUT', '/v1/campaigns/erased/recipients', 'phone,name\n15550777001,Ann\n', CSV);
    await parts.call('POST', '/v1/recipients/erasures', { to: '15550777001' });
    const log = () => undefined;
    await eraseRecipients({ ledger: parts.ledger, keptForMs: 1_000, clock: SYSTEM_CLOCK, log }).round();
    const [erased] = await items('erased/report.json?columns=all&timezone=recipient');
    expect(erased).toMatchObject({ chatId: expect.stringMatching(/^erased:/), columns: {} });
    expect(erased).not.toHaveProperty('number');
    expect((await cells('erased/report.csv?columns=name'))[1]?.slice(2, 5)).toEqual(['', erased.chatId, '']);
  });
});

describe('local times', () => {
  /** Accepted in winter, read after the clock went forward. */
  const SPRING = Date.parse('2026-03-29T08:00:00.250Z');

  beforeAll(async () => {
    const cast = await new CampaignCast(parts.ledger, 'main', 'times' as CampaignId).running(2);
    await cast.receive(await cast.dispatched(1), 'sent', NOW + SECOND);
    await cast.receive(await cast.dispatched(1, 'accepted', NOW + DAY), 'delivered', SPRING, NOW + DAY);
  });

  it('are RFC 3339 with the offset at that time, in JSON and NDJSON', async () => {
    const [first, second] = await items('times/report.json?timezone=Europe/Berlin');
    expect(first).toMatchObject({
      timezone: 'Europe/Berlin',
      acceptedAt: '2026-03-01T11:00:00.000+01:00',
      sentAt: '2026-03-01T11:00:01.000+01:00',
    });
    expect(second).toMatchObject({ deliveredAt: '2026-03-29T10:00:00.250+02:00' });
    const lines = (await parts.call('GET', '/v1/campaigns/times/report.ndjson?timezone=Asia/Kolkata')).body;
    expect(JSON.parse(lines.split('\n')[0])).toMatchObject({ acceptedAt: '2026-03-01T15:30:00.000+05:30' });
  });

  it('are the same moments as without a timezone, where they are UTC', async () => {
    const utc = await items('times/report.json');
    const local = await items('times/report.json?timezone=America/St_Johns');
    expect(utc[0]).toMatchObject({ acceptedAt: '2026-03-01T10:00:00.000Z' });
    expect(utc[0]).not.toHaveProperty('timezone');
    for (const name of ['acceptedAt', 'sentAt', 'deliveredAt', 'gatewaySentAt', 'gatewayDeliveredAt']) {
      const moments = [utc, local].map((rows) =>
        rows.map((row: Record<string, string>) => Date.parse(row[name] ?? '')),
      );
      expect(moments[1], name).toEqual(moments[0]);
    }
  });

  it('are dates for a spreadsheet in CSV, with the offsets beside them', async () => {
    const [header = [], first = [], second = []] = await cells('times/report.csv?timezone=Europe/Berlin');
    const cell = (row: string[], name: string) => row[header.indexOf(name)];
    expect(header.slice(-2)).toEqual(['timezone', 'utcOffset']);
    expect(['acceptedAt', 'sentAt', 'deliveredAt', 'timezone', 'utcOffset'].map((name) => cell(first, name))).toEqual([
      '2026-03-01 11:00:00',
      '2026-03-01 11:00:01',
      '',
      'Europe/Berlin',
      'UTC+01:00',
    ]);
    expect(['acceptedAt', 'deliveredAt', 'utcOffset'].map((name) => cell(second, name))).toEqual([
      '2026-03-02 11:00:00',
      '2026-03-29 10:00:00',
      'UTC+01:00 UTC+02:00',
    ]);
  });

  it('are those of each recipient on request: of the source, of the number, else UTC', async () => {
    await parts.call('POST', '/v1/campaigns', {
      ...HELLO,
      id: 'own',
      sendingWindows: { timezone: 'recipient', windows: [{ from: '09:00', until: '18:00' }] },
      defaultTimezone: 'Asia/Tokyo',
    });
    const source = 'phone,timezone\n4915112345678,America/Lima\n33612345678,\n15550000002,\n';
    expect(await parts.call('PUT', '/v1/campaigns/own/recipients', source, CSV)).toMatchObject({ status: 200 });
    const own = await items('own/recipients?timezone=recipient');
    const zones = (rows: readonly { timezone: string }[]) => rows.map(({ timezone }) => timezone);
    expect(zones(own)).toEqual(['America/Lima', 'Europe/Paris', 'Asia/Tokyo']);
    expect(zones(await items('guests/recipients?timezone=recipient'))).toEqual([
      'Europe/Berlin',
      'UTC',
      'Europe/Paris',
    ]);
    expect(zones(await items('group/recipients?timezone=recipient'))).toEqual(['UTC', 'UTC']);
  });

  it.each(['Europe/Atlantis', '+02:00', 'recipients', ''])('%j is refused as a timezone', async (timezone) => {
    for (const path of ['report.csv', 'report.ndjson', 'report.json', 'recipients']) {
      const query = new URLSearchParams({ timezone });
      expect(await parts.call('GET', `/v1/campaigns/times/${path}?${query.toString()}`)).toMatchObject(
        refusal(422, 'INPUT_INVALID'),
      );
    }
  });
});
