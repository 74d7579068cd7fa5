/** Drafts of campaigns, by HTTP. */
import { expect } from 'vitest';
import type { CampaignId } from '../../../src/contract/index.js';
import { aDirectory, anInstance, useApi } from '../api-parts.js';

export const HELLO = { instance: 'main', content: { kind: 'text', text: 'Hello' } };
export const CSV = { 'content-type': 'text/csv' };
export const RECIPIENTS = 'phone,name\n15550000001,Ann\n15550000002,Bob\n15550000003,Cid\n';

/** Call it once for a file. */
export function useCampaigns() {
  const instances = aDirectory(
    anInstance(),
    anInstance({ name: 'staging', idInstance: '2', allowedRecipients: ['15550000001@c.us', '525512345678@c.us'] }),
  );
  const parts = useApi({ instances });

  let made = 0;
  function anId(): CampaignId {
    made += 1;
    return `c-${made}` as CampaignId;
  }

  /** A draft, by its path. */
  async function aCampaign(over: object = {}): Promise<{ id: CampaignId; path: string }> {
    const id = anId();
    expect(await parts.call('POST', '/v1/campaigns', { ...HELLO, id, ...over })).toMatchObject({ status: 201 });
    return { id, path: `/v1/campaigns/${id}` };
  }

  const importing = (path: string, csv: string) => parts.call('PUT', `${path}/recipients`, csv, CSV);

  return { parts, anId, aCampaign, importing };
}
