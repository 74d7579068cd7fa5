import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDirectory, anInstance, someApi, type ApiParts } from './api-parts.js';

let parts: ApiParts;
beforeAll(async () => {
  const instances = aDirectory(anInstance(), anInstance({ name: 'staging', onlyTo: ['15550000001@c.us'] }));
  parts = await someApi({ instances });
});
afterAll(() => parts.close());

const HELLO = { instance: 'main', content: { kind: 'text', text: 'Hello {{name|you}}' } };
const CSV = { 'content-type': 'text/csv' };

let made = 0;
async function aCampaign(over: object = {}): Promise<string> {
  made += 1;
  const answer = await parts.call('POST', '/v1/campaigns', { ...HELLO, id: `c-${made}`, ...over });
  expect(answer).toMatchObject({ status: 201 });
  return `/v1/campaigns/c-${made}`;
}

describe('a campaign', () => {
  it('is defined, filled from a file and looked at', async () => {
    const path = await aCampaign();
    const csv = 'phone,name\n+1 555 000 0001,Ann\n15550000001,Ann again\n12,Bob\n15550000002,Cid\n';
    expect(await parts.call('PUT', `${path}/recipients`, csv, CSV)).toMatchObject({
      status: 200,
      body: { lines: 4, verdicts: { accepted: 2, duplicate: 1, bad_number: 1 }, unchanged: false },
    });
    expect(await parts.call('GET', path)).toMatchObject({
      status: 200,
      body: { state: 'draft', audience: 2, counts: { planned: 2 }, imported: { lines: 4 } },
    });
    expect(await parts.call('PUT', `${path}/recipients`, csv, CSV)).toMatchObject({ body: { unchanged: true } });
    expect((await parts.call('GET', `${path}/rejects.csv`)).body).toBe(
      'line,reason,value\r\n3,duplicate,15550000001@c.us\r\n4,bad_number,12\r\n',
    );
  });
});
