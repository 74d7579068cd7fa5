/** The dispatcher's promises with a real ledger, gateway client, receiver and simulator, without Temporal. */
import { describe, expect, it } from 'vitest';
import type { CampaignId, ContentTemplate } from '../../src/contract/index.js';
import type { RateGate } from '../../src/gateway/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { chatOf } from '../support/campaign.js';
import { aRealWorld, MINUTE, SECOND, type RealWorld } from './real-world.js';

const ledger = useLedger();
let world: RealWorld;

/** Notifications about other senders' messages are off: those messages do not matter here. */
const UNHEARD = { settings: { outgoingWebhook: 'no', outgoingAPIMessageWebhook: 'no' } } as const;

/** Every recipient got the message exactly once. */
function expectEachOnce(recipients: number): void {
  expect(new Set(world.delivered()).size).toBe(recipients);
  expect(world.delivered()).toHaveLength(recipients);
}

/** A template that the gateway has but everpost did not submit. */
async function anApprovedTemplate(): Promise<ContentTemplate> {
  const template = { elementName: 'welcome', languageCode: 'en', category: 'UTILITY', templateType: 'TEXT' };
  const text = { vertical: 'Notices', content: 'Welcome back.', example: 'Welcome back.' };
  const response = await world.post('createTemplate', { ...template, ...text });
  const { templateId } = ((await response.json()) as { template: { templateId: string } }).template;
  await world.control('POST', 'templates/welcome/decision', { status: 'APPROVED' });
  return { kind: 'template', templateId };
}

async function why(id: CampaignId): Promise<string | undefined> {
  return (await world.progress(id)).waiting?.code;
}

/** Proves PROTOCOL-9 and PROTOCOL-13. */
describe('a campaign', () => {
  it('keeps the queue shallow, and completes when all messages are sent', async () => {
    world = await aRealWorld({ ledger, measuresDepth: true });
    const id = await world.campaign(10, { highWater: 4 });
    await world.untilEnded(id);
    expect(await world.progress(id)).toMatchObject({ state: 'completed' });
    expect(world.deepest()).toBeLessThanOrEqual(4);
    expectEachOnce(10);
  });

  it('keeps the queue filled', async () => {
    world = await aRealWorld({ ledger, measuresDepth: true, ...UNHEARD });
    await world.campaign(60, { highWater: 20 });
    await world.pass(62 * SECOND);
    expectEachOnce(60);
    const at = world.simulator.delivered().map((message) => Date.parse(message.at));
    expect((59 * SECOND) / ((at.at(-1) ?? 0) - (at[0] ?? 0))).toBeGreaterThan(0.97);
    expect(world.deepest()).toBeLessThanOrEqual(20);
  });

  it('keeps the queue as shallow for templates, which no reading of the queue lists', async () => {
    world = await aRealWorld({ ledger });
    const id = await world.campaign(12, { highWater: 4, content: await anApprovedTemplate() });
    for (let second = 0; second < 16; second += 1) {
      await world.pass(SECOND);
      expect(world.requests('sendTemplate') - world.delivered().length).toBeLessThanOrEqual(4);
    }
    await world.untilEnded(id);
    expect(await world.counts(id)).toEqual({ delivered: 12 });
  });

  it('waits while other senders fill the queue, and shows the reason', async () => {
    world = await aRealWorld({ ledger, ...UNHEARD });
    await world.fill(19);
    const id = await world.campaign(3, { highWater: 4 });
    await world.pass(12 * SECOND);
    // Two are posted before the first reading of the queue.
    expect(world.requests('sendMessage')).toBe(21);
    expect(await why(id)).toBe('QUEUE_FULL');
    await world.pass(20 * SECOND);
    expect(world.requests('sendMessage')).toBe(22);
  });

  it('shows on every message of the operation that a 429 delays it, until when, and who said so when', async () => {
    world = await aRealWorld({ ledger });
    const busy = { kind: 'status', status: 429, headers: { 'retry-after': '30' }, times: 1 };
    await world.fault({ ...busy, method: 'sendMessage' });
    const first = await world.single();
    await world.pass(2 * SECOND);
    const second = await world.single();
    await world.pass(SECOND);
    const { until } = (await world.view(first)).waiting ?? {};
    expect((await world.view(second)).waiting).toMatchObject({
      code: 'GATEWAY_BUSY',
      text: 'the gateway limits sendMessage (429)',
      until: expect.stringContaining(until?.slice(0, -5) ?? 'no time') as string,
      asOf: expect.any(String) as string,
    });
    const id = await world.campaign(1);
    await world.pass(SECOND);
    expect(await why(id)).toBe('GATEWAY_BUSY');
    await world.pass(MINUTE);
    expect(await Promise.all([world.state(first), world.state(second)])).toEqual(['delivered', 'delivered']);
  });

  it('rejects recipients whose message cannot be composed', async () => {
    world = await aRealWorld({ ledger });
    const id = await world.campaign(3, { content: { kind: 'location', latitude: '{{name}}', longitude: 1 } });
    await world.untilEnded(id);
    expect(await world.progress(id)).toMatchObject({ state: 'completed_with_failures', counts: { rejected: 3 } });
    expect(world.requests('sendLocation')).toBe(0);
  });

  it('finds lost responses through the witnesses, and posts to no recipient twice', async () => {
    world = await aRealWorld({ ledger });
    const id = await world.campaign(20, { highWater: 10 });
    await world.pass(2 * SECOND);
    await world.fault({ kind: 'lose-answer', accepted: true, times: 2 });
    await world.pass(9 * SECOND);
    await world.fault({ kind: 'status', status: 503, accepted: true, times: 1 });
    await world.untilEnded(id);
    expect(await world.counts(id)).toEqual({ delivered: 20 });
    expectEachOnce(20);
  });

  it('is sent when the queue cannot be read', async () => {
    world = await aRealWorld({ ledger, measuresDepth: true });
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 403, times: 1_000 });
    const id = await world.campaign(12, { highWater: 8 });
    await world.untilEnded(id);
    expect(world.deepest()).toBeLessThanOrEqual(8);
    expectEachOnce(12);
  });

  it('continues after a process dies with claims: the next process reconciles them and sends the rest', async () => {
    world = await aRealWorld({ ledger });
    const dead = { isReached: false };
    world.serve((point) => {
      if (point !== 'claim.after') return;
      dead.isReached = true;
      throw new Error('the process is gone');
    });
    const id = await world.campaign(10, { highWater: 5 });
    await world.pass(SECOND);
    expect(dead.isReached).toBe(true);
    world.serve();
    // What its claims became is unknown: the queue may hold nothing older that proves their absence.
    await world.pass(5 * MINUTE);
    const { counts } = await world.progress(id);
    expect(counts.delivered + counts.unresolved).toBe(10);
    expectEachOnce(counts.delivered);
  });

  it('continues when another process takes over in its middle, and posts to no recipient twice', async () => {
    world = await aRealWorld({ ledger });
    const id = await world.campaign(16, { highWater: 8 });
    for (let second = 0; second < 4; second += 1) {
      await world.pass(SECOND);
      world.serve();
    }
    await world.untilEnded(id);
    expect(await world.counts(id)).toEqual({ delivered: 16 });
    expectEachOnce(16);
  });
});

describe('campaigns that share an instance', () => {
  it('take turns, and together keep the queue as shallow as one campaign', async () => {
    world = await aRealWorld({ ledger, measuresDepth: true });
    const [a, b] = [await world.campaign(18, { highWater: 8 }), await world.campaign(18, { highWater: 8 })];
    await world.untilEnded(a, b);
    // The first one may fill the queue before the second one starts.
    const turns = world.delivered().slice(8, 20);
    const ofA = turns.filter((text) => text.endsWith(a)).length;
    expect(Math.abs(ofA - turns.length / 2)).toBeLessThanOrEqual(2);
    expect(world.deepest()).toBeLessThanOrEqual(9);
    expectEachOnce(36);
  });

  it('are sent by priority, and the lower one gets a share', async () => {
    world = await aRealWorld({ ledger });
    const high = await world.campaign(36, { highWater: 20, priority: 'high' });
    const low = await world.campaign(8, { priority: 'low' });
    await world.untilEnded(low, high);
    expectEachOnce(44);
    const lowAt = world.delivered().flatMap((text, at) => (text.endsWith(low) ? [at] : []));
    const beforeTheEnd = lowAt.filter((at) => at < 36).length;
    expect(beforeTheEnd).toBeGreaterThan(0);
    expect(beforeTheEnd).toBeLessThan(8);
  });
});

/** Proves PROTOCOL-10. */
describe('a single message', () => {
  it("is posted at once, without a reading of an idle instance's queue", async () => {
    world = await aRealWorld({ ledger, ...UNHEARD });
    for (let message = 0; message < 3; message += 1) {
      const id = await world.single();
      await world.pass(SECOND);
      expect(await world.state(id)).toBe('accepted');
      await world.pass(MINUTE);
    }
    expect(world.requests('showMessagesQueue')).toBeLessThanOrEqual(1);
  });

  it('waits in the ledger while the queue is longer than its life, and expires there', async () => {
    world = await aRealWorld({ ledger, ...UNHEARD });
    await world.fill(31);
    // Two are posted before the first reading of the queue.
    for (let message = 0; message < 3; message += 1) await world.single();
    await world.pass(2 * SECOND);
    const posted = world.requests('sendMessage');
    const short = await world.single(8 * SECOND);
    const fits = await world.single(45 * SECOND);
    await world.pass(9 * SECOND);
    expect(await world.state(short)).toBe('expired');
    await world.pass(32 * SECOND);
    expect(await world.state(fits)).toBe('accepted');
    expect(world.requests('sendMessage')).toBe(posted + 2);
  });
});

/** Proves PROTOCOL-3 and PROMISE-6. */
describe('the dispatcher posts nothing after its expiry, however long it waits at the gateway', () => {
  function slowGate(waitMs: number): RateGate {
    return {
      acquire: (_, operation) => (operation === 'sendMessage' ? world.sleep(waitMs) : Promise.resolve()),
      block: () => undefined,
      close: () => undefined,
    };
  }

  it('a single message ends expired, and one with time left is posted', async () => {
    world = await aRealWorld({ ledger, gate: slowGate(3 * SECOND) });
    const [late, early] = [await world.single(2 * SECOND), await world.single(MINUTE)];
    await world.pass(20 * SECOND);
    expect(await world.state(late)).toBe('expired');
    expect(['accepted', 'sent', 'delivered']).toContain(await world.state(early));
    expect(world.requests('sendMessage')).toBe(1);
  });

  it('recipients of a campaign end expired when its deadline passes', async () => {
    world = await aRealWorld({ ledger, gate: slowGate(3 * SECOND) });
    const id = await world.campaign(3, { deadline: new Date(world.nowMs() + 2 * SECOND).toISOString() });
    await world.untilEnded(id);
    expect(await world.progress(id)).toMatchObject({ state: 'expired', counts: { expired: 3 } });
    expect(world.requests('sendMessage')).toBe(0);
  });
});

describe('an account with a yellow card', () => {
  it('is paused by a reading of its state when its notifications are off', async () => {
    world = await aRealWorld({ ledger, settings: { stateWebhook: 'no' } });
    await world.patch({ state: 'blocked' });
    await world.watch();
    await world.patch({ state: 'authorized' });
    await world.watch();
    const id = await world.campaign(6, { highWater: 4 });
    await world.pass(2 * MINUTE);
    expect(await why(id)).toBe('INSTANCE_PAUSED');
    expect(world.requests('sendMessage')).toBe(0);
  });
});

describe('a campaign whose messages do not arrive', () => {
  it('pauses itself when too many recipients have no account, and shows the reason', async () => {
    world = await aRealWorld({ ledger });
    const noAccount = Array.from({ length: 30 }, (_, at) => chatOf(2 * at));
    await world.control('POST', 'instances/1101000001/accounts', { noAccount });
    const id = await world.campaign(60, { highWater: 8 });
    for (let polls = 0; (await ledger.campaigns.state(id)) === 'running' && polls < 60; polls += 1) {
      await world.pass(2 * SECOND);
    }
    const { state, waiting, counts } = await world.progress(id);
    expect({ state, code: waiting?.code }).toEqual({ state: 'paused', code: 'TOO_MANY_FAILURES' });
    expect(waiting?.text).toMatch(/^\d+ of the last \d+ did not arrive: \d+ no_account$/);
    expect(counts.pending).toBeGreaterThan(20);
  });

  it('pauses itself when the gateway rejects every recipient, before all are rejected', async () => {
    world = await aRealWorld({ ledger });
    await world.fault({ kind: 'status', status: 400, body: 'Validation failed', times: 1_000 });
    const id = await world.campaign(200, { highWater: 150 });
    await world.pass(MINUTE);
    const { state, waiting, counts } = await world.progress(id);
    expect(state).toBe('paused');
    expect(waiting).toMatchObject({ code: 'TOO_MANY_FAILURES', text: expect.stringContaining('rejected') as string });
    expect(counts.rejected).toBeLessThan(70);
  });
});
