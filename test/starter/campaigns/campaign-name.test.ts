import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../api-parts.js';

const HELLO = { instance: 'main', content: { kind: 'text', text: 'Hello' } };

const parts = useApi();

async function aCampaign(name: string): Promise<string> {
  const path = `/v1/campaigns/c-${randomUUID()}`;
  expect(await parts.call('PUT', path, { ...HELLO, name })).toMatchObject({ status: 201, body: { name } });
  return path;
}

describe('the name of a campaign', () => {
  it('is shown with the campaign in every response', async () => {
    const path = await aCampaign('Spring sale: 20 % off, 日本');
    const name = { name: 'Spring sale: 20 % off, 日本' };
    expect((await parts.call('GET', path)).body).toMatchObject({ ...name, definition: name });
    expect((await parts.call('GET', '/v1/campaigns?limit=1')).body.items).toMatchObject([name]);
    expect((await parts.call('GET', `${path}/report.json`)).body).toMatchObject({ campaign: name });
  });

  it('can be changed at any time, and the campaign keeps its id', async () => {
    const path = await aCampaign('Sping sale');
    const changed = await parts.call('PATCH', path, { name: 'Spring sale' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Spring sale', state: 'draft' } });
    expect((await parts.call('GET', path)).body).toMatchObject({
      name: 'Spring sale',
      version: 2,
      definition: { name: 'Sping sale' },
    });
    expect((await parts.call('PATCH', path, { name: 'Spring sale' })).body).toMatchObject({ version: 2 });
  });

  it('is absent by default', async () => {
    const { body } = await parts.call('POST', '/v1/campaigns', HELLO);
    expect(body).not.toHaveProperty('name');
  });

  it.each([
    ['empty', ''],
    ['more than 200 characters', 'x'.repeat(201)],
    ['more than one line', 'Spring\nsale'],
    ['a terminal control sequence', 'Spring\u001b[2J'],
  ])('is refused with %s', async (_, name) => {
    expect(await parts.call('POST', '/v1/campaigns', { ...HELLO, name })).toMatchObject({
      status: 422,
      body: { code: 'INPUT_INVALID', errors: [{ path: 'name' }] },
    });
  });
});
