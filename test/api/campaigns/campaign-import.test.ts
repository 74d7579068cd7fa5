/** Recipients of a draft, by HTTP: one at a time, as a stream, and cut off. */
import { once } from 'node:events';
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_CLOCK, refusal } from '../api-parts.js';
import { CSV, HELLO, RECIPIENTS, useCampaigns } from './drafts.js';

const { parts, aCampaign, importing } = useCampaigns();

describe('an import', () => {
  it('may name a delimiter and a default country', async () => {
    const { path } = await aCampaign({ defaultCountry: 'DE' });
    const response = await parts.call(
      'PUT',
      `${path}/recipients?delimiter=tab`,
      'phone\tname\n0151 12345678\tA\n',
      CSV,
    );
    expect(response).toMatchObject({ status: 200, body: { verdicts: { accepted: 1 } } });
  });

  it('accepts only allowed recipients through an instance with allowedRecipients', async () => {
    const { path } = await aCampaign({ instance: 'staging' });
    expect(await importing(path, RECIPIENTS)).toMatchObject({ body: { verdicts: { accepted: 1, not_allowed: 2 } } });
    expect(await importing(path, 'phone\n5215512345678\n')).toMatchObject({ body: { verdicts: { accepted: 1 } } });
  });

  it('changes nothing when the file as a whole is unreadable', async () => {
    const { path } = await aCampaign();
    await importing(path, RECIPIENTS);
    const before = (await parts.call('GET', path)).body as object;
    expect(await importing(path, 'name\nAnn\n')).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(await parts.call('PUT', `${path}/recipients`, RECIPIENTS, { 'content-type': 'image/png' })).toMatchObject(
      refusal(400, 'INPUT_INVALID'),
    );
    expect((await parts.call('GET', path)).body).toEqual(before);
  });

  it('is refused into a started campaign, and so is another definition', async () => {
    const { id, path } = await aCampaign();
    await importing(path, RECIPIENTS);
    await parts.ledger.campaigns.start(id, 'default', SYSTEM_CLOCK.nowMs());
    for (const refused of [
      await importing(path, RECIPIENTS),
      await parts.call('PUT', path, { ...HELLO, priority: 'low' }),
    ]) {
      expect(refused).toMatchObject(refusal(409, 'CAMPAIGN_FROZEN'));
    }
    expect(await parts.call('PUT', path, HELLO)).toMatchObject({ status: 200, body: { state: 'running' } });
  });

  describe('an import over a connection', () => {
    let url: string;
    beforeAll(async () => {
      ({ url } = await parts.api.listen({ host: '127.0.0.1', port: 0 }));
    });

    it('is read at any size, and shows its progress', async () => {
      const { path } = await aCampaign();
      const upload = request(`${url}${path}/recipients`, { method: 'PUT', headers: CSV });
      const responded = once(upload, 'response');
      upload.write('phone\n');
      // Longer than a batch, and than the usual limit of a body.
      for (let at = 0; at < 10_000; at += 1) upload.write(`1555${String(at).padStart(7, '0')}\n`);
      await expect
        .poll(async () => (await parts.call('GET', path)).body.importing?.lines as unknown)
        .toBeGreaterThan(0);
      upload.end();
      const [response] = (await responded) as [NodeJS.ReadableStream & { statusCode: number }];
      expect(response.statusCode).toBe(200);
      response.resume();
      expect((await parts.call('GET', path)).body).toMatchObject({ audience: 10_000 });
    });

    it('leaves nothing when it is interrupted', async () => {
      const { path } = await aCampaign();
      const upload = request(`${url}${path}/recipients`, { method: 'PUT', headers: CSV });
      const broken = once(upload, 'error');
      upload.write(
        `phone\n${Array.from({ length: 5_000 }, (_, at) => `1555${String(at).padStart(7, '0')}\n`).join('')}`,
      );
      const importingOf = async () => (await parts.call('GET', path)).body.importing as unknown;
      await expect.poll(importingOf).toBeDefined();
      upload.destroy(new Error('cut'));
      await broken;
      await expect.poll(importingOf).toBeUndefined();
      expect((await parts.call('GET', path)).body).toMatchObject({ audience: 0 });
    });

    it('gets its response while the client still sends, when it is refused at once', async () => {
      const upload = request(`${url}/v1/campaigns/missing/recipients`, { method: 'PUT', headers: CSV });
      const responded = once(upload, 'response');
      upload.on('error', () => undefined);
      for (let at = 0; at < 50_000; at += 1) upload.write('15550000001,a line of some length\n');
      const [response] = (await responded) as [NodeJS.ReadableStream & { statusCode: number }];
      expect(response.statusCode).toBe(404);
      response.resume();
      upload.destroy();
    });
  });
});
