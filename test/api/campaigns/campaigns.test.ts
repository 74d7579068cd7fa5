import { describe, expect, it } from 'vitest';
import { SHORT_ID_PATTERN } from '../../../src/contract/index.js';
import { SYSTEM_CLOCK, refusal, ownApi } from '../api-parts.js';
import { HELLO, RECIPIENTS, useCampaigns } from './drafts.js';
import { showQueue } from '../../support/shift.js';

const { parts, anId, aCampaign, importing } = useCampaigns();

describe('a campaign', () => {
  it('can be defined, filled from a file and shown', async () => {
    const { path } = await aCampaign();
    const csv = 'phone,name\n+1 555 000 0001,Ann\n15550000001,Ann again\n12,"Bob, ""B"""\n15550000002,Cid\n';
    expect(await importing(path, csv)).toMatchObject({
      status: 200,
      body: { lines: 4, verdicts: { accepted: 2, duplicate: 1, bad_number: 1 }, unchanged: false },
    });
    expect(await parts.call('GET', path)).toMatchObject({
      status: 200,
      body: { state: 'draft', audience: 2, counts: { pending: 2 }, imported: { lines: 4 } },
    });
    expect(await importing(path, csv)).toMatchObject({ body: { unchanged: true } });
    const rejects = await parts.call('GET', `${path}/rejected-recipients.csv`);
    expect(rejects.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(rejects.body).toMatch(/^phone,name,line,reason,remedy\r\n15550000001,Ann again,3,duplicate of line 2,/);
    expect(rejects.body).toContain('\r\n12,"Bob, ""B""",4,bad_number,');
  });

  it('exists once for one key, with a generated id, and another body under that key is refused', async () => {
    const key = { 'idempotency-key': 'spring' };
    const first = await parts.call('POST', '/v1/campaigns', HELLO, key);
    const again = await parts.call('POST', '/v1/campaigns', HELLO, key);
    expect(first).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(new RegExp(`^cmp_${SHORT_ID_PATTERN}$`)) },
    });
    expect(first.headers.get('location')).toBe(`/v1/campaigns/${first.body.id}`);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await parts.call('POST', '/v1/campaigns', { ...HELLO, priority: 'low' }, key)).toMatchObject(
      refusal(422, 'IDEMPOTENCY_MISMATCH'),
    );
  });

  it('can be redefined while it is a draft', async () => {
    const { path } = await aCampaign();
    await importing(path, RECIPIENTS);
    const text = { kind: 'text', text: 'Bye' };
    expect(await parts.call('PUT', path, { ...HELLO, content: text, priority: 'low' })).toMatchObject({
      status: 200,
      body: { audience: 3, content: text, priority: 'low', highWater: 6 },
    });
    expect(await parts.call('PUT', path, { ...HELLO, id: 'other' })).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(await parts.call('PUT', `/v1/campaigns/${anId()}`, HELLO)).toMatchObject({ status: 201 });
  });

  it('is returned for a repeated request after its deadline, but not created then', async () => {
    const past = { ...HELLO, deadline: '2020-01-01T00:00:00Z' };
    expect(await parts.call('POST', '/v1/campaigns', past)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'deadline', message: 'has passed' }] },
    });
    const later = await ownApi({ ledger: parts.ledger, clock: { nowMs: () => SYSTEM_CLOCK.nowMs() + 3_600_000 } });
    const deadline = new Date(SYSTEM_CLOCK.nowMs() + 60_000).toISOString();
    const { id } = await aCampaign({ deadline });
    expect(await later.call('POST', '/v1/campaigns', { ...HELLO, id, deadline })).toMatchObject({ status: 200 });
  });

  it('has sending windows and limits, which can be changed and removed', async () => {
    const windows = [{ days: ['mon'], from: '09:00', until: '12:30' }];
    const sendingWindows = { timezone: 'Europe/Lisbon', windows, holidays: ['2026-12-25'] };
    const limits = { perDay: 10, jitter: { minMs: 1, maxMs: 2 } };
    const { path } = await aCampaign({ sendingWindows, limits });
    expect(await parts.call('GET', path)).toMatchObject({ body: { sendingWindows, limits } });
    const wrong = { ...sendingWindows, windows: [{ from: '9:00', until: '25:00' }] };
    expect(await parts.call('PATCH', path, { sendingWindows: wrong })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'sendingWindows.windows[0].from' }, { path: 'sendingWindows.windows[0].until' }] },
    });
    expect(await parts.call('PATCH', path, { sendingWindows: null, limits: { perDay: 5 } })).toMatchObject({
      status: 200,
    });
    const { body } = await parts.call('GET', path);
    expect(body).toMatchObject({ limits: { perDay: 5 } });
    expect(body).not.toHaveProperty('sendingWindows');
  });

  it("follows its recipients' timezones: the column, the number's country, the campaign's own", async () => {
    const sendingWindows = { timezone: 'recipient', windows: [{ from: '09:00', until: '12:30' }] };
    const csv = [
      'phone,timezone',
      '15550000001,America/New_York',
      '4915112345678,',
      '15550000002,',
      '15550000003,Mars/Olympus',
      '15550000004,asia/tokyo',
    ].join('\n');
    const { path } = await aCampaign({ sendingWindows, content: { kind: 'text', text: 'Hello' } });
    expect(await importing(path, csv)).toMatchObject({ body: { verdicts: { accepted: 3, timezone_unknown: 2 } } });
    const rejects = await parts.call('GET', `${path}/rejected-recipients.csv`);
    expect(rejects.body).toMatch(
      /\r\n15550000002,,4,timezone_unknown,.*\r\n15550000003,Mars\/Olympus,5,timezone_unknown,/,
    );
    const content = { kind: 'text', text: 'Hello' };
    const defined = { ...HELLO, content, sendingWindows, defaultTimezone: 'Europe/Lisbon' };
    expect(await parts.call('PUT', path, defined)).toMatchObject({ body: { audience: 0 } });
    expect(await importing(path, csv)).toMatchObject({ body: { verdicts: { accepted: 4, timezone_unknown: 1 } } });
  });

  it('has a name in every response, which can be changed at any time, while the definition stays', async () => {
    const name = { name: 'Spring sale: 20 % off, 日本' };
    const { path } = await aCampaign({ name: 'Sping sale' });
    expect(await parts.call('PATCH', path, name)).toMatchObject({ status: 200, body: { ...name, state: 'draft' } });
    expect((await parts.call('PATCH', path, name)).body).toMatchObject({ version: 2 });
    const shown = { ...name, version: 2, definition: { name: 'Sping sale' } };
    expect((await parts.call('GET', path)).body).toMatchObject(shown);
    expect((await parts.call('GET', '/v1/campaigns?limit=1')).body.items).toMatchObject([shown]);
    expect((await parts.call('GET', `${path}/report.json`)).body).toMatchObject({ campaign: shown });
  });

  it('is listed under its state', async () => {
    const { id } = await aCampaign();
    const { body } = await parts.call('GET', '/v1/campaigns?state=draft&instance=main&limit=1');
    expect(body).toMatchObject({ items: [{ id }], cursor: expect.any(String) });
    expect(await parts.call('GET', '/v1/campaigns?state=lost')).toMatchObject({ status: 422 });
  });

  it.each([
    'GET /v1/campaigns/missing',
    'GET /v1/campaigns/No-Id!',
    'GET /v1/campaigns/missing/plan',
    'GET /v1/campaigns/missing/rejected-recipients.csv',
  ])('answers 404 when it does not exist: %s', async (asked) => {
    const [method = '', path = ''] = asked.split(' ');
    expect(await parts.call(method, path)).toMatchObject(refusal(404, 'CAMPAIGN_NOT_FOUND'));
  });
});

describe('a definition', () => {
  const problemsOf = async (over: object): Promise<Record<string, string>> => {
    const { status, body } = await parts.call('POST', '/v1/campaigns', { ...HELLO, ...over });
    expect(status).toBe(422);
    const errors = body.errors as { path: string; message: string }[];
    return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
  };

  it('gets all its problems at once', async () => {
    const problems = await problemsOf({
      instance: 'nowhere',
      content: { kind: 'text', text: 'Hi {{name', linkPreview: 'yes', subject: 'x' },
      highWater: 0,
      deadline: 'tomorrow',
      defaultCountry: 'XX',
      urgency: 1,
    });
    expect(problems).toMatchObject({
      instance: expect.stringContaining('There is no instance nowhere'),
      'content.text': expect.stringContaining('{{name|fallback}}'),
      'content.linkPreview': 'is not true or false',
      'content.subject': 'is not a known field',
      highWater: 'is less than 1',
      deadline: expect.stringContaining('RFC 3339'),
      defaultCountry: expect.stringContaining('not a country'),
      urgency: 'is not a known field',
    });
  });

  it.each([
    ['a text over its limit', { kind: 'text', text: 'x'.repeat(20_001) }, 'content.text'],
    ['a file with an invalid link', { kind: 'file', url: 'ftp://x/a.pdf', fileName: '{{name}}.pdf' }, 'content.url'],
    ['a file without a name', { kind: 'file', url: '{{link}}' }, 'content.fileName'],
    ['a poll with one option', { kind: 'poll', message: 'Q', options: [{ optionName: 'a' }] }, 'content.options'],
    ['a status, which has no single recipient', { kind: 'status', text: 'x' }, 'content.kind'],
    ['an unclosed variable', { kind: 'text', text: 'Hi {{name' }, 'content.text'],
    ['an unclosed variable with one brace', { kind: 'text', text: 'Hi {{name}' }, 'content.text'],
    ['a variable without a name', { kind: 'text', text: 'Hi {{}}' }, 'content.text'],
    ['a variable inside a variable', { kind: 'text', text: 'Hi {{a{{b}}}}' }, 'content.text'],
    ['a closing brace without an opening one', { kind: 'text', text: 'Hi }}' }, 'content.text'],
  ])('is refused with %s', async (_, content, path) => {
    expect(Object.keys(await problemsOf({ content }))).toEqual([path]);
  });

  it('compares its times as instants, whichever offsets they have', async () => {
    const startAt = '2030-01-01T12:00:00+02:00';
    expect(await problemsOf({ startAt, deadline: '2030-01-01T10:00:00Z' })).toEqual({
      startAt: 'is not before the deadline',
    });
    const asked = { ...HELLO, id: anId(), startAt, deadline: '2030-01-01T10:00:01Z' };
    expect(await parts.call('POST', '/v1/campaigns', asked)).toMatchObject({ status: 201 });
  });

  it.each(['', 'x'.repeat(201), 'Spring\nsale', 'Spring\u001b[2J'])('is refused with the name %j', async (name) => {
    expect(Object.keys(await problemsOf({ name }))).toEqual(['name']);
  });

  it.each([
    ['a file for each recipient', { kind: 'file', url: '{{link}}', fileName: '{{name}}.pdf', caption: 'x' }],
    ['a place for each recipient', { kind: 'location', latitude: '{{lat}}', longitude: '{{lon}}' }],
    [
      'a choice for each recipient',
      { kind: 'poll', message: 'Q', options: [{ optionName: '{{a}}' }, { optionName: '{{b}}' }] },
    ],
    ['a card for each recipient', { kind: 'contact', contact: { phoneContact: '{{agent}}', firstName: 'A' } }],
  ])('may contain %s', async (_, content) => {
    await aCampaign({ content });
  });
});

describe('a plan', () => {
  it('shows three recipients, missing values, content that the gateway would reject, and the duration', async () => {
    const content = { kind: 'file', url: '{{link}}', fileName: 'a.pdf', caption: 'For {{name}}' };
    const { path } = await aCampaign({ content });
    const lines = [
      'phone,link,name',
      '15550000001,https://x.example/1,Ann',
      '15550000002,none,Bob',
      '15550000003,https://x.example/3,',
    ];
    await importing(path, `${lines.join('\n')}\n`);
    const { status, body } = await parts.call('GET', `${path}/plan`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'draft',
      audience: 3,
      missing: [{ variable: 'name', recipients: 1, firstLine: 4 }],
      refused: { recipients: 1, firstLine: 3, problems: [{ path: 'content.url' }] },
      samples: [
        { line: 2, chatId: '15550000001@c.us', content: { caption: 'For Ann' }, problems: [] },
        { line: 3, problems: [{ path: 'content.url' }] },
        { line: 4, content: { caption: 'For' } },
      ],
      // The gateway cannot be asked here, so the pace is marked as an estimate. The rejected recipient is not counted.
      forecast: {
        recipients: 2,
        releaseIntervalMs: 15_000,
        intervalFrom: 'assumed',
        durationSeconds: 15,
        notPosted: 0,
      },
      canStart: false,
    });
    const codes = (body.warnings as { code: string }[]).map(({ code }) => code);
    expect(codes).toEqual(['VALUES_MISSING', 'CONTENT_REFUSED', 'QUEUE_UNKNOWN', 'PACE_ASSUMED']);
  });

  it('uses the learned state of the queue, and warns of an earlier deadline', async () => {
    const nowMs = SYSTEM_CLOCK.nowMs();
    const reading = { items: 7, atMs: nowMs };
    const stats = { reading, estimatedDepth: 4, releaseIntervalMs: 10_000, inFlight: 0, window: 1 };
    await showQueue(parts.ledger, 'main', stats, nowMs);
    const { path } = await aCampaign({ deadline: new Date(nowMs + 30_000).toISOString() });
    await importing(path, RECIPIENTS);
    const { body } = await parts.call('GET', `${path}/plan?sampleLines=3`);
    expect(body).toMatchObject({
      samples: [{ line: 3 }],
      forecast: {
        depth: 4,
        depthFrom: 'estimated',
        releaseIntervalMs: 10_000,
        intervalFrom: 'learned',
        durationSeconds: 0,
        notPosted: 3,
        rows: [],
      },
      warnings: [{ code: 'DEADLINE_TOO_SOON' }],
      canStart: true,
    });
    expect(await parts.call('GET', `${path}/plan?sampleLines=x`)).toMatchObject({ status: 422 });
  });

  it('warns of a template that is unknown, not approved yet, or lacks values', async () => {
    const content = (elementName: string, ...params: string[]) => ({
      content: { kind: 'template', elementName, params },
    });
    const warnings = async (path: string) => (await parts.call('GET', `${path}/plan`)).body.warnings;
    const named = { instance: 'main', elementName: 'planned_one' };
    const rules = { languageCode: 'en', category: 'UTILITY', templateType: 'TEXT', vertical: 'Notices' } as const;
    const text = { content: 'Hello {{1}}', example: 'Hello Ann' };
    const definition = { elementName: 'planned_one', ...rules, ...text, enableSample: true };

    const { path: ofNothing } = await aCampaign(content('nothing_yet', '{{name}}'));
    expect(await warnings(ofNothing)).toContainEqual({
      code: 'TEMPLATE_NOT_FOUND',
      text: expect.stringContaining('No template nothing_yet') as string,
    });

    const submitted = { ...named, definition, definitionHash: 'h', requestedAt: '2026-01-01T00:00:00.000Z' };
    await parts.ledger.templates.submit(submitted, SYSTEM_CLOCK.nowMs());
    const { path: waiting } = await aCampaign(content('planned_one', '{{name}}'));
    expect(await warnings(waiting)).toContainEqual({
      code: 'TEMPLATE_NOT_APPROVED',
      text: 'Template planned_one is pending: nothing is sent until it is approved.',
    });

    const { path: lacking } = await aCampaign(content('planned_one'));
    expect(await warnings(lacking)).toContainEqual({
      code: 'TEMPLATE_PARAMETERS',
      text: 'Template planned_one has 1 variables, the campaign has 0 params: every recipient ends rejected.',
    });
  });

  it('warns of values that the network refuses in a template, with their count and the first line', async () => {
    const content = { kind: 'template', elementName: 'planned_two', params: ['{{name}}', '{{place}}'] };
    const { path } = await aCampaign({ content });
    const rows = ['Ann,here', '"B\nob",here', 'Cy,"a\tb"', '"D\nan",there'];
    const lines = rows.map((row, at) => `1555000200${at},${row}`);
    await importing(path, ['phone,name,place', ...lines].join('\n'));
    const { body } = await parts.call('GET', `${path}/plan`);
    expect(body.warnings).toContainEqual({
      code: 'PARAMETERS_FAULTY',
      text: expect.stringContaining(
        '2 recipients with a value that has a line break (first: line 3), 1 recipients with a value that has a tab',
      ) as string,
    });
    expect(body.refused).toMatchObject({ recipients: 0 });
  });

  it('warns of a campaign without recipients', async () => {
    const { path } = await aCampaign();
    const { body } = await parts.call('GET', `${path}/plan`);
    expect(body).toMatchObject({
      samples: [],
      missing: [],
      canStart: false,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'NO_RECIPIENTS' })]),
    });
  });
});
