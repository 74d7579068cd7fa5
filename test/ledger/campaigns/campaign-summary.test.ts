/** Proves SUMMARY-1 and SUMMARY-2: the counts of all blocks are those of the report's rows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LINES_PER_BLOCK, type CampaignId } from '../../../src/contract/index.js';
import { SUMMARY_EVENTS, type ReportRow } from '../../../src/ledger/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { runs } from '../../support/runs.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { CampaignCast } from './campaign-life-cast.js';

const ledger = useLedger();

async function summed(id: CampaignId, slotMs = MINUTE) {
  const outcomes: Record<string, number> = {};
  const events: Record<string, number> = {};
  let block = 0;
  for (let isLast = false; !isLast; block += 1) {
    const part = await ledger.campaigns.summaryPart(id, { block, slotMs });
    for (const { state, reason, recipients } of part.outcomes) {
      if (recipients > 0) outcomes[`${state} ${reason}`] = (outcomes[`${state} ${reason}`] ?? 0) + recipients;
    }
    for (const { event, slotMs: at, messages } of part.events) {
      const name = `${event} ${new Date(at).toISOString()}`;
      events[name] = (events[name] ?? 0) + messages;
    }
    ({ isLast } = part);
  }
  return { blocks: block, outcomes, events };
}

/** The same counts from the rows of the report. */
function counted(rows: readonly ReportRow[]) {
  const tally = (names: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  const times = rows.flatMap(({ state, acceptedAt, sentAt, deliveredAt, readAt, endedAt }) => {
    const isFailed = ['failed', 'no_account', 'rejected'].includes(state);
    const at = { accepted: acceptedAt, sent: sentAt, delivered: deliveredAt ?? readAt, read: readAt };
    return Object.entries({ ...at, failed: isFailed ? endedAt : undefined });
  });
  return {
    outcomes: tally(rows.map(({ state, reason = null }) => `${state} ${reason}`)),
    events: tally(times.flatMap(([event, at]) => (at === undefined ? [] : [`${event} ${at.slice(0, 16)}:00.000Z`]))),
  };
}

const STATUSES = ['sent', 'delivered', 'read', 'failed', 'no_account'] as const;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'bad chat', httpStatus: 400 } as const;

const receipt = fc.record({ status: fc.constantFrom(...STATUSES), gatewayMs: fc.nat(60_000), seenMs: fc.nat(600_000) });
/** What happens to the next recipient. */
const fate = fc.record({
  isRefused: fc.boolean(),
  atMs: fc.nat(900_000),
  receipts: fc.array(receipt, { maxLength: 3 }),
});

it('every recipient is counted once, and every time of a message, in any order of receipts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 8 }), fc.boolean(), async (fates, isCancelled) => {
      const campaign = await new CampaignCast(ledger).running(10);
      for (const { isRefused, atMs, receipts } of fates) {
        const { messageId } = await campaign.dispatchedOne(isRefused ? REFUSED : 'accepted', NOW + atMs);
        for (const { status, gatewayMs, seenMs } of isRefused ? [] : receipts) {
          const idMessage = `G-${messageId}-${NOW + atMs}`;
          const seenAt = NOW + atMs + seenMs;
          await ledger.receipts.apply(
            campaign.instance,
            { kind: 'status', idMessage, status, atMs: seenAt - gatewayMs },
            seenAt,
          );
        }
      }
      if (isCancelled) await ledger.campaigns.cancel(campaign.id, 'request', NOW + 1_800 * SECOND);
      const { outcomes, events } = await summed(campaign.id);
      expect({ outcomes, events }).toEqual(counted(await campaign.report()));
    }),
    { numRuns: runs(40) },
  );
});

it('an audience over several blocks is counted to its end, beside other campaigns and single messages', async () => {
  const recipients = 2 * LINES_PER_BLOCK + 5;
  const campaign = await new CampaignCast(ledger).running(recipients);
  await new CampaignCast(ledger, campaign.instance).running(3);
  const claimed = await campaign.dispatched(3);
  await campaign.receive(claimed, 'delivered', NOW + SECOND);
  const { blocks, outcomes, events } = await summed(campaign.id);
  expect(blocks).toBe(3);
  expect(outcomes).toEqual({ 'delivered null': 3, 'pending null': recipients - 3 });
  for (const event of SUMMARY_EVENTS.slice(0, 3)) expect(events[`${event} ${new Date(NOW).toISOString()}`]).toBe(3);
});

it('a draft without recipients has nothing to count', async () => {
  const { id } = await new CampaignCast(ledger).draft();
  expect(await summed(id)).toEqual({ blocks: 1, outcomes: {}, events: {} });
});
