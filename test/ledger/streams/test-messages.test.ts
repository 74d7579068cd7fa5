import { expect, it } from 'vitest';
import type { CampaignId } from '../../../src/contract/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { accepted, aChat, DispatchCast } from '../dispatch/cast.js';

const ledger = useLedger();

it('the frequency cap neither counts nor stops a test of a campaign (LIMIT-9)', async () => {
  const c = await DispatchCast.begun(ledger, {
    limits: { timezone: 'UTC', frequencyCap: { messages: 2, days: 7 } },
  });
  const marketing = { chatId: aChat(), category: 'marketing' } as const;
  const test = { campaignId: 'spring' as CampaignId };
  const send = async (of: object) => {
    const id = await c.take({ ...marketing, ...of });
    const claimed = await c.claim();
    for (const due of claimed) await c.write(accepted(due));
    return { id, claimed: claimed.map(({ messageId }) => messageId) };
  };
  for (const of of [{ test }, { test }, {}, {}, { test }]) {
    const { id, claimed } = await send(of);
    expect(claimed).toEqual([id]);
  }
  expect((await send({})).claimed).toEqual([]);
});
