import { describe, expect, it } from 'vitest';
import type { CampaignDefinition, CampaignId } from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import { aDatabase, useLedger } from '../../support/ledger/ledger.js';
import { showQueue } from '../../support/shift.js';
import { CampaignCast, DAY, NAMESPACE } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const aCampaign = (): CampaignCast => new CampaignCast(ledger);
const running = (recipients: number, definition?: Partial<CampaignDefinition>) =>
  aCampaign().running(recipients, definition);
const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'bad chat', httpStatus: 400 } as const;

/** Proves CAMPAIGN-1 to CAMPAIGN-5 and CAMPAIGN-7. */
describe('a start', () => {
  it('freezes the audience and the deadline, and happens once', async () => {
    const campaign = await (await aCampaign().draft()).imported(3);
    const first = await campaign.start();
    expect(first).toMatchObject({
      state: 'running',
      audience: 3,
      counts: { pending: 3 },
      startedAt: '2026-03-01T10:00:00.000Z',
      deadlineAt: '2026-03-08T10:00:00.000Z',
    });
    expect(await campaign.start(NOW + DAY)).toEqual(first);
    await expect(ledger.audiences.beginImport(campaign.id, NOW)).rejects.toMatchObject({ code: 'CAMPAIGN_FROZEN' });
  });

  it('is refused for an unknown campaign, for one without recipients, and after an interrupted import', async () => {
    const unknown = ledger.campaigns.start('missing' as CampaignId, NAMESPACE, NOW);
    await expect(unknown).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
    const campaign = await aCampaign().draft();
    await expect(campaign.start()).rejects.toMatchObject({ code: 'CAMPAIGN_EMPTY' });
    await campaign.imported(1);
    await ledger.audiences.beginImport(campaign.id, NOW);
    await expect(campaign.start()).rejects.toMatchObject({ code: 'CAMPAIGN_INCOMPLETE' });
  });

  it('is refused when a recipient lacks a value without fallback, and names variable and line', async () => {
    const campaign = await aCampaign().draft({
      content: { kind: 'text', text: 'Hi {{name}}, {{city|there}} {{code}}' },
    });
    const columns = {
      name: { name: 'name', recipients: 3 },
      city: { name: 'City', recipients: 0, firstMissingLine: 2 },
      code: { name: 'code', recipients: 1, firstMissingLine: 3 },
    };
    await campaign.imported(3, { columns });
    await expect(campaign.start()).rejects.toMatchObject({
      code: 'CAMPAIGN_INCOMPLETE',
      problems: [
        { path: 'content {{code}}', message: expect.stringMatching(/2 of the recipients, the first on line 3/) },
      ],
    });
    expect(await ledger.campaigns.state(campaign.id)).toBe('draft');
  });
});

describe('pause and resume', () => {
  it('keep every recipient pending, and no recipient is claimed in between', async () => {
    const campaign = await running(4);
    await campaign.dispatched(1);
    expect(await ledger.campaigns.pause(campaign.id, NOW)).toMatchObject({ state: 'paused' });
    expect(await campaign.claim(4)).toEqual([]);
    expect(await campaign.states()).toEqual({ pending: 3, accepted: 1 });
    expect(await ledger.campaigns.resume(campaign.id, NOW)).toMatchObject({ state: 'running' });
    expect(await campaign.claim(4)).toHaveLength(3);
  });

  it('may be repeated, and are refused before the start and after the end', async () => {
    const campaign = await (await aCampaign().draft()).imported(1);
    const pause = () => ledger.campaigns.pause(campaign.id, NOW);
    await expect(pause()).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_STARTED' });
    await campaign.start();
    const paused = await pause();
    expect(await pause()).toEqual(paused);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    await expect(pause()).rejects.toMatchObject({ code: 'CAMPAIGN_ENDED' });
    await expect(ledger.campaigns.resume(campaign.id, NOW)).rejects.toMatchObject({ code: 'CAMPAIGN_ENDED' });
  });

  it('report how many requests are under way, until when, and how many items are queued', async () => {
    const campaign = await running(5);
    await campaign.dispatched(2);
    await campaign.claim(1);
    expect(await ledger.campaigns.underWay(campaign.id)).toEqual({
      sending: 1,
      reconcileAfterMs: NOW + 35 * SECOND,
      inQueue: 2,
    });
  });
});

describe('a cancel', () => {
  it('ends pending recipients with its witness, and reconciles the rest before the campaign ends', async () => {
    const campaign = await running(5);
    const lost = await campaign.dispatchedOne(LOST);
    const accepted = await campaign.dispatched(1);
    const busy = await campaign.dispatchedOne({ kind: 'not_accepted', code: 'GATEWAY_BUSY' });

    const cancelled = await ledger.campaigns.cancel(campaign.id, 'workflow terminated', NOW);

    expect(cancelled).toMatchObject({ state: 'cancelling', counts: { cancelled: 3, unknown: 1, accepted: 1 } });
    const view = await ledger.views.message(busy.messageId, NOW);
    expect(view?.evidence.at(-1)).toMatchObject({ witness: 'workflow terminated', what: 'cancelled' });
    expect(await campaign.endIfDone()).toMatchObject({ state: 'cancelling' });

    await ledger.dispatch.recordOutcomes([
      { token: lost.token, outcome: { kind: 'not_accepted', code: 'X' }, atMs: NOW },
    ]);
    expect(await campaign.states()).toEqual({ cancelled: 4, accepted: 1 });
    await campaign.receive(accepted, 'delivered');
    expect(await campaign.endIfDone()).toMatchObject({ state: 'cancelled', counts: { cancelled: 4, delivered: 1 } });
  });

  it('ends a draft at once', async () => {
    const campaign = await (await aCampaign().draft()).imported(2);
    expect(await ledger.campaigns.cancel(campaign.id, 'request', NOW)).toMatchObject({
      state: 'cancelled',
      audience: 2,
      counts: { cancelled: 2 },
    });
  });

  it('changes nothing the second time, and is refused once the campaign has ended', async () => {
    const campaign = await running(1);
    const cancelled = await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    expect(await ledger.campaigns.cancel(campaign.id, 'request', NOW + 1)).toEqual(cancelled);
    const done = await running(1);
    await done.receive(await done.dispatched(1), 'delivered');
    await done.endIfDone();
    await expect(ledger.campaigns.cancel(done.id, 'request', NOW)).rejects.toMatchObject({ code: 'CAMPAIGN_ENDED' });
  });

  it('leaves an unresolved recipient unresolved, and does not wait for it', async () => {
    const campaign = await running(1);
    const lost = await campaign.dispatchedOne(LOST);
    await campaign.markUnresolved(lost.messageId);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    expect(await campaign.endIfDone(NOW + SECOND)).toMatchObject({ state: 'cancelled', counts: { unresolved: 1 } });
    expect(await campaign.told(lost.messageId)).toContain('left_unresolved');
  });
});

describe('the end of a campaign', () => {
  it('comes as soon as no recipient keeps the campaign open', async () => {
    const isFound = async ({ id }: CampaignCast) => (await ledger.campaigns.toEnd(NAMESPACE, NOW)).includes(id);
    const campaign = await running(3);
    expect(await isFound(campaign)).toBe(false);
    const accepted = await campaign.dispatched(2);
    const lost = await campaign.dispatchedOne(LOST);
    await campaign.receive(accepted, 'delivered');
    expect(await isFound(campaign)).toBe(false);
    await campaign.markUnresolved(lost.messageId);
    expect(await isFound(campaign)).toBe(false);
    await ledger.reconciling.resolve(lost.messageId, { outcome: 'accepted', witness: 'loopback' }, NOW);
    expect(await isFound(campaign)).toBe(true);
    expect(await campaign.endIfDone()).toMatchObject({ state: 'completed' });
    expect(await isFound(campaign)).toBe(false);
  });

  it('comes as soon as it is cancelled and no request is under way, with recipients who never had a message', async () => {
    const campaign = await running(3);
    const accepted = await campaign.dispatched(1);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    expect(await ledger.campaigns.toEnd(NAMESPACE, NOW)).not.toContain(campaign.id);
    await campaign.receive(accepted, 'sent');
    expect(await ledger.campaigns.toEnd(NAMESPACE, NOW)).toContain(campaign.id);
  });

  it('has failures when a recipient did not get the message', async () => {
    const campaign = await running(3);
    await campaign.receive(await campaign.dispatched(1), 'no_account');
    await campaign.receive(await campaign.dispatched(1), 'sent');
    await campaign.dispatched(1, REFUSED);
    expect(await campaign.endIfDone()).toMatchObject({
      state: 'completed_with_failures',
      counts: { no_account: 1, sent: 1, rejected: 1 },
    });
  });

  it('is expired when the deadline left a recipient pending, and waits for all posted recipients', async () => {
    const campaign = await running(4, { deadline: new Date(NOW + MINUTE).toISOString() });
    const posted = await campaign.dispatched(1);
    const lost = await campaign.dispatchedOne(LOST);
    await campaign.markUnresolved(lost.messageId);
    expect(await campaign.endIfDone(NOW + MINUTE - 1)).toMatchObject({
      counts: { pending: 2, unresolved: 1, accepted: 1 },
    });

    expect(await campaign.endIfDone(NOW + MINUTE)).toMatchObject({
      state: 'running',
      counts: { expired: 2, unresolved: 1, accepted: 1 },
    });
    await campaign.receive(posted, 'sent');
    expect(await campaign.endIfDone(NOW + 2 * MINUTE)).toMatchObject({ state: 'expired' });
    expect((await campaign.report()).filter(({ state }) => state === 'expired')).toMatchObject([
      { reason: 'expired_before_sending' },
      { reason: 'expired_before_sending' },
    ]);
  });

  it('comes also during a pause, when every recipient was posted to', async () => {
    const campaign = await running(1);
    const posted = await campaign.dispatched(1);
    await ledger.campaigns.pause(campaign.id, NOW);
    await campaign.receive(posted, 'read' as 'delivered');
    expect(await campaign.endIfDone()).toMatchObject({ state: 'completed' });
  });

  it('waits until the time for receipts of accepted messages has passed', async () => {
    const campaign = await running(1);
    const posted = await campaign.dispatchedOne();
    expect(await campaign.endIfDone(NOW + DAY)).toMatchObject({ state: 'running' });
    await ledger.messages.expire(posted.messageId, NOW + DAY + 16 * MINUTE);
    expect(await campaign.endIfDone(NOW + DAY + 16 * MINUTE)).toMatchObject({
      state: 'completed',
      counts: { accepted: 1 },
    });
  });

  it('waits until the totals add up to the audience, and names both numbers', async () => {
    const { db, ledger: own, close } = await aDatabase();
    const campaign = await new CampaignCast(own).running(2);
    await campaign.receive(await campaign.dispatched(2), 'delivered');
    await db.deleteFrom('recipients').where('line', '=', 3).execute();

    await expect(campaign.endIfDone()).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(/audience is 2, but it has 1 recipients/),
    });
    expect(await own.campaigns.state(campaign.id)).toBe('running');
    await close();
  });

  it('is reversed when an operator makes a recipient pending', async () => {
    const campaign = await running(1, { deadline: new Date(NOW + MINUTE).toISOString() });
    const lost = await campaign.dispatchedOne(LOST);
    await campaign.markUnresolved(lost.messageId);
    await campaign.endIfDone(NOW + MINUTE);
    const later = new Date(NOW + DAY).toISOString();
    await ledger.campaigns.update(campaign.id, { deadline: later }, NOW + MINUTE);
    await ledger.reconciling.resolve(lost.messageId, { outcome: 'not_accepted', witness: 'loopback' }, NOW + MINUTE);
    expect(await campaign.endIfDone(NOW + MINUTE)).toMatchObject({ state: 'running', counts: { pending: 1 } });
    expect(await campaign.claim(1, NOW + MINUTE)).toHaveLength(1);
  });
});

describe('a change', () => {
  it('takes effect at once for the high water mark and the deadline, also for recipients who are pending again', async () => {
    const campaign = await running(2);
    const [busy] = await campaign.dispatched(1, { kind: 'not_accepted', code: 'GATEWAY_BUSY' });
    const deadline = new Date(NOW + 2 * DAY).toISOString();
    const highWater = 3;
    expect(await ledger.campaigns.update(campaign.id, { highWater, deadline }, NOW)).toMatchObject({
      highWater,
      deadlineAt: deadline,
    });
    expect(await ledger.views.message(busy?.messageId as never, NOW)).toMatchObject({ expiresAt: deadline });
  });

  it('applies a new text to every recipient who was not posted to, with a new version', async () => {
    const campaign = await running(2);
    await campaign.dispatched(1);
    const content = { kind: 'text', text: 'Dear {{name}}' } as const;
    const { version } = await ledger.campaigns.update(campaign.id, { content }, NOW);
    expect(await ledger.campaigns.update(campaign.id, { content }, NOW)).toMatchObject({ version });
    const [next] = await campaign.claim(1);
    expect(next?.content).toEqual({ kind: 'text', text: 'Dear P3' });
  });

  it('is refused for another kind, for an unknown variable, and for a deadline that has passed', async () => {
    const campaign = await running(1);
    const change = (what: Parameters<Ledger['campaigns']['update']>[1]) =>
      ledger.campaigns.update(campaign.id, what, NOW);
    await expect(change({ content: { kind: 'poll', message: '?' } })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(change({ content: { kind: 'text', text: '{{city}}' } })).rejects.toMatchObject({
      code: 'CAMPAIGN_INCOMPLETE',
    });
    await expect(change({ deadline: new Date(NOW).toISOString() })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await ledger.campaigns.progress(campaign.id, NOW)).toMatchObject({ state: 'running' });
  });
});

describe('the reason why a campaign waits', () => {
  const waiting = async ({ id }: CampaignCast, nowMs = NOW) => (await ledger.campaigns.progress(id, nowMs))?.waiting;
  const at = (ms: number): string => new Date(ms).toISOString();

  it('is absent while recipients are due and nothing blocks them', async () => {
    const campaign = await running(3);
    await campaign.dispatched(1);
    expect(await waiting(campaign)).toBeUndefined();
    expect(await ledger.campaigns.progress(campaign.id, NOW)).not.toHaveProperty('waiting');
  });

  it('is a pause of its instance, then the phone', async () => {
    const campaign = await running(1);
    const { instance } = campaign;
    await ledger.instanceStates.record({ instance, state: 'notAuthorized', atMs: NOW + SECOND });
    const away = { code: 'INSTANCE_NOT_AUTHORIZED', text: 'notAuthorized', since: at(NOW + SECOND) };
    expect(await waiting(campaign, NOW + SECOND)).toEqual(away);
    await ledger.instances.pauseByOperator(instance, 'one', 'loopback', NOW + 2 * SECOND);
    expect(await waiting(campaign, NOW + 2 * SECOND)).toMatchObject({
      code: 'INSTANCE_PAUSED',
      since: at(NOW + 2 * SECOND),
    });
  });

  it('is its template until the template is approved', async () => {
    const campaign = await running(1, { content: { kind: 'template', elementName: 'late', params: [] } });
    const { instance } = campaign;
    const definition = { elementName: 'late', languageCode: 'en', category: 'UTILITY', content: 'Hello' } as never;
    await ledger.templates.submit(
      { instance, elementName: 'late', definition, definitionHash: 'd', requestedAt: '' },
      NOW,
    );
    expect(await waiting(campaign)).toEqual({
      code: 'TEMPLATE_NOT_APPROVED',
      text: 'template late is pending',
      since: at(NOW),
    });
  });

  it('is the gateway’s queue, as its dispatcher estimates it', async () => {
    const campaign = await running(2, { pace: undefined } as never);
    await campaign.claim(1);
    const compose = () => ({ content: { kind: 'text' as const, text: 'next' } });
    await ledger.dispatch.readAhead(campaign.id, { limit: 5, compose, nowMs: NOW });
    await showQueue(ledger, campaign.instance, { estimatedDepth: 500, inFlight: 0, window: 1 }, NOW);
    expect(await waiting(campaign)).toEqual({
      code: 'QUEUE_FULL',
      text: "500 items in the gateway's queue",
      since: at(NOW),
      asOf: at(NOW),
    });
  });

  it('is the refusal of its next recipient, until the next try', async () => {
    const campaign = await running(1);
    await campaign.dispatched(1, { kind: 'not_accepted', code: 'GATEWAY_BUSY', text: 'later', retryAfterMs: MINUTE });
    expect(await waiting(campaign)).toEqual({
      code: 'GATEWAY_BUSY',
      text: 'later',
      since: at(NOW),
      until: at(NOW + MINUTE),
    });
    expect(await waiting(campaign, NOW + MINUTE)).toBeUndefined();
  });

  it('is missing receipts when all recipients were posted to, and then an operator', async () => {
    const campaign = await running(2);
    const first = await campaign.dispatchedOne();
    const lost = await campaign.dispatchedOne(LOST);
    expect(await waiting(campaign)).toEqual({ code: 'RECEIPTS', since: at(NOW) });
    await campaign.receive([first], 'delivered');
    await campaign.markUnresolved(lost.messageId);
    expect(await waiting(campaign)).toMatchObject({ code: 'MESSAGES_UNRESOLVED', text: '1 unresolved' });
  });
});

describe('unfinished campaigns', () => {
  it('are listed for the namespace of their runs', async () => {
    const campaign = await running(1);
    const ended = await running(1);
    await ended.receive(await ended.dispatched(1), 'delivered');
    await ended.endIfDone();
    const ids = async (namespace: string) => (await ledger.campaigns.unfinished(namespace)).map(({ id }) => id);
    expect(await ids(NAMESPACE)).toContain(campaign.id);
    expect(await ids(NAMESPACE)).not.toContain(ended.id);
    expect(await ids('another')).not.toContain(campaign.id);
  });
});
