import { describe, expect, it } from 'vitest';
import type { MessageState } from '../../src/contract/index.js';
import type { LedgerReadings } from '../../src/ledger/index.js';
import { CampaignCast } from './campaigns/campaign-life-cast.js';
import { showQueue } from '../support/shift.js';
import { CHAT, MINUTE, NOW, SECOND, useOwnCast } from './cast.js';

const the = useOwnCast();

const read = (nowMs = NOW): Promise<LedgerReadings> => the.ledger.metrics.read([the.instance], nowMs);

/** `from > state: how many`, in order. */
async function transitions(): Promise<string[]> {
  const { transitions: all } = await read();
  return all.map(({ from, state, messages }) => `${from ?? ''} > ${state}: ${messages}`).toSorted();
}

/** Proves METRICS-1. */
describe('the counts of messages', () => {
  it('have each state that a message enters, and the one that it leaves', async () => {
    await the.sent('A');
    await the.pending();
    await the.ledger.messages.cancel(await the.pending(), 'test', NOW);

    expect(await transitions()).toEqual([
      ' > pending: 3',
      'accepted > sent: 1',
      'pending > cancelled: 1',
      'pending > sending: 1',
      'sending > accepted: 1',
    ]);
  });

  it('count many messages that change in one statement, each from its own state', async () => {
    const ids = [await the.accepted('A'), await the.accepted('B'), await the.sent('C')];
    const receipts = ids.map((_, at) => {
      const receipt = { kind: 'status', idMessage: 'ABC'.charAt(at), status: 'delivered', atMs: NOW } as const;
      return { id: String(at), instance: the.instance, receipt };
    });
    await the.ledger.receipts.applyTogether(receipts, NOW);

    const delivered = (await transitions()).filter((line) => line.includes('> delivered'));
    expect(delivered).toEqual(['accepted > delivered: 2', 'sent > delivered: 1']);
  });

  it('do not change when a receipt is repeated, or when a message changes without its state', async () => {
    const id = await the.sent('A');
    const before = await transitions();

    await the.receive('A', 'sent');
    await the.edit(id, 'another text');

    expect(await transitions()).toEqual(before);
  });

  it('are the same after a fold, and are folded only when they are many', async () => {
    while (await the.ledger.metrics.fold()) {
      // Folds the counts of other tests.
    }
    await the.sent('A');
    expect(await the.ledger.metrics.fold()).toBe(false);

    for (let at = 0; at < 201; at += 1) await the.pending();
    const before = await transitions();
    expect(await the.ledger.metrics.fold()).toBe(true);

    expect(await transitions()).toEqual(before);
    expect(before).toContain(' > pending: 202');
    expect(await the.ledger.metrics.fold()).toBe(false);
  });

  it('agree with the messages themselves', async () => {
    await the.sent('A');
    await the.accepted('B');
    await the.pending();
    await the.ledger.messages.reject(await the.pending(), { reason: 'no' }, NOW);

    const { transitions: all } = await read();
    const sum = (end: 'from' | 'state', state: MessageState) =>
      all.reduce((total, one) => total + (one[end] === state ? one.messages : 0), 0);
    const now = (state: MessageState) => sum('state', state) - sum('from', state);
    const { items } = await the.ledger.views.messages({ instance: the.instance });
    for (const state of ['pending', 'sending', 'accepted', 'sent', 'rejected'] as const) {
      expect([state, now(state)]).toEqual([state, items.filter((item) => item.state === state).length]);
    }
  });

  it('omit instances that were not requested', async () => {
    await the.pending();
    expect((await the.ledger.metrics.read(['another'], NOW)).transitions).toEqual([]);
  });
});

describe('the oldest due message', () => {
  it('is separate for a campaign and for single messages', async () => {
    const campaign = await new CampaignCast(the.ledger, the.instance).running(2);
    await campaign.claim(1, NOW);
    await the.ledger.dispatch.readAhead(campaign.id, {
      limit: 2,
      compose: ({ values }) => ({ content: { kind: 'text', text: String(values['name']) } }),
      nowMs: NOW,
    });
    expect((await read(NOW + MINUTE)).due).toMatchObject([{ source: 'campaign', ageMs: MINUTE }]);
  });

  it('is the first of its priority, and absent when none is due yet', async () => {
    await the.pending({ priority: 'urgent' });
    await the.pending({ nowMs: NOW - 30 * SECOND });
    await the.pending({ nowMs: NOW - 10 * SECOND });

    const { due } = await read(NOW + SECOND);
    expect(due.toSorted((one, other) => one.ageMs - other.ageMs)).toEqual([
      { instance: the.instance, priority: 'urgent', source: 'single', ageMs: SECOND },
      { instance: the.instance, priority: 'normal', source: 'single', ageMs: 31 * SECOND },
    ]);
    expect((await read(NOW - MINUTE)).due).toEqual([]);
  });

  it('is absent while its instance is paused', async () => {
    await the.pending();
    await the.ledger.instances.pauseByOperator(the.instance, 'one', 'loopback', NOW);
    const { due, pauses } = await read(NOW + MINUTE);
    expect(due).toEqual([]);
    expect(pauses).toEqual([{ instance: the.instance, reason: 'operator' }]);
  });
});

describe('campaigns', () => {
  it('are counted by state, with those that paused automatically and what the others wait for', async () => {
    const { id } = await new CampaignCast(the.ledger, the.instance).running(2);
    const paused = await new CampaignCast(the.ledger, the.instance).running(2);
    await paused.ledger.campaigns.pause(paused.id, NOW);
    await new CampaignCast(the.ledger, the.instance).draft();
    const { campaigns, campaignsWaiting } = await read();
    const of = { instance: the.instance, total: 1, autoPaused: 0 };
    expect(campaigns.toSorted((one, other) => one.state.localeCompare(other.state))).toEqual([
      { ...of, state: 'paused' },
      { ...of, state: 'running' },
    ]);
    expect(campaignsWaiting).toEqual([]);

    await the.ledger.dispatch.readAhead(id, {
      limit: 2,
      compose: ({ values }) => ({ content: { kind: 'text', text: String(values['name']) } }),
      nowMs: NOW,
    });
    await the.ledger.instances.pauseByOperator(the.instance, 'one', 'loopback', NOW);
    expect((await read()).campaignsWaiting).toEqual([{ instance: the.instance, reason: 'INSTANCE_PAUSED' }]);
  });
});

it('the oldest unresolved message has its age, and the workers that report are counted', async () => {
  expect((await read()).unresolved).toEqual([]);
  const before = (await read()).workersAlive;
  const { id, token } = await the.posting();
  await the.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
  const attempt = await the.ledger.reconciling.attempt(id);
  if (attempt !== undefined) await the.ledger.reconciling.markUnresolved(attempt, 'no_witness', NOW);
  await the.ledger.dispatch.sayAlive('a process', []);
  const { unresolved, workersAlive } = await read(NOW + MINUTE);
  expect(unresolved).toEqual([{ instance: the.instance, ageMs: MINUTE }]);
  expect(workersAlive).toBe(before + 1);
});

describe('other waiting work', () => {
  it('is shown for each instance, with its age', async () => {
    const atMs = NOW - MINUTE;
    await the.ledger.instanceStates.record({ instance: the.instance, state: 'notAuthorized', atMs });
    await the.ledger.receipts.store(the.instance, { any: 'body' }, NOW);
    const readings = await read();

    expect(readings.accounts).toEqual([{ instance: the.instance, state: 'notAuthorized', ageMs: MINUTE }]);
    expect(readings.notifications).toEqual([{ instance: the.instance, waiting: 1, setAside: 0 }]);
    expect(readings.events).toEqual([]);
  });

  it('includes the deliveries of events, and the endpoints that accept none', async () => {
    const id = `evp_${crypto.randomUUID()}`;
    const given = { id, instance: the.instance, url: 'https://example.com/hook', events: ['*'], raw: false };
    await the.ledger.eventEndpoints.create({ ...given, requestHash: 'h' }, NOW);
    const body = { chatId: CHAT };
    await the.ledger.receipts.store(the.instance, body, NOW, { event: { type: 'message.received', key: CHAT } });
    await the.ledger.eventEndpoints.change(id, { enabled: false }, NOW);

    const [events] = (await read(Date.now() + MINUTE)).events;
    expect(events).toMatchObject({ instance: the.instance, waiting: 1, setAside: 0, disabledEndpoints: 1 });
    expect(events?.oldestAgeMs).toBeGreaterThan(59 * SECOND);
  });

  it('includes the messages whose workflow is not started', async () => {
    const before = (await read()).runStarts.waiting;
    const wanted = { id: the.anId(), requestHash: 'h', request: the.request(), expiresAtMs: NOW + MINUTE };
    await the.ledger.intake.open({ ...wanted, run: 'wanted', nowMs: NOW });

    expect((await read(NOW + MINUTE)).runStarts).toEqual({ waiting: before + 1, oldestAgeMs: MINUTE });
  });
});

it('the depth of the queue is what the gateway listed, and not what a worker estimates since', async () => {
  const reading = { items: 4, atMs: NOW - 2 * SECOND };
  await showQueue(the.ledger, the.instance, { reading, estimatedDepth: 0, inFlight: 0, window: 1 }, NOW);
  expect((await read()).queues).toEqual([{ instance: the.instance, depth: 4, ageMs: 2 * SECOND, standsMs: 0 }]);
});
