/** Sources that are added to an audience. Proves ADD-1 to ADD-3. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  RECIPIENT_VERDICTS,
  zeroOfEach,
  type CampaignId,
  type Recipient,
  type RejectedLine,
  type VerdictCounts,
} from '../../../src/contract/index.js';
import type { ImportedSource } from '../../../src/ledger/index.js';
import { readLines } from '../../support/campaign.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { NOW } from '../cast.js';

const ledger = useLedger();

async function aCampaign(): Promise<CampaignId> {
  const id = `c-${randomUUID()}` as CampaignId;
  const definition = { instance: 'main', content: { kind: 'text', text: 'Hello' } } as const;
  await ledger.audiences.open({ id, requestHash: 'h', definition, nowMs: NOW });
  return id;
}

function recipient(line: number, chat: string): Recipient {
  return { line, chatId: `${chat}@c.us`, values: {} };
}

function rejected(line: number): RejectedLine {
  return { line, reason: 'country_missing', value: '0151 1', columns: { phone: '0151 1' } };
}

function aSource(counts: Partial<VerdictCounts>, hash: string = randomUUID()): ImportedSource {
  const verdicts = { ...zeroOfEach(RECIPIENT_VERDICTS), ...counts };
  const lines = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  return { hash, lines, verdicts, columns: {} };
}

/** Lines 2 and 3 are recipients, line 4 is rejected. */
async function imported(): Promise<CampaignId> {
  const id = await aCampaign();
  const no = await ledger.audiences.beginImport(id, NOW);
  await ledger.audiences.addLines(
    no,
    readLines([recipient(2, '5511987654321'), recipient(3, '15550000003')], [rejected(4)]),
  );
  await ledger.audiences.finishImport(id, no, aSource({ accepted: 2, country_missing: 1 }, 'first'), NOW);
  return id;
}

async function linesOf(id: CampaignId) {
  const [recipients, rejects] = [
    await ledger.audiences.recipients(id, 0, 100),
    await ledger.audiences.rejects(id, 0, 100),
  ];
  return { recipients: recipients.map(({ line }) => line), rejects: rejects.map(({ line }) => line) };
}

describe('an addition', () => {
  it('keeps the audience, numbers its lines from the next million, and finds duplicates of earlier lines', async () => {
    const id = await imported();
    const begun = await ledger.audiences.beginAddition(id, NOW);
    expect(begun).toMatchObject({ afterLine: 1_000_000, lines: 3, firstLine: 2 });
    const duplicates = await ledger.audiences.addLines(
      begun.no,
      readLines([recipient(1_000_002, '551187654321'), recipient(1_000_003, '15550000004')]),
    );
    // The same recipient in another spelling.
    expect(duplicates).toMatchObject([{ line: 1_000_002, reason: 'duplicate', duplicateOf: 2 }]);
    expect(await linesOf(id)).toEqual({ recipients: [2, 3], rejects: [4] });

    const source = aSource({ accepted: 3, country_missing: 1, duplicate: 1 }, 'second');
    const { audience } = await ledger.audiences.finishImport(id, begun.no, source, NOW);
    expect(audience).toMatchObject({ lines: 5, additions: 1 });
    expect(await linesOf(id)).toEqual({ recipients: [2, 3, 1_000_003], rejects: [4, 1_000_002] });
    expect((await ledger.audiences.beginAddition(id, NOW)).afterLine).toBe(2_000_000);
  });

  it.each(['first', 'second'])('changes nothing when the %s source is added again', async (hash) => {
    const id = await imported();
    const begun = await ledger.audiences.beginAddition(id, NOW);
    await ledger.audiences.addLines(begun.no, readLines([recipient(1_000_002, '15550000004')]));
    await ledger.audiences.finishImport(id, begun.no, aSource({ accepted: 3, country_missing: 1 }, 'second'), NOW);
    const before = await ledger.audiences.view(id, NOW);

    const again = await ledger.audiences.beginAddition(id, NOW);
    await ledger.audiences.addLines(again.no, readLines([recipient(2_000_002, '15550000009')]));
    const source = aSource({ accepted: 4, country_missing: 1 }, hash);
    expect(await ledger.audiences.finishImport(id, again.no, source, NOW)).toMatchObject({ unchanged: true });
    expect(await ledger.audiences.view(id, NOW)).toEqual(before);
    expect(await linesOf(id)).toEqual({ recipients: [2, 3, 1_000_002], rejects: [4] });
  });

  it('replaces the rejected lines that it corrects, if they have the same verdict', async () => {
    const id = await imported();
    const begun = await ledger.audiences.beginAddition(id, NOW);
    const corrected = [
      { line: 4, reason: 'country_missing' },
      { line: 3, reason: 'bad_number' },
      { line: 4, reason: 'bad_number' },
    ] as const;
    expect(await ledger.audiences.removeCorrected(begun.no, corrected)).toEqual(['country_missing']);
    await ledger.audiences.addLines(begun.no, readLines([recipient(1_000_002, '4915112345678')]));
    await ledger.audiences.finishImport(id, begun.no, aSource({ accepted: 3 }), NOW);
    expect(await linesOf(id)).toEqual({ recipients: [2, 3, 1_000_002], rejects: [] });
  });

  it('leaves the audience as it was when it is abandoned, or another import begins', async () => {
    const id = await imported();
    const first = await ledger.audiences.beginAddition(id, NOW);
    await ledger.audiences.addLines(first.no, readLines([recipient(1_000_002, '15550000004')]));
    await ledger.audiences.abandonImport(first.no);
    const second = await ledger.audiences.beginAddition(id, NOW);
    await ledger.audiences.beginImport(id, NOW);
    const adding = ledger.audiences.addLines(second.no, readLines([recipient(1_000_002, '15550000004')]));
    await expect(adding).rejects.toMatchObject({ code: 'IMPORT_SUPERSEDED' });
    const finishing = ledger.audiences.finishImport(id, second.no, aSource({ accepted: 2 }), NOW);
    await expect(finishing).rejects.toMatchObject({ code: 'IMPORT_SUPERSEDED' });
    expect(await linesOf(id)).toEqual({ recipients: [2, 3], rejects: [4] });
  });

  it('knows a lid by the number that it belongs to', async () => {
    const id = await imported();
    await ledger.lids.learn([{ lid: '77000123@lid', chatId: '15550000003@c.us' }], 'group', NOW);
    const { no } = await ledger.audiences.beginAddition(id, NOW);
    const lid = { line: 1_000_002, chatId: '77000123@lid', values: {} };
    expect(await ledger.audiences.addLines(no, readLines([lid]))).toMatchObject([{ duplicateOf: 3 }]);
  });

  it('is refused for a campaign that was started, or has no recipients', async () => {
    const empty = await aCampaign();
    await expect(ledger.audiences.beginAddition(empty, NOW)).rejects.toMatchObject({ code: 'CAMPAIGN_EMPTY' });
    const id = await imported();
    await ledger.campaigns.start(id, 'default', NOW, { acceptRejected: true });
    await expect(ledger.audiences.beginAddition(id, NOW)).rejects.toMatchObject({ code: 'CAMPAIGN_FROZEN' });
  });
});

describe('a start', () => {
  it('is refused while more than 5 % of the lines were rejected, unless that is accepted', async () => {
    const id = await imported();
    await expect(ledger.campaigns.start(id, 'default', NOW)).rejects.toMatchObject({
      code: 'CAMPAIGN_REJECTED_LINES',
      problems: [
        { path: 'recipients.country_missing', message: expect.stringContaining('1 line: set defaultCountry') },
      ],
    });
    expect(await ledger.campaigns.start(id, 'default', NOW, { acceptRejected: true })).toMatchObject({
      state: 'running',
    });
  });

  it('does not count duplicates', async () => {
    const id = await aCampaign();
    const no = await ledger.audiences.beginImport(id, NOW);
    await ledger.audiences.addLines(no, readLines([recipient(2, '15550000001'), recipient(3, '15550000001')]));
    await ledger.audiences.finishImport(id, no, aSource({ accepted: 1, duplicate: 1 }), NOW);
    expect(await ledger.campaigns.start(id, 'default', NOW)).toMatchObject({ state: 'running' });
  });
});
