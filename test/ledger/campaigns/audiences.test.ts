import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  LARGEST_LINE,
  RECIPIENT_VERDICTS,
  zeroOfEach,
  type CampaignDefinition,
  type CampaignId,
  type Recipient,
  type RejectedLine,
} from '../../../src/contract/index.js';
import type { ImportedSource, VerdictCounts } from '../../../src/ledger/index.js';
import { readLines } from '../../support/campaign.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const DEFINITION: CampaignDefinition = { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } };

const REJECTED: RejectedLine = { line: 4, reason: 'bad_number', value: 'x', columns: { phone: 'x', name: 'Ann' } };

async function aCampaign(): Promise<CampaignId> {
  const id = `c-${randomUUID()}` as CampaignId;
  await ledger.audiences.open({ id, requestHash: 'h', definition: DEFINITION, nowMs: NOW });
  return id;
}

function recipient(line: number, chat = line, values: Recipient['values'] = { name: `P${line}` }): Recipient {
  return { line, chatId: `1555000${String(chat).padStart(4, '0')}@c.us`, values };
}

/** As the ledger returns it. */
const known = (of: Recipient) => ({ ...of, key: of.chatId });

function aSource(counts: Partial<VerdictCounts>, over: Partial<ImportedSource> = {}): ImportedSource {
  const all = { ...zeroOfEach(RECIPIENT_VERDICTS), ...counts };
  const lines = Object.values(all).reduce((sum, count) => sum + count, 0);
  return {
    hash: randomUUID(),
    lines,
    verdicts: all,
    columns: { name: { name: 'name', recipients: all.accepted } },
    ...over,
  };
}

/** Imports recipients who have a name. */
async function imported(id: CampaignId, recipients: readonly Recipient[]) {
  const { audiences } = ledger;
  const audience = await audiences.beginImport(id, NOW);
  const duplicates = await audiences.addLines(audience, readLines(recipients));
  const accepted = recipients.length - duplicates.length;
  const source = aSource({ accepted, duplicate: duplicates.length });
  return audiences.finishImport(id, audience, source, NOW + SECOND);
}

async function chats(id: CampaignId): Promise<number[]> {
  return (await ledger.audiences.recipients(id, 0, 1_000)).map(({ line }) => line);
}

/** Proves IMPORT-1 to IMPORT-5. */
describe('a campaign', () => {
  it.each([{ instance: 'other' }, { defaultCountry: 'DE' }])(
    'loses its audience when a changed definition (%j) makes the verdicts invalid',
    async (change) => {
      const id = await aCampaign();
      await imported(id, [recipient(2)]);
      const definition = { ...DEFINITION, ...change };
      const { campaign } = await ledger.audiences.define({ id, requestHash: 'h2', definition, nowMs: NOW });
      expect(campaign.audience).toBe(0);
      expect(campaign).not.toHaveProperty('imported');
      expect(await chats(id)).toEqual([]);
    },
  );
});

describe('an import', () => {
  it('becomes the audience when it is finished, and not earlier', async () => {
    const id = await aCampaign();
    const audience = await ledger.audiences.beginImport(id, NOW);
    await ledger.audiences.addLines(audience, readLines([recipient(2), recipient(3)], [REJECTED]));
    expect(await ledger.audiences.view(id, NOW)).toMatchObject({
      audience: 0,
      importing: { lines: 3, begunAt: '2026-03-01T10:00:00.000Z' },
    });
    expect(await chats(id)).toEqual([]);

    const source = aSource({ accepted: 2, bad_number: 1 });
    const finished = await ledger.audiences.finishImport(id, audience, source, NOW + SECOND);
    const view = await ledger.audiences.view(id, NOW);
    expect(finished).toEqual({ audience: view?.imported, unchanged: false });
    expect(view).toMatchObject({
      audience: 2,
      counts: { pending: 2 },
      imported: { lines: 3, verdicts: { accepted: 2, bad_number: 1 }, importedAt: '2026-03-01T10:00:01.000Z' },
    });
    expect(view).not.toHaveProperty('importing');
    expect(await ledger.audiences.recipients(id, 2, 10)).toEqual([known(recipient(3))]);
    expect(await ledger.audiences.rejects(id, 0, 10)).toEqual([REJECTED]);
  });

  it('keeps the first recipient of a chat, within a batch and across batches, and reports the others', async () => {
    const id = await aCampaign();
    const audience = await ledger.audiences.beginImport(id, NOW);
    const { audiences } = ledger;
    const first = await audiences.addLines(audience, readLines([recipient(2, 1), recipient(3, 2), recipient(4, 1)]));
    const second = await audiences.addLines(audience, readLines([recipient(5, 2), recipient(6, 3)]));
    expect([first, second]).toMatchObject([[{ line: 4 }], [{ line: 5 }]]);
    await audiences.finishImport(id, audience, aSource({ accepted: 3, duplicate: 2 }), NOW);
    expect(await chats(id)).toEqual([2, 3, 6]);
    const duplicate = (line: number, chatId: string, duplicateOf: number): RejectedLine => ({
      line,
      reason: 'duplicate',
      value: chatId,
      chatId,
      columns: { phone: chatId },
      duplicateOf,
    });
    const expected = [duplicate(4, '15550000001@c.us', 2), duplicate(5, '15550000002@c.us', 3)];
    expect(await audiences.rejects(id, 0, 10)).toEqual(expected);
    expect([...first, ...second]).toEqual(expected);
  });

  it('keeps values unchanged, whatever they contain', async () => {
    const id = await aCampaign();
    const values = { quote: `"'\\ {},\n\t`, name: 'Zoë 🎈', nothing: '', 'a b': 'null' };
    await imported(id, [recipient(2, 2, values)]);
    expect(await ledger.audiences.recipients(id, 0, 1)).toEqual([known(recipient(2, 2, values))]);
  });

  it('replaces the previous audience at once', async () => {
    const id = await aCampaign();
    await imported(id, [recipient(2), recipient(3)]);
    expect(await imported(id, [recipient(5)])).toMatchObject({ unchanged: false });
    expect(await chats(id)).toEqual([5]);
    expect(await ledger.audiences.view(id, NOW)).toMatchObject({ audience: 1, imported: { lines: 1 } });
  });

  it('ends at the last line that message ids can name', async () => {
    const audience = await ledger.audiences.beginImport(await aCampaign(), NOW);
    expect(await ledger.audiences.addLines(audience, readLines([recipient(LARGEST_LINE)]))).toEqual([]);
    await expect(
      ledger.audiences.addLines(audience, readLines([recipient(LARGEST_LINE + 1, 7)])),
    ).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
    });
  });

  it('accepts no more lines after another import has begun, and cannot be finished', async () => {
    const id = await aCampaign();
    const slow = await ledger.audiences.beginImport(id, NOW);
    await ledger.audiences.addLines(slow, readLines([recipient(2)]));
    const quick = await ledger.audiences.beginImport(id, NOW);
    await expect(ledger.audiences.addLines(slow, readLines([recipient(3)]))).rejects.toMatchObject({
      code: 'IMPORT_SUPERSEDED',
    });
    await expect(ledger.audiences.finishImport(id, slow, aSource({ accepted: 1 }), NOW)).rejects.toMatchObject({
      code: 'IMPORT_SUPERSEDED',
    });
    await ledger.audiences.addLines(quick, readLines([recipient(4)]));
    await ledger.audiences.finishImport(id, quick, aSource({ accepted: 1 }), NOW);
    expect(await chats(id)).toEqual([4]);
  });

  it('becomes no audience when lines are missing: that is a bug', async () => {
    const id = await aCampaign();
    const audience = await ledger.audiences.beginImport(id, NOW);
    await ledger.audiences.addLines(audience, readLines([recipient(2)]));
    await expect(ledger.audiences.finishImport(id, audience, aSource({ accepted: 2 }), NOW)).rejects.toMatchObject({
      code: 'INTERNAL',
    });
    expect(await chats(id)).toEqual([]);
  });
});

describe('missing values', () => {
  it('are counted for each variable, with the first line that lacks it', async () => {
    const id = await aCampaign();
    const audience = await ledger.audiences.beginImport(id, NOW);
    await ledger.audiences.addLines(audience, readLines([recipient(7), recipient(8), recipient(9)]));
    const columns = {
      name: { name: 'Name', recipients: 3 },
      city: { name: 'city', recipients: 1, firstMissingLine: 8 },
    };
    await ledger.audiences.finishImport(id, audience, aSource({ accepted: 3 }, { columns }), NOW);
    expect(await ledger.audiences.missingValues(id, ['name', 'city', 'nowhere', 'toString'])).toEqual([
      { variable: 'city', recipients: 2, firstLine: 8 },
      { variable: 'nowhere', recipients: 3, firstLine: 7 },
      { variable: 'toString', recipients: 3, firstLine: 7 },
    ]);
  });
});

describe('a campaign that exists only for a plan', () => {
  const HOUR = 60 * 60 * SECOND;

  async function aPlan(planUntilMs = NOW + HOUR): Promise<CampaignId> {
    const id = `plan-${randomUUID()}` as CampaignId;
    await ledger.audiences.define({ id, requestHash: 'h', definition: DEFINITION, nowMs: NOW, planUntilMs });
    await imported(id, [recipient(2), recipient(3)]);
    return id;
  }

  it('has its recipients, is in no list and never starts', async () => {
    const id = await aPlan();
    expect(await chats(id)).toEqual([2, 3]);
    const { items } = await ledger.audiences.list({ limit: 500 }, NOW);
    expect(items.map((campaign) => campaign.id)).not.toContain(id);
    await expect(ledger.campaigns.start(id, 'default', NOW)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('only for a plan'),
    });
    await ledger.audiences.removePlan(id);
  });

  it('is removed with its recipients, also during an import, which then ends', async () => {
    const id = await aPlan();
    const underWay = await ledger.audiences.beginImport(id, NOW);
    await ledger.audiences.removePlan(id);
    expect(await ledger.audiences.view(id, NOW)).toBeUndefined();
    await expect(ledger.audiences.addLines(underWay, readLines([recipient(2)]))).rejects.toMatchObject({
      code: 'IMPORT_SUPERSEDED',
    });
    await expect(ledger.audiences.removePlan(id)).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
  });

  it('is removed when its time is over, if its command was killed', async () => {
    const [old, young] = [await aPlan(NOW + HOUR), await aPlan(NOW + 3 * HOUR)];
    expect(await ledger.audiences.removeOldPlans(NOW + 2 * HOUR)).toBe(1);
    expect(await ledger.audiences.view(old, NOW)).toBeUndefined();
    expect(await ledger.audiences.view(young, NOW)).toMatchObject({ id: young });
    expect(await ledger.audiences.removeOldPlans(NOW + 2 * HOUR)).toBe(0);
    await ledger.audiences.removePlan(young);
  });

  it('is never confused with a real campaign of the same id', async () => {
    const plan = await aPlan();
    const asCampaign = { id: plan, requestHash: 'h', definition: DEFINITION, nowMs: NOW };
    await expect(ledger.audiences.define(asCampaign)).rejects.toMatchObject({ code: 'CAMPAIGN_FROZEN' });
    await expect(ledger.audiences.open(asCampaign)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    await ledger.audiences.removePlan(plan);

    const id = await aCampaign();
    await expect(ledger.audiences.define({ ...asCampaign, id, planUntilMs: NOW + HOUR })).rejects.toMatchObject({
      code: 'CAMPAIGN_FROZEN',
    });
    await expect(ledger.audiences.removePlan(id)).rejects.toMatchObject({ code: 'CAMPAIGN_FROZEN' });
    expect(await ledger.audiences.view(id, NOW)).toMatchObject({ id, state: 'draft' });
  });
});
