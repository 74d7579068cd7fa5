import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EditId, MessageId } from '../../../src/contract/index.js';
import type { DueAttempt } from '../../../src/ledger/index.js';
import { acceptedAs, claimEdits, LOST, recordEdit, REJECTED } from '../../support/edits.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { CampaignCast } from './campaign-life-cast.js';

const ledger = useLedger();

const LATER = NOW + MINUTE;
const MAY_SEND_TWICE = { scopes: ['unknown'], maySendTwice: true } as const;

/** A campaign with one recipient, whose first message was posted as "Hello …". */
async function posted(outcome: Parameters<CampaignCast['dispatched']>[1] = 'accepted') {
  const campaign = await new CampaignCast(ledger).running(1);
  return { campaign, first: await campaign.dispatchedOne(outcome) };
}

async function edited({ messageId }: DueAttempt, text: string): Promise<EditId> {
  const editId = `edt_${randomUUID()}` as EditId;
  await ledger.edits.open({ editId, messageId, text, nowMs: NOW });
  return editId;
}

async function postedEdit(campaign: CampaignCast, first: DueAttempt, text: string) {
  const edit = await edited(first, text);
  const [due] = await claimEdits(ledger, campaign.instance, NOW);
  expect(due?.editId).toBe(edit);
  return { edit, due: due! };
}

async function amended(campaign: CampaignCast, text: string, nowMs: number): Promise<void> {
  await ledger.amendments.begin(campaign.id, { text }, { nowMs, spacingMs: () => SECOND });
  await ledger.amendments.openEdits(campaign.id, nowMs);
}

/** The text that the next attempt posts, and how the edits stand then. */
async function retried(campaign: CampaignCast, request: Parameters<typeof ledger.campaigns.retry>[1]) {
  await ledger.campaigns.retry(campaign.id, request, LATER);
  const attempt = await claimedOf(campaign);
  return { attempt, text: textOf(attempt?.content) };
}

/** A message with the campaign's former text is composed again before it is claimed. */
async function claimedOf(campaign: CampaignCast): Promise<DueAttempt | undefined> {
  return (await campaign.claim(1, LATER))[0] ?? (await campaign.claim(1, LATER))[0];
}

function textOf(content: object | undefined): unknown {
  return content !== undefined && 'text' in content ? content.text : undefined;
}

const editsOf = async (id: MessageId) =>
  (await ledger.views.message(id, LATER))?.edits.map(({ state, via }) => [state, via].join(' ').trim());

describe('EDITROW-8 the text of a recipient who is retried', () => {
  it('is that of an edit that the phone showed', async () => {
    const { campaign, first } = await posted();
    await campaign.receive([first], 'sent');
    const { edit } = await postedEdit(campaign, first, 'new');
    await ledger.dispatch.recordEditReading(edit, { kind: 'text', text: 'new' }, NOW);
    await campaign.receive([first], 'failed');

    expect(await retried(campaign, { scopes: ['failed'] })).toMatchObject({ text: 'new' });
    expect(await editsOf(first.messageId)).toEqual(['edited gateway']);
    await expect(ledger.views.message(first.messageId, LATER)).resolves.not.toHaveProperty('postedText');
  });

  it('is that of an edit whose request has left, and the edit has ended', async () => {
    const { campaign, first } = await posted();
    await campaign.receive([first], 'sent');
    const { due } = await postedEdit(campaign, first, 'new');
    await recordEdit(ledger, due, acceptedAs('E1'), NOW);
    await campaign.receive([first], 'no_account');

    expect(await retried(campaign, { scopes: ['no_account'] })).toMatchObject({ text: 'new' });
    expect(await editsOf(first.messageId)).toEqual(['edited before_send']);
    expect(await claimEdits(ledger, campaign.instance, LATER, { reads: 4 })).toEqual([]);
  });

  it('is that of an edit that waited when the message ended', async () => {
    const { campaign, first } = await posted();
    await edited(first, 'older');
    await edited(first, 'new');
    await campaign.receive([first], 'failed');
    expect(await editsOf(first.messageId)).toEqual(['superseded', 'not_possible']);

    expect(await retried(campaign, { scopes: ['failed'] })).toMatchObject({ text: 'new' });
    expect(await editsOf(first.messageId)).toEqual(['superseded', 'edited before_send']);
  });

  it('is that of the newest edit while the request of an older one may still arrive', async () => {
    const { campaign, first } = await posted();
    await campaign.receive([first], 'sent');
    const { due } = await postedEdit(campaign, first, 'older');
    await recordEdit(ledger, due, LOST, NOW);
    await edited(first, 'new');
    await campaign.receive([first], 'no_account');

    expect(await retried(campaign, { scopes: ['no_account'] })).toMatchObject({ text: 'new' });
    expect(await editsOf(first.messageId)).toEqual(['superseded', 'edited before_send']);
  });

  it('is not that of an edit that the gateway refused, or whose recipient was erased', async () => {
    const { campaign, first } = await posted();
    await campaign.receive([first], 'sent');
    const { due } = await postedEdit(campaign, first, 'refused');
    await recordEdit(ledger, due, REJECTED, NOW);
    await ledger.edits.eraseWaiting([await edited(first, 'erased')], NOW);
    await campaign.receive([first], 'failed');

    expect(await retried(campaign, { scopes: ['failed'] })).toMatchObject({ text: textOf(first.content) });
    expect(await editsOf(first.messageId)).toEqual(['refused', 'not_possible']);
  });

  it('is that of an edit that waited for an unresolved message, also after it was left unresolved', async () => {
    const { campaign, first } = await posted(LOST);
    await campaign.markUnresolved(first.messageId);
    await edited(first, 'new');
    expect(await editsOf(first.messageId)).toEqual(['pending']);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    await campaign.endIfDone();
    expect(await editsOf(first.messageId)).toEqual(['not_possible']);

    expect(await retried(campaign, MAY_SEND_TWICE)).toMatchObject({ text: 'new' });
    expect(await editsOf(first.messageId)).toEqual(['edited before_send']);
  });

  it('is that of an edit that waited, when an operator says that the message was not accepted', async () => {
    const { campaign, first } = await posted(LOST);
    await campaign.markUnresolved(first.messageId);
    await edited(first, 'new');
    const resolution = { outcome: 'not_accepted', witness: 'operator' } as const;
    await ledger.reconciling.resolve(first.messageId, resolution, LATER);

    expect(textOf((await claimedOf(campaign))?.content)).toBe('new');
  });

  it('is that of an amendment, also if the stream of the former text is gone when the message is pending again', async () => {
    const { campaign, first } = await posted(LOST);
    await amended(campaign, 'new', NOW);
    await ledger.dispatch.removeEndedStreams();
    const resolution = { outcome: 'not_accepted', witness: 'operator' } as const;
    await ledger.reconciling.resolve(first.messageId, resolution, LATER);
    expect(await editsOf(first.messageId)).toEqual(['edited before_send']);

    expect(textOf((await claimedOf(campaign))?.content)).toBe('new');
  });

  it('keeps its own text when the campaign gets another one', async () => {
    const { campaign, first } = await posted();
    await campaign.receive([first], 'sent');
    const { edit } = await postedEdit(campaign, first, 'new');
    await ledger.dispatch.recordEditReading(edit, { kind: 'text', text: 'new' }, NOW);
    await campaign.receive([first], 'failed');
    const content = { kind: 'text', text: 'Campaign' } as const;
    await ledger.campaigns.update(campaign.id, { content }, NOW);

    expect(await retried(campaign, { scopes: ['failed'] })).toMatchObject({ text: 'new' });
  });
});

describe('the text on the phone after a retry', () => {
  it('is not that of an edit of the former try', async () => {
    const { campaign, first } = await posted();
    await campaign.receive([first], 'sent');
    await amended(campaign, 'second', NOW);
    const [due] = await claimEdits(ledger, campaign.instance, NOW);
    await ledger.dispatch.recordEditReading(due!.editId, { kind: 'text', text: 'second' }, NOW);
    await campaign.receive([first], 'failed');
    await ledger.campaigns.update(campaign.id, { content: { kind: 'text', text: 'third' } }, NOW);
    await ledger.campaigns.retry(campaign.id, { scopes: ['failed'] }, LATER);
    const again = (await claimedOf(campaign))!;
    expect(textOf(again.content)).toBe('third');
    const idMessage = `G-${again.messageId}-${LATER}`;
    await ledger.dispatch.recordOutcomes([
      { token: again.token, outcome: { kind: 'accepted', idMessage, httpStatus: 200 }, atMs: LATER },
    ]);
    await campaign.receive([again], 'sent', LATER, LATER);
    expect((await campaign.report())[0]).toMatchObject({ sentVersion: '3', shownVersion: '3' });

    // The former try had this text.
    await amended(campaign, 'second', LATER);
    expect(await claimEdits(ledger, campaign.instance, LATER)).toMatchObject([{ post: { text: 'second' } }]);
  });

  it('is that of the former try, which was delivered after all', async () => {
    const { campaign, first } = await posted();
    await campaign.receive([first], 'failed');
    await ledger.campaigns.update(campaign.id, { content: { kind: 'text', text: 'second' } }, NOW);
    expect(await retried(campaign, { scopes: ['failed'] })).toMatchObject({ text: 'second' });
    await campaign.receive([first], 'delivered', LATER);

    const view = await ledger.views.message(first.messageId, LATER);
    expect(view).toMatchObject({ state: 'delivered', content: first.content });
  });
});
