import { describe, expect, it } from 'vitest';
import { type MessageContent, type MessageId } from '../../../../src/contract/index.js';
import { renderContent } from '../../../../src/domain/index.js';
import type { DueAttempt, Ledger } from '../../../../src/ledger/index.js';
import { useLedger } from '../../../support/ledger/ledger.js';
import { CampaignCast, DAY } from '../../campaigns/campaign-life-cast.js';
import { NOW, SECOND } from '../../cast.js';
import { accepted, DispatchCast, other } from '../cast.js';

const ledger = useLedger();

type ReadAhead = Parameters<Ledger['dispatch']['readAhead']>[1];

const compose: ReadAhead['compose'] = ({ values, ownContent }, template) => ({
  content: ownContent ?? (renderContent(template, values) as unknown as MessageContent),
});

/** A running campaign and the dispatcher of its instance. */
async function castOf(recipients: number): Promise<{ campaign: CampaignCast; c: DispatchCast }> {
  const campaign = await new CampaignCast(ledger).running(recipients);
  const c = await DispatchCast.begun(ledger, {}, campaign.instance);
  return { campaign, c };
}

const read = async (campaign: CampaignCast, limit = 10, over: Partial<ReadAhead> = {}) =>
  (await ledger.dispatch.readAhead(campaign.id, { limit, compose, nowMs: NOW, ...over })).count;

const texts = (claimed: readonly DueAttempt[]) =>
  claimed.map(({ content }) => (content.kind === 'text' ? content.text : ''));

describe('reading a campaign ahead', () => {
  it('turns each recipient into one due message, in the order of the lines', async () => {
    const { campaign, c } = await castOf(5);
    expect(await ledger.dispatch.campaignsToRead([c.instance], 2, NOW)).toEqual([{ id: campaign.id, isMoving: false }]);
    expect(await read(campaign, 3)).toBe(3);
    expect(await ledger.dispatch.campaignsToRead([c.instance], 2, NOW)).toEqual([]);
    expect(await read(campaign, 3)).toBe(2);
    expect(await read(campaign, 3)).toBe(0);

    const claimed = await c.claim();

    expect(texts(claimed)).toEqual(['Hello P2', 'Hello P3', 'Hello P4', 'Hello P5', 'Hello P6']);
    expect(await campaign.states()).toEqual({ sending: 5 });
    expect(await ledger.dispatch.campaignsToRead([c.instance], 2, NOW)).toEqual([]);
  });

  it('ends suppressed recipients, and those whose content breaks a limit, at once', async () => {
    const { campaign, c } = await castOf(3);
    await ledger.suppressions.add({ chatId: '15550000002@c.us', instance: c.instance, scope: 'all', nowMs: NOW });
    await read(campaign, 10, {
      compose: (recipient, template) => ({
        ...compose(recipient, template),
        ...(recipient.line === 3 ? { problem: 'is too long' } : {}),
      }),
    });
    expect(await campaign.states()).toEqual({ pending: 1, rejected: 1, suppressed: 1 });
    expect((await campaign.report()).map(({ reason, reasonText }) => reasonText ?? reason)).toEqual([
      'suppressed_operator',
      'is too long',
      undefined,
    ]);
    expect(texts(await c.claim())).toEqual(['Hello P4']);
  });

  it('claims nothing while the campaign is paused, and continues when it is resumed', async () => {
    const { campaign, c } = await castOf(2);
    await read(campaign);
    await ledger.campaigns.pause(campaign.id, NOW);
    const { claimed, nextDueMs } = await c.tick();
    expect(claimed).toEqual([]);
    expect(nextDueMs).toBeUndefined();
    expect(await read(campaign)).toBe(0);
    await ledger.campaigns.resume(campaign.id, NOW);
    expect(await c.claim()).toHaveLength(2);
  });

  it('leaves no due message when the campaign is cancelled', async () => {
    const { campaign, c } = await castOf(3);
    await read(campaign, 2);
    await ledger.campaigns.cancel(campaign.id, 'operator', NOW);
    expect(await campaign.states()).toEqual({ cancelled: 3 });
    expect((await campaign.endIfDone()).state).toBe('cancelled');
    expect(await ledger.dispatch.dueInstances(1_000, NOW)).not.toContain(c.instance);
    expect(await ledger.dispatch.expireDue(1_000, NOW + 30 * DAY)).toBe(0);
  });

  it("posts the campaign's content at the claim: earlier composed messages are composed again", async () => {
    const { campaign, c } = await castOf(4);
    await read(campaign, 3);
    const content = { kind: 'text', text: 'Bye {{name}}' } as const;
    await ledger.campaigns.update(campaign.id, { content }, NOW);

    expect(await c.claim()).toEqual([]);
    expect(await ledger.dispatch.campaignsToRead([c.instance], 2, NOW)).toEqual([{ id: campaign.id, isMoving: false }]);
    expect(await read(campaign)).toBe(4);
    expect(texts(await c.claim())).toEqual(['Bye P2', 'Bye P3', 'Bye P4', 'Bye P5']);
  });

  it('writes no message whose content changed while it was composed', async () => {
    const { campaign, c } = await castOf(1);
    const content = { kind: 'text', text: 'Bye {{name}}' } as const;
    const seen: string[] = [];
    await read(campaign, 10, {
      compose: (recipient, template) => {
        seen.push(template.kind === 'text' ? String(template.text) : '');
        return compose(recipient, template);
      },
    });
    await ledger.campaigns.update(campaign.id, { content }, NOW);
    await c.claim();
    await read(campaign);
    expect(seen).toEqual(['Hello {{name}}']);
    expect(texts(await c.claim())).toEqual(['Bye P2']);
  });

  it('keeps the text of a single message that was edited', async () => {
    const { campaign, c } = await castOf(2);
    await read(campaign);
    const [first] = await campaign.report();
    if (first === undefined) throw new Error('no recipient');
    await ledger.edits.open({ editId: 'edt_1' as never, messageId: first.messageId, text: 'Mine', nowMs: NOW });
    const content = { kind: 'text', text: 'Bye {{name}}' } as const;
    await ledger.campaigns.update(campaign.id, { content }, NOW);
    expect(await c.claim()).toEqual([]);
    await read(campaign);
    expect(texts(await c.claim())).toEqual(['Mine', 'Bye P3']);
  });

  it('dispatches retried recipients again', async () => {
    const { campaign, c } = await castOf(2);
    await read(campaign);
    const claimed = await c.claim();
    await c.write(...claimed.map((attempt) => other(attempt, { kind: 'rejected', code: 'NO' })));
    expect(await campaign.states()).toEqual({ rejected: 2 });
    await ledger.campaigns.retry(campaign.id, { scopes: ['rejected'] } as never, NOW + SECOND);
    expect(await c.claim({ nowMs: NOW + SECOND })).toMatchObject([{ tries: 2 }, { tries: 2 }]);
  });

  it('creates a stream again for a retry of an ended campaign', async () => {
    const { campaign, c } = await castOf(2);
    await read(campaign);
    const claimed = await c.claim();
    await c.write(...claimed.map((attempt) => other(attempt, { kind: 'rejected', code: 'NO' })));
    expect((await campaign.endIfDone()).state).toBe('completed_with_failures');
    await ledger.dispatch.removeEndedStreams();
    await ledger.campaigns.retry(campaign.id, { scopes: ['rejected'] } as never, NOW + SECOND);
    expect(await c.claim({ nowMs: NOW + SECOND })).toEqual([]);
    expect(await ledger.dispatch.campaignsToRead([c.instance], 10, NOW)).toEqual([
      { id: campaign.id, isMoving: false },
    ]);
    expect(await read(campaign)).toBe(2);
    expect(await c.claim({ nowMs: NOW + SECOND })).toHaveLength(2);
    expect(await ledger.dispatch.campaignsToRead([c.instance], 10, NOW)).toEqual([]);
  });

  it('takes turns with the single messages of its class (DISPATCH-7)', async () => {
    const { campaign, c } = await castOf(4);
    await read(campaign);
    for (let count = 0; count < 4; count += 1) await c.take({ text: `single ${count}` });
    const room = { urgent: 9, high: 9, normal: 9, low: 9 };
    const isSingle = (text: string): boolean => text.startsWith('single');
    const together = texts(await c.claim({ free: 4, room })).map(isSingle);
    const alone = [];
    for (let count = 0; count < 4; count += 1) alone.push(...texts(await c.claim({ free: 1, room })).map(isSingle));
    for (const served of [together, alone]) {
      expect(served).toEqual([served[0], !served[0], served[0], !served[0]]);
    }
  });

  it('counts recipients by the changes that statements make, without a full count', async () => {
    const { campaign, c } = await castOf(6);
    await read(campaign, 5);
    const claimed = await c.claim({ free: 3 });
    const [first, next, last] = claimed;
    if (first === undefined || next === undefined || last === undefined) throw new Error('nothing was claimed');
    await c.write(accepted(first), other(next, { kind: 'unknown', code: 'LOST' }));
    await ledger.receipts.apply(
      c.instance,
      { kind: 'status', idMessage: `G-${first.token}`, status: 'read', atMs: NOW },
      NOW,
    );
    const counts = { pending: 3, sending: 1, unknown: 1, read: 1 };
    expect(await campaign.states()).toEqual(counts);
    // Folds the recorded changes.
    expect(await read(campaign, 1)).toBe(1);
    expect(await campaign.states()).toEqual(counts);
  });
});

describe('a recipient who was not read yet', () => {
  const idOf = async (campaign: CampaignCast, line: number): Promise<MessageId> => {
    const id = (await campaign.report()).find((row) => row.line === line)?.messageId;
    if (id === undefined) throw new Error(`no recipient on line ${line}`);
    return id;
  };

  it('has a row once a request names its id, is counted once and dispatched once', async () => {
    const { campaign, c } = await castOf(3);
    const id = await idOf(campaign, 4);
    const seen = await ledger.views.message(id, NOW);
    expect(seen).toMatchObject({ state: 'pending', campaignId: campaign.id, line: 4, content: { text: 'Hello P4' } });
    expect(await campaign.states()).toEqual({ pending: 3 });
    await read(campaign);
    expect(texts(await c.claim())).toEqual(['Hello P2', 'Hello P3', 'Hello P4']);
    expect(await campaign.states()).toEqual({ sending: 3 });
  });

  it("gets its own edited text, whatever the campaign's text becomes", async () => {
    const { campaign, c } = await castOf(2);
    const id = await idOf(campaign, 3);
    await ledger.edits.open({ editId: `edt_${id}` as never, messageId: id, text: 'For you alone', nowMs: NOW });
    await ledger.campaigns.update(campaign.id, { content: { kind: 'text', text: 'Changed for {{name}}' } }, NOW);
    await read(campaign);
    expect(texts(await c.claim())).toEqual(['Changed for P2', 'For you alone']);
  });

  it('is cancelled alone, and with its campaign', async () => {
    const { campaign, c } = await castOf(3);
    await ledger.messages.cancel(await idOf(campaign, 3), 'operator', NOW);
    const third = await idOf(campaign, 4);
    await ledger.views.message(third, NOW);
    expect(await campaign.states()).toEqual({ pending: 2, cancelled: 1 });
    await read(campaign, 1);
    await ledger.campaigns.cancel(campaign.id, 'operator', NOW);
    expect(await campaign.states()).toEqual({ cancelled: 3 });
    expect(await ledger.views.message(third, NOW)).toMatchObject({ state: 'cancelled', reason: 'cancelled' });
    expect(await c.claim()).toEqual([]);
    expect((await campaign.endIfDone()).state).toBe('cancelled');
  });

  it('is not lost when a request or an edit names it while its message is composed', async () => {
    const { campaign, c } = await castOf(2);
    const [first, second] = [await idOf(campaign, 2), await idOf(campaign, 3)];
    await ledger.views.message(second, NOW);
    let meanwhile: Promise<unknown> | undefined;
    const reading = read(campaign, 10, {
      compose: (recipient, template) => {
        meanwhile ??= Promise.all([
          ledger.views.message(first, NOW),
          ledger.edits.open({ editId: `edt_${second}` as never, messageId: second, text: 'Mine', nowMs: NOW }),
        ]);
        return compose(recipient, template);
      },
    });
    await reading;
    await meanwhile;
    await read(campaign);
    expect((await campaign.states()).pending).toBe(2);
    expect(texts(await c.claim()).toSorted()).toEqual(['Hello P2', 'Mine']);
  });

  it('is rejected with the template as the reason when the template can never be sent', async () => {
    const campaign = await new CampaignCast(ledger).running(1, {
      content: { kind: 'template', elementName: 'no_such', params: [] },
    });
    await read(campaign);
    expect(await campaign.report()).toMatchObject([{ state: 'rejected', reason: 'template_unknown' }]);
  });

  it('expires with its campaign, in parts, when the deadline has passed', async () => {
    const { campaign } = await castOf(3);
    await ledger.views.message(await idOf(campaign, 4), NOW);
    await read(campaign, 1);
    expect((await campaign.endIfDone(NOW + 30 * DAY)).state).toBe('expired');
    expect(await campaign.states()).toEqual({ expired: 3 });
  });
});
