import { describe, expect, it } from 'vitest';
import { useCampaigns } from './drafts.js';

const { parts, aCampaign, importing } = useCampaigns();

const text = (words: string) => ({ kind: 'text', text: words });
const A = { name: 'A', share: '60%', content: text('Hello {{name}}') };
const B = { name: 'B', share: '40%', content: text('Good day {{name}}') };
const SPLIT = { content: undefined, variants: [A, B] };
const CSV = ['phone,name', ...Array.from({ length: 30 }, (_, at) => `${15550000100 + at},P${at}`)].join('\n');

async function problemsOf(over: object): Promise<Record<string, string>> {
  const given = { id: 'refused', instance: 'main', ...SPLIT, ...over };
  const { status, body } = await parts.call('POST', '/v1/campaigns', given);
  expect(status).toBe(422);
  const errors = body.errors as readonly { path: string; message: string }[];
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
}

describe('a definition with variants', () => {
  it.each<[string, object, Record<string, string>]>([
    [
      'shares that do not add up',
      { variants: [A, { ...B, share: '30%' }] },
      { variants: 'have shares that add up to 90 %: change them so that they add up to 100 %' },
    ],
    [
      'a doubled name',
      { variants: [A, { ...B, name: 'A' }] },
      { 'variants[1].name': 'is A again: name each variant once' },
    ],
    [
      'one variant',
      { variants: [{ ...A, share: '99%' }] },
      { variants: expect.stringContaining('at least 2') as string },
    ],
    [
      'a share that is none',
      { variants: [A, { ...B, share: '40' }] },
      { 'variants[1].share': expect.stringContaining('10%') as string },
    ],
    ['a hold-out of everyone', { holdOut: '100%' }, { holdOut: expect.stringContaining('10%') as string }],
    [
      'a content beside them',
      { content: text('Hi') },
      { content: expect.stringContaining('either content or variants') as string },
    ],
    [
      'neither',
      { variants: undefined },
      { content: expect.stringContaining('give either content or variants') as string },
    ],
    [
      'a broken variable',
      { variants: [A, { ...B, content: text('Hi {{name') }] },
      { 'variants[1].content.text': expect.stringContaining('braces') as string },
    ],
    [
      'a field of another kind',
      { variants: [A, { ...B, content: { kind: 'file', url: 'https://example.com/a.pdf' } }] },
      { 'variants[1].content.fileName': expect.any(String) as string },
    ],
  ])('is refused with %s, by path', async (_, over, problems) => {
    expect(await problemsOf(over)).toEqual(problems);
  });

  it('is shown with its contents and results, and its winner can be chosen and withdrawn', async () => {
    const { path } = await aCampaign({ ...SPLIT, holdOut: '10%' });
    await importing(path, CSV);
    const shown = { variants: [A, B], holdOut: '10%', content: A.content, comparison: [] };
    const { body } = await parts.call('GET', path);
    expect(body).toMatchObject(shown);
    const none = { count: 0, share: 0, low: 0, high: 1 };
    expect(body.variants[0].results).toMatchObject({ recipients: 0, posted: 0, replied: none });
    expect(await parts.call('PATCH', path, { winner: 'C' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'winner' }] },
    });
    expect(await parts.call('PATCH', path, { winner: 'B' })).toMatchObject({ status: 200 });
    expect((await parts.call('GET', path)).body).toMatchObject({ winner: 'B', content: B.content });
    expect(await parts.call('PATCH', path, { winner: null })).toMatchObject({ status: 200 });
    expect((await parts.call('GET', path)).body).not.toHaveProperty('winner');
    expect(await parts.call('PATCH', path, { variant: 'B' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'content' }] },
    });
    const changed = { content: text('Hi {{nmae}}'), variant: 'B' };
    expect(await parts.call('PATCH', path, changed)).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'variants[1].content {{nmae}}' }] },
    });
  });

  it('is planned with the variant of each sample, and without the hold-out', async () => {
    const { path } = await aCampaign({ ...SPLIT, holdOut: '30%' });
    await importing(path, CSV);
    const lines = Array.from({ length: 20 }, (_, at) => at + 2);
    const { body } = await parts.call('GET', `${path}/plan?sampleLines=${lines.join(',')}`);
    const { samples, heldOut, forecast, audience } = body;
    expect(heldOut.recipients).toBeGreaterThan(0);
    expect(forecast.recipients).toBe(audience - heldOut.recipients);
    for (const { variant, content } of samples) {
      expect(content.text).toMatch(variant === 'A' ? /^Hello P/ : /^Good day P/);
    }
    expect(new Set(samples.map((sample: { variant: string }) => sample.variant))).toEqual(new Set(['A', 'B']));
    expect(samples.some((sample: { heldOut?: boolean }) => sample.heldOut === true)).toBe(true);
  });

  it('is tested with the variant of the line, or with a named one', async () => {
    const { path } = await aCampaign(SPLIT);
    await importing(path, CSV);
    const test = async (body: object) => {
      const begun = await parts.call('POST', `${path}/test`, { to: '15550000099', line: 2, ...body });
      expect(begun).toMatchObject({ status: 202 });
      return (await parts.call('GET', begun.headers.get('location') ?? '')).body;
    };
    expect(await test({ variant: 'A' })).toMatchObject({ variant: 'A', content: { text: 'Hello P0' } });
    expect(await test({ variant: 'B' })).toMatchObject({ variant: 'B', content: { text: 'Good day P0' } });
    const own = await test({});
    expect(own.content.text).toBe(own.variant === 'A' ? 'Hello P0' : 'Good day P0');
    const unknown = { to: '15550000099', variant: 'C' };
    expect(await parts.call('POST', `${path}/test`, unknown)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'variant' }] },
    });
    const single = await aCampaign();
    expect(await parts.call('POST', `${single.path}/test`, unknown)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'variant' }] },
    });
  });

  it('has its results and texts in the summary', async () => {
    const { path } = await aCampaign({ ...SPLIT, variants: [A, { ...B, name: '<b>' }] });
    await importing(path, CSV);
    const { body } = await parts.call('GET', `${path}/report.html`);
    expect(body).toContain('<h2>Variants</h2>');
    expect(body).toContain('&lt;b&gt;');
    expect(body).toMatch(/Hello \{\{name\}\}[^]*Good day \{\{name\}\}/);
  });
});
