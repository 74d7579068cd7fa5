/** What a running amendment promises, and who never gets the text of a stop. */
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../support/ledger/ledger.js';
import { SECOND } from '../cast.js';
import { AmendCast, LATER } from './amend-cast.js';

const ledger = useLedger();

const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;

const aCampaign = (recipients: number): Promise<AmendCast> => new AmendCast(ledger).running(recipients);

describe('AMEND-7: what a running amendment promises', () => {
  it('computes again how many can be edited in time, and says how many fewer than planned', async () => {
    const c = await aCampaign(6);
    await c.sent(5);
    await c.dispatched(1);
    expect(await c.amend()).toMatchObject({ before: { reachable: 5, underWay: 1 } });
    const [first] = await c.opened();

    expect((await c.newest()).expected).toEqual({ edited: 6, missed: 0, promised: 6 });
    await c.finish(first!);
    const { editableUntil = '' } = (await ledger.views.message(first!.messageId, LATER))!;
    // There are turns now, in one and in two seconds.
    expect(await c.newest(Date.parse(editableUntil) - 3 * SECOND)).toMatchObject({
      counts: { edited: 1, pending: 5 },
      expected: { edited: 5, missed: 1, promised: 6 },
    });
  });

  it('says nothing before its edits are open, and after its end', async () => {
    const c = await aCampaign(1);
    await c.sent(1);
    expect(await c.amend()).not.toHaveProperty('expected');
    const [edit] = await c.opened();
    await c.finish(edit!);
    await ledger.amendments.endIfDone(c.id, LATER);
    expect(await c.newest()).not.toHaveProperty('expected');
  });
});

describe('AMEND-8: a retry after an amendment with stop', () => {
  const retry = { scopes: ['cancelled'] } as const;

  it('is refused while the campaign has the text of the stop, and sends another text', async () => {
    const c = await aCampaign(3);
    await c.sent(1);
    await c.amend('This was sent by mistake', { stop: true });
    await expect(ledger.campaigns.retry(c.id, retry, LATER)).rejects.toMatchObject({ code: 'CAMPAIGN_STOPPED' });
    expect(await c.states()).toMatchObject({ cancelled: 2 });

    await ledger.campaigns.update(c.id, { content: { kind: 'text', text: 'We open today' } }, LATER);
    expect(await ledger.campaigns.retry(c.id, retry, LATER)).toMatchObject({ recipients: 2 });
    const sent = { kind: 'text', text: 'We open today' };
    expect((await c.dispatched(2)).map(({ content }) => content)).toEqual([sent, sent]);
  });

  it('is allowed after a stop that changed no text', async () => {
    const c = await aCampaign(2);
    await c.sent(1);
    await c.amend('Hello {{name}}', { stop: true });
    expect(await ledger.campaigns.retry(c.id, retry, LATER)).toMatchObject({ recipients: 1 });
  });

  it('does not send a message of an ended campaign that turns out never to have been accepted', async () => {
    const c = await aCampaign(2);
    await c.sent(1);
    const { messageId: message } = await c.dispatchedOne(LOST);
    await c.markUnresolved(message);
    await c.endIfDone(LATER);
    await c.amend('This was sent by mistake', { stop: true });

    await ledger.reconciling.resolve(message, { outcome: 'not_accepted', witness: 'operator' }, LATER);
    expect(await c.states()).toEqual({ sent: 1, cancelled: 1 });
  });
});
