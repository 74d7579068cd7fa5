/** The suppression list over HTTP, and its effect on a campaign's plan. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anInstance, aDirectory, useApi, refusal } from './api-parts.js';

const parts = useApi({ instances: aDirectory(anInstance(), anInstance({ name: 'other', idInstance: '2' })) });

/** A number that no other test has. */
function aNumber(): string {
  return `1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
}

const add = (body: object) => parts.call('POST', '/v1/suppressions', body);
const remove = (body: object) => parts.call('POST', '/v1/suppressions/remove', body);
const list = (query: string) => parts.call('GET', `/v1/suppressions?${query}`);
const upload = (type: string, body: string, query = '') =>
  parts.call('POST', `/v1/suppressions/import${query}`, body, { 'content-type': type });

describe('POST /v1/suppressions', () => {
  it('adds an entry once, and returns it again', async () => {
    const to = aNumber();
    const added = await add({ to: `+${to.slice(0, 4)} ${to.slice(4)}`, note: 'by phone' });
    expect(added).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^sup_/),
        chatId: `${to}@c.us`,
        scope: 'marketing',
        source: 'operator',
      },
    });
    expect(added.body).not.toHaveProperty('instance');
    expect(await add({ to })).toEqual(expect.objectContaining({ status: 200, body: added.body }));
    // Only who may read sees it: it may be the text of an earlier request.
    expect((await list(`to=${to}`)).body.items).toMatchObject([{ id: added.body.id, note: 'by phone' }]);
  });

  it('accepts a national number, an alternate id, and a group', async () => {
    expect((await add({ to: '0151 12345678', defaultCountry: 'DE' })).body.chatId).toBe('4915112345678@c.us');
    expect((await add({ to: '77000111222@lid' })).body.chatId).toBe('77000111222@lid');
    expect((await add({ to: '120363043968066561@g.us', scope: 'all', instance: 'other' })).body).toMatchObject({
      chatId: '120363043968066561@g.us',
      scope: 'all',
      instance: 'other',
    });
  });

  it.each([
    [{ to: '0151 12345678' }, 'to', /country/],
    [{ to: 'Ann' }, 'to', /neither a phone number/],
    [{}, 'to', /is missing/],
    [{ to: '15551234567', defaultCountry: 'XX' }, 'defaultCountry', /not a country/],
    [{ to: '15551234567', scope: 'some' }, 'scope', /marketing/],
    [{ to: '15551234567', until: 'tomorrow' }, 'until', /not a known field/],
  ])('refuses %j and names its field', async (body, path, message) => {
    expect(await add(body)).toMatchObject({
      status: 422,
      body: { code: 'INPUT_INVALID', errors: [{ path, message: expect.stringMatching(message) }] },
    });
  });

  it('omits the number from a refusal', async () => {
    expect(JSON.stringify((await add({ to: '+49 15' })).body)).not.toContain('49 15');
  });

  it('refuses an unknown account', async () => {
    expect(await add({ to: aNumber(), instance: 'nowhere' })).toMatchObject({ body: { code: 'INSTANCE_NOT_FOUND' } });
  });
});

describe('GET /v1/suppressions', () => {
  it('shows the entries that apply, and with removed=true the closed ones', async () => {
    const to = aNumber();
    await add({ to, instance: 'main' });
    await add({ to, instance: 'other', scope: 'all' });
    await remove({ to, instance: 'other' });
    expect((await list(`to=${to}`)).body.items).toMatchObject([{ instance: 'main' }]);
    expect((await list(`to=${to}&removed=true`)).body.items).toHaveLength(2);
    expect((await list(`to=${to}&removed=true&scope=all`)).body.items).toMatchObject([{ removedBy: 'operator' }]);
    expect((await list(`to=${to}&source=stop_word`)).body).toEqual({ items: [] });
    expect((await list(`to=${to}&instance=other`)).body).toEqual({ items: [] });
  });

  it('continues after the end of a page', async () => {
    for (let index = 0; index < 2; index += 1) await add({ to: aNumber(), scope: 'all', instance: 'other' });
    const first = await list('scope=all&limit=1');
    const second = await list(`scope=all&limit=1&cursor=${first.body.cursor}`);
    expect(second.body.items[0].id).not.toBe(first.body.items[0].id);
    expect(await list('cursor=nonsense')).toMatchObject(refusal(422, 'INPUT_INVALID'));
  });
});

describe('POST /v1/suppressions/remove', () => {
  it('returns the removed entries, and those that still apply', async () => {
    const to = aNumber();
    await add({ to });
    await add({ to, instance: 'main' });
    const here = await remove({ to, instance: 'main' });
    expect(here).toMatchObject({
      status: 200,
      body: { removed: [{ instance: 'main' }], left: [{ scope: 'marketing' }] },
    });
    expect(await remove({ to })).toMatchObject({ body: { removed: [{}], left: [] } });
    expect(await remove({ to })).toMatchObject({ status: 200, body: { removed: [], left: [] } });
  });
});

describe('POST /v1/suppressions/import', () => {
  it('accepts a list, with a verdict for every line', async () => {
    const [one, other] = [aNumber(), aNumber()];
    const imported = await upload('text/plain', `+${one}\n\n${other}@c.us\n${one}\nAnn\n0151 12345678\n`);
    expect(imported).toMatchObject({
      status: 200,
      body: {
        lines: 5,
        verdicts: { added: 2, already: 1, bad_number: 1, country_missing: 1 },
        rejects: [
          { line: 5, reason: 'bad_number', value: 'Ann' },
          { line: 6, reason: 'country_missing', value: '0151 12345678' },
        ],
      },
    });
    expect((await list(`to=${one}`)).body.items).toMatchObject([{ source: 'import', scope: 'marketing' }]);
  });

  it('takes CSV and NDJSON, for one account and for all messages', async () => {
    const [one, other] = [aNumber(), aNumber()];
    const query = '?instance=other&scope=all&delimiter=;';
    expect((await upload('text/csv', `name;phone\nAnn;${one}\n`, query)).body.verdicts.added).toBe(1);
    expect((await upload('application/x-ndjson', `{"phone":"${other}"}\n`)).body.verdicts.added).toBe(1);
    expect((await list(`to=${one}`)).body.items).toMatchObject([{ instance: 'other', scope: 'all' }]);
  });

  it('accepts more lines than fit in one batch', async () => {
    const numbers = Array.from({ length: 2_500 }, (_, index) => `1556${String(index).padStart(7, '0')}`);
    expect((await upload('text/plain', numbers.join('\n'))).body.verdicts.added).toBe(2_500);
    expect((await upload('text/plain', numbers.join('\n'))).body.verdicts.already).toBe(2_500);
  });

  it('reads numbers that a spreadsheet has written as decimals', async () => {
    const { body } = await upload('text/csv', 'phone\n628123450001.0\n491701234567.0\n628123450001\n');
    expect(body.verdicts).toMatchObject({ added: 2, already: 1, bad_number: 0 });
    expect((await list('to=628123450001')).body.items).toMatchObject([{ chatId: '628123450001@c.us' }]);
  });

  it('refuses a file that is unreadable as a whole', async () => {
    expect(await upload('application/json', '{}')).toMatchObject(refusal(400, 'INPUT_INVALID'));
    expect(await upload('text/csv', 'name\nAnn\n')).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(await upload('text/plain', '1', '?instance=nowhere')).toMatchObject({
      body: { code: 'INSTANCE_NOT_FOUND' },
    });
  });
});

describe('possible opt-outs', () => {
  const possible = (query = '') => parts.call('GET', `/v1/suppressions/possible?instance=main&${query}`);
  const decide = (id: string, what: string) => parts.call('POST', `/v1/suppressions/possible/${id}/${what}`);

  async function aPossible(text = 'stop please') {
    const said = { instance: 'main', chatId: `${aNumber()}@c.us`, idMessage: randomUUID(), text, word: 'stop' };
    const nowMs = Date.now();
    await parts.ledger.possibleOptOuts.record({ ...said, language: 'en', atMs: nowMs, nowMs });
    const { body } = await possible();
    return body.items.find(({ chatId }: { chatId: string }) => chatId === said.chatId) as {
      id: string;
      chatId: string;
    };
  }

  it('are listed, accepted and dismissed, each once', async () => {
    const [one, other] = [await aPossible(), await aPossible('bus stop at 5')];
    expect(one).toMatchObject({ text: 'stop please', word: 'stop', language: 'en', state: 'open', further: 0 });

    const accepted = await decide(one.id, 'accept');
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        possible: { state: 'accepted', decidedBy: expect.any(String) },
        suppression: { chatId: one.chatId, source: 'stop_word', instance: 'main' },
        wasSuppressed: false,
      },
    });
    expect((await decide(one.id, 'accept')).body).toEqual(accepted.body);
    expect(await decide(one.id, 'dismiss')).toMatchObject(refusal(409, 'POSSIBLE_OPT_OUT_ACCEPTED'));

    const dismissed = await decide(other.id, 'dismiss');
    expect(dismissed).toMatchObject({ status: 200, body: { state: 'dismissed' } });
    expect((await decide(other.id, 'dismiss')).body).toEqual(dismissed.body);
    expect(await decide('pos_none', 'accept')).toMatchObject(refusal(404, 'POSSIBLE_OPT_OUT_NOT_FOUND'));
    expect((await list(`to=${one.chatId}`)).body.items).toHaveLength(1);
    expect((await list(`to=${other.chatId}`)).body.items).toEqual([]);
  });

  it('are listed in pages, with all=true also decided ones', async () => {
    const [first, second] = [await aPossible(), await aPossible()];
    await decide(first.id, 'dismiss');
    const page = await possible('all=true&limit=1');
    expect(page.body.items).toHaveLength(1);
    const next = await possible(`all=true&limit=500&cursor=${page.body.cursor}`);
    const ids = [...page.body.items, ...next.body.items].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([first.id, second.id]));
    expect((await possible()).body.items.map(({ id }: { id: string }) => id)).not.toContain(first.id);
  });
});

describe("a campaign's plan", () => {
  it('counts suppressed recipients, and excludes them from the duration', async () => {
    const numbers = [aNumber(), aNumber(), aNumber()];
    await add({ to: numbers[1] as string, instance: 'main' });
    const id = `c-${randomUUID()}`;
    await parts.call('POST', '/v1/campaigns', { id, instance: 'main', content: { kind: 'text', text: 'Hello' } });
    await parts.call('PUT', `/v1/campaigns/${id}/recipients`, `phone\n${numbers.join('\n')}\n`, {
      'content-type': 'text/csv',
    });

    const { body: plan } = await parts.call('GET', `/v1/campaigns/${id}/plan`);

    expect(plan).toMatchObject({
      audience: 3,
      suppressed: { recipients: 1, firstLine: 3 },
      forecast: { recipients: 2 },
      canStart: true,
    });
    expect(plan.warnings.map(({ code }: { code: string }) => code)).toContain('SUPPRESSED');
  });
});
