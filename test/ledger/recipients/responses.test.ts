/** Proves RESPONSE-1 to RESPONSE-4. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignDefinition } from '../../../src/contract/index.js';
import type { IncomingResponse, ReportRow } from '../../../src/ledger/index.js';
import { runs } from '../../support/runs.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();
const HOUR = 60 * MINUTE;

/** A campaign whose messages were sent at `sentAtMs`. */
async function aCampaign({
  instance = `i-${randomUUID().slice(0, 8)}`,
  sentAtMs = NOW,
  recipients = 2,
  ...definition
}: Partial<CampaignDefinition> & { sentAtMs?: number; recipients?: number } = {}) {
  const campaign = await new CampaignCast(ledger, instance).running(recipients, definition);
  await campaign.receive(await campaign.dispatched(recipients, 'accepted', sentAtMs), 'sent', sentAtMs, sentAtMs);
  const [{ chatId, messageId, idMessage = '' }] = (await campaign.report()) as [ReportRow];
  return { campaign, instance, chatId, messageId, idMessage };
}

type Sent = Awaited<ReturnType<typeof aCampaign>>;

function writes({ instance, chatId }: Sent, atMs: number, over: Partial<IncomingResponse> = {}): Promise<void> {
  return ledger.responses.record({ instance, chatId, atMs, idMessage: randomUUID(), isOptOut: false, ...over });
}

async function counts({ campaign }: Sent) {
  const { replied, optedOut } = (await ledger.campaigns.progress(campaign.id, NOW))!;
  return { replied, optedOut };
}

async function times({ campaign, messageId }: Sent) {
  const row = (await campaign.report()).find((one) => one.messageId === messageId);
  return { repliedAt: row?.repliedAt, optedOutAt: row?.optedOutAt };
}

const at = (ms: number) => new Date(ms).toISOString();

describe('a reply', () => {
  it('counts once for its recipient, from the send until repliesFor is over (RESPONSE-1, RESPONSE-2)', async () => {
    const sent = await aCampaign({ repliesFor: '2h' });
    await writes(sent, NOW - SECOND);
    await writes(sent, NOW + 2 * HOUR + SECOND);
    expect(await counts(sent)).toEqual({ replied: 0, optedOut: 0 });
    await writes(sent, NOW + 2 * HOUR);
    await writes(sent, NOW);
    expect(await counts(sent)).toEqual({ replied: 1, optedOut: 0 });
    expect(await times(sent)).toEqual({ repliedAt: at(NOW), optedOutAt: undefined });
  });

  it('counts for 72 hours by default, and by the time that an update has set', async () => {
    const sent = await aCampaign();
    await writes(sent, NOW + 3 * DAY + SECOND);
    expect(await counts(sent)).toMatchObject({ replied: 0 });
    await ledger.campaigns.update(sent.campaign.id, { repliesFor: '4d' }, NOW);
    await writes(sent, NOW + 3 * DAY + SECOND);
    expect(await counts(sent)).toMatchObject({ replied: 1 });
  });

  it('counts from the acceptance while no receipt has arrived', async () => {
    const campaign = await new CampaignCast(ledger).running(1);
    await campaign.dispatched(1);
    const [{ chatId, messageId }] = (await campaign.report()) as [ReportRow];
    const sent = { campaign, instance: campaign.instance, chatId, messageId, idMessage: '' };
    await writes(sent, NOW);
    expect(await counts(sent)).toMatchObject({ replied: 1 });
  });

  it('belongs to the newest campaign, or to that whose message it quotes (RESPONSE-1)', async () => {
    const older = await aCampaign();
    const newer = await aCampaign({ instance: older.instance, sentAtMs: NOW + HOUR });
    await writes(older, NOW + 30 * MINUTE);
    expect([await counts(older), await counts(newer)]).toMatchObject([{ replied: 1 }, { replied: 0 }]);
    await writes(older, NOW + 2 * HOUR, { quotedId: older.idMessage });
    expect([await counts(older), await counts(newer)]).toMatchObject([{ replied: 1 }, { replied: 0 }]);
    await writes(older, NOW + 2 * HOUR);
    expect([await counts(older), await counts(newer)]).toMatchObject([{ replied: 1 }, { replied: 1 }]);
  });

  it('to a message of no campaign, or to another instance, belongs to none (RESPONSE-1)', async () => {
    const sent = await aCampaign();
    await writes(sent, NOW, { quotedId: 'of another message' });
    await writes({ ...sent, instance: 'other' }, NOW);
    await writes({ ...sent, chatId: '15559999999@c.us' }, NOW);
    expect(await counts(sent)).toEqual({ replied: 0, optedOut: 0 });
  });

  it('counts under every id of its recipient', async () => {
    const sent = await aCampaign();
    const lid = '81234567890123@lid';
    await ledger.lids.learn([{ lid, chatId: sent.chatId }], 'notification', NOW);
    await writes(sent, NOW, { chatId: lid });
    expect(await counts(sent)).toMatchObject({ replied: 1 });
  });

  it('is one event, however often it arrives (RESPONSE-3)', async () => {
    const sent = await aCampaign({ reference: 'spring' });
    const { instance, campaign, messageId } = sent;
    const endpoint = {
      id: `evp_${randomUUID()}`,
      instance,
      events: ['campaign.replied'],
      raw: false,
      requestHash: 'h',
    };
    await ledger.eventEndpoints.create(endpoint, NOW);
    for (const atMs of [NOW + MINUTE, NOW, NOW + MINUTE]) await writes(sent, atMs, { idMessage: `R${atMs}` });
    // Another database of the server may hold events back for a moment.
    const events = async () => (await ledger.events.list({ instance, limit: 10 })).items;
    await expect.poll(events).toMatchObject([
      {
        type: 'campaign.replied',
        timestamp: at(NOW + MINUTE),
        data: { id: campaign.id, messageId, line: 2, idMessage: `R${NOW + MINUTE}`, reference: 'spring' },
      },
    ]);
  });

  it('stays counted when the messages are removed (RESPONSE-4)', async () => {
    const sent = await aCampaign({ recipients: 1 });
    await writes(sent, NOW);
    await sent.campaign.endIfDone(NOW + SECOND);
    const later = NOW + 400 * DAY;
    await ledger.retention.removeMessages({ nowMs: later, keptSinceMs: later - DAY });
    expect(await ledger.messages.snapshot(sent.messageId)).toBeUndefined();
    expect(await counts(sent)).toEqual({ replied: 1, optedOut: 0 });
  });
});

describe('an opt-out', () => {
  it('is no reply, and a recipient may have written both (RESPONSE-2)', async () => {
    const sent = await aCampaign();
    await writes(sent, NOW + MINUTE, { isOptOut: true });
    expect(await counts(sent)).toEqual({ replied: 0, optedOut: 1 });
    await writes(sent, NOW);
    expect(await counts(sent)).toEqual({ replied: 1, optedOut: 1 });
    expect(await times(sent)).toEqual({ repliedAt: at(NOW), optedOutAt: at(NOW + MINUTE) });
  });

  it('that an operator dismisses is a reply, and again an opt-out if it is accepted after all (RESPONSE-2)', async () => {
    const sent = await aCampaign();
    const { instance, chatId } = sent;
    const said = { instance, chatId, idMessage: 'P1', atMs: NOW };
    const possible = { ...said, text: 'stop please', word: 'stop', language: 'en', nowMs: NOW };
    const hear = async () => {
      const recorded = await ledger.possibleOptOuts.record(possible);
      await writes(sent, NOW, { idMessage: 'P1', isOptOut: recorded !== 'dismissed' });
      return recorded;
    };
    expect(await hear()).toBe('open');
    expect(await counts(sent)).toEqual({ replied: 0, optedOut: 1 });
    const [open] = (await ledger.possibleOptOuts.list({ instance })).items;
    const decision = { id: open?.id ?? '', by: 'key ops', nowMs: NOW };
    await ledger.possibleOptOuts.dismiss(decision);
    expect(await counts(sent)).toEqual({ replied: 1, optedOut: 0 });
    expect(await hear()).toBe('dismissed');
    expect(await counts(sent)).toEqual({ replied: 1, optedOut: 0 });
    await ledger.possibleOptOuts.accept(decision);
    expect(await counts(sent)).toEqual({ replied: 0, optedOut: 1 });
    expect(await times(sent)).toEqual({ repliedAt: undefined, optedOutAt: at(NOW) });
  });
});

it('any order and repetition of notifications gives the same result (RESPONSE-3)', async () => {
  const messages = fc.array(fc.record({ second: fc.integer({ min: 0, max: 5 }), isOptOut: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(messages, fc.infiniteStream(fc.nat()), async (written, order) => {
      const sent = await aCampaign({ recipients: 1 });
      const named = written.map((message, index) => ({ ...message, idMessage: `M${index}` }));
      const arrivals = [...named, ...named]
        .map((message) => ({ message, key: order.next().value as number }))
        .toSorted((one, other) => one.key - other.key);
      for (const { message } of arrivals) await writes(sent, NOW + message.second * SECOND, message);
      const first = (isOptOut: boolean) => {
        const seconds = named.filter((message) => message.isOptOut === isOptOut).map(({ second }) => second);
        return seconds.length === 0 ? undefined : at(NOW + Math.min(...seconds) * SECOND);
      };
      const expected = { repliedAt: first(false), optedOutAt: first(true) };
      expect(await times(sent)).toEqual(expected);
      expect(await counts(sent)).toEqual({
        replied: expected.repliedAt === undefined ? 0 : 1,
        optedOut: expected.optedOutAt === undefined ? 0 : 1,
      });
    }),
    { numRuns: runs(10) },
  );
});
