import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ContentTemplate } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { aLedger } from '../support/ledger.js';
import { aFeedWorld, HOUR, MINUTE, SECOND, type FeedWorld } from './feed-world.js';

let ledger: Ledger;
let world: FeedWorld;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());
afterEach(() => world.close());

const SHALLOW = { waterMarks: { highWater: 4, lowWater: 2 } };

/** Every recipient got the message once, and no recipient twice. */
function expectEachOnce(recipients: number): void {
  expect(new Set(world.delivered()).size).toBe(recipients);
  expect(world.delivered()).toHaveLength(recipients);
}

/** A template that the gateway has, and everpost did not submit. */
async function anApprovedTemplate(): Promise<ContentTemplate> {
  const url = `${world.simulator.url}/waInstance1101000001/createTemplate/simulator-token`;
  const template = { elementName: 'welcome', languageCode: 'en', category: 'UTILITY', templateType: 'TEXT' };
  const text = { vertical: 'Notices', content: 'Welcome back.', example: 'Welcome back.' };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...template, ...text }),
  });
  const { templateId } = ((await response.json()) as { template: { templateId: string } }).template;
  await world.control('POST', 'templates/welcome/decision', { status: 'APPROVED' });
  return { kind: 'template', templateId };
}

describe('feeding a campaign', () => {
  it('puts every recipient into the queue, high water by high water, and completes when all are sent', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(10, SHALLOW);

    expect(await world.poll(id)).toMatchObject({ fed: 4, notAccepted: 0, progress: { state: 'running' } });
    // The first left at once.
    expect(await world.queueDepth()).toBe(3);
    await world.untilEnded(id);

    const { state, counts } = await world.progress(id);
    // The last one may have left and not arrived yet.
    expect({ state, left: counts.sent + counts.delivered }).toEqual({ state: 'completed', left: 10 });
    expectEachOnce(10);
  });

  it('polls again when the queue is down to its low water, by the pace that the settings tell', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(10, SHALLOW);
    expect(await world.poll(id)).toMatchObject({ fed: 4, nextPollMs: 2.5 * SECOND });
    expect(world.requests('getSettings')).toBe(1);
    await world.pass(2.5 * SECOND);
    expect(await world.poll(id)).toMatchObject({ fed: 3 });
  });

  it('takes hundreds through a shallow queue without letting it run dry', async () => {
    world = await aFeedWorld(ledger, { settings: { outgoingWebhook: 'no' } });
    const id = await world.campaign(200, { waterMarks: { highWater: 40, lowWater: 5 } });
    const begunMs = world.nowMs();
    let polls = 0;
    for (let left = 200; left > 0; polls += 1) {
      const { nextPollMs, progress } = await world.poll(id);
      left = progress.counts.pending;
      expect(await world.queueDepth()).toBeLessThanOrEqual(40);
      await world.pass(nextPollMs);
    }
    await world.pass(MINUTE);
    expectEachOnce(200);
    const lastMs = Date.parse(world.simulator.delivered().at(-1)?.at ?? '');
    // The first leaves at once.
    expect((199 * SECOND) / (lastMs - begunMs)).toBeGreaterThan(0.97);
    expect(polls).toBeLessThan(8);
  });

  it('keeps the queue as shallow for templates, which no reading of it shows', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(12, { ...SHALLOW, content: await anApprovedTemplate() });

    for (let left = 12; left > 0;) {
      const { nextPollMs, progress } = await world.poll(id);
      left = progress.counts.pending;
      expect(world.requests('sendTemplate') - world.delivered().length).toBeLessThanOrEqual(4);
      await world.pass(nextPollMs);
    }
    await world.untilEnded(id);

    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 12 } });
  });

  it('goes on with templates whose receipts do not come, once they must have left', async () => {
    world = await aFeedWorld(ledger, { settings: { outgoingWebhook: 'no' } });
    const id = await world.campaign(8, { ...SHALLOW, content: await anApprovedTemplate() });

    expect(await world.poll(id)).toMatchObject({ fed: 4 });
    await world.pass(4 * MINUTE);
    expect(await world.poll(id)).toMatchObject({ fed: 0, progress: { waiting: { code: 'QUEUE_FULL' } } });
    await world.pass(2 * MINUTE);
    expect(await world.poll(id)).toMatchObject({ fed: 4 });
  });

  it('feeds nothing into a queue that others fill, and says so', async () => {
    world = await aFeedWorld(ledger);
    for (let item = 0; item < 5; item += 1) await world.trySingle(await world.single());
    const id = await world.campaign(3, SHALLOW);
    expect(await world.poll(id)).toMatchObject({
      fed: 0,
      progress: { waiting: { code: 'QUEUE_FULL' }, depth: expect.any(Number) as number },
    });
    await world.untilEnded(id);
    expectEachOnce(8);
  });

  it('stops for a pause in the middle, and goes on from there', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(10, SHALLOW);
    await world.poll(id);
    await ledger.campaigns.pause(id, world.nowMs());
    await world.pass(MINUTE);
    expect(await world.poll(id)).toMatchObject({ fed: 0, progress: { state: 'paused', counts: { pending: 6 } } });
    await ledger.campaigns.resume(id, world.nowMs());
    await world.untilEnded(id);
    expectEachOnce(10);
  });

  it('lets no recipient be posted to after a pause that came in the middle of a batch, but those it had claimed', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(40, { waterMarks: { highWater: 40, lowWater: 1 } });
    let paused: Promise<unknown> | undefined;
    const worker = world.worker((point) => {
      if (point === 'rows.between') paused ??= ledger.campaigns.pause(id, world.nowMs());
    });
    const { fed } = await worker.poll(id);
    await paused;
    expect(fed).toBe(20);
    expect(await world.counts(id)).toMatchObject({ pending: 20 });
  });

  it('passes over those who were put on the suppression list after its start, whole batches of them', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(50, { waterMarks: { highWater: 40, lowWater: 5 } });
    const { recipients } = await ledger.feeding.next(id, 50, world.nowMs());
    const unwanted = recipients.slice(0, 45).map(({ chatId }) => chatId);
    const { instance } = await world.progress(id);
    await ledger.suppressions.import({ chatIds: unwanted, instance, scope: 'marketing', nowMs: world.nowMs() });

    await world.untilEnded(id);

    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 5, suppressed: 45 } });
    expectEachOnce(5);
  });

  it('rejects whom no message can be made for, and posts to the others', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(3, {
      content: { kind: 'location', latitude: '{{name}}', longitude: 1 },
    });
    await world.poll(id);
    expect(await world.counts(id)).toEqual({ rejected: 3 });
    expect(world.requests('sendLocation')).toBe(0);
    expect(await world.progress(id)).toMatchObject({ state: 'completed_with_failures' });
  });
});

describe('what stands in the way of feeding', () => {
  it('stops it at the first message that is surely not accepted, and goes on when it is time', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(6, SHALLOW);
    await world.fault({ kind: 'status', status: 429, headers: { 'retry-after': '7' } });
    const poll = await world.poll(id);
    expect(poll).toMatchObject({ fed: 0, notAccepted: 1, nextPollMs: 7 * SECOND });
    expect(poll.progress.waiting).toMatchObject({ code: 'GATEWAY_BUSY' });
    expect(world.requests('sendMessage')).toBe(1);
    expect(await world.counts(id)).toEqual({ pending: 6 });
    await world.untilEnded(id);
    expectEachOnce(6);
  });

  it('is an account that is not authorized, and goes on by itself when it is', async () => {
    world = await aFeedWorld(ledger);
    await world.patch({ state: 'notAuthorized' });
    const id = await world.campaign(6, SHALLOW);
    const poll = await world.poll(id);
    expect(poll).toMatchObject({ fed: 0 });
    expect(poll.progress.waiting).toMatchObject({ code: 'INSTANCE_NOT_AUTHORIZED', text: 'notAuthorized' });
    expect(world.requests('sendMessage')).toBe(0);
    const since = poll.progress.waiting?.since;
    await world.pass(HOUR);
    expect((await world.poll(id)).progress.waiting?.since).toBe(since);

    await world.patch({ state: 'authorized' });
    await world.pass(MINUTE);
    await world.untilEnded(id);
    expectEachOnce(6);
  });

  it('puts no more than high water at risk when the phone goes away in the middle', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(20, SHALLOW);
    await world.poll(id);
    await world.patch({ state: 'notAuthorized' });
    for (let poll = 0; poll < 3; poll += 1) {
      await world.poll(id);
      await world.pass(MINUTE);
    }
    expect(await world.queueDepth()).toBeLessThanOrEqual(4);
    await world.patch({ state: 'authorized' });
    await world.pass(MINUTE);
    await world.untilEnded(id);
    expectEachOnce(20);
  });

  it('are three responses that were lost, until it is known what became of them', async () => {
    world = await aFeedWorld(ledger);
    await world.control('POST', 'instances/1101000001/accounts', { journal: false });
    const id = await world.campaign(12, { waterMarks: { highWater: 8, lowWater: 7 } });
    await world.fault({ kind: 'lose-answer', accepted: false, times: 12 });
    const poll = await world.poll(id);
    expect(poll).toMatchObject({ fed: 0, notAccepted: 3 });
    expect(poll.progress.waiting).toMatchObject({ code: 'OUTCOMES_UNKNOWN' });
    expect(await world.counts(id)).toEqual({ unknown: 3, pending: 9 });
    await world.pass(SECOND);
    await world.poll(id);
    expect(world.requests('sendMessage')).toBe(3);
  });

  it('finds lost responses again by what the witnesses show, and posts no recipient twice', async () => {
    world = await aFeedWorld(ledger, { settings: { outgoingAPIMessageWebhook: 'yes' } });
    const id = await world.campaign(20, { waterMarks: { highWater: 10, lowWater: 2 } });
    await world.poll(id);
    await world.fault({ kind: 'lose-answer', accepted: true, times: 2 });
    await world.pass(9 * SECOND);
    await world.poll(id);
    await world.fault({ kind: 'status', status: 503, accepted: true, times: 1 });
    await world.untilEnded(id);
    expect(await world.progress(id)).toMatchObject({ state: 'completed', counts: { delivered: 20 } });
    expectEachOnce(20);
  });

  it('is not a queue that cannot be read: half the room is fed by what can be worked out', async () => {
    world = await aFeedWorld(ledger);
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 403, times: 1_000 });
    const id = await world.campaign(12, { waterMarks: { highWater: 8, lowWater: 2 } });
    expect(await world.poll(id)).toMatchObject({ fed: 4 });
    expect(world.simulator.delivered()).toHaveLength(1);
    await world.untilEnded(id);
    expectEachOnce(12);
  });

  it('is a worker that died in the middle of a batch: what it left is reconciled, and the rest goes on', async () => {
    world = await aFeedWorld(ledger);
    const deadline = new Date(world.nowMs() + 3 * MINUTE).toISOString();
    const id = await world.campaign(10, { waterMarks: { highWater: 5, lowWater: 2 }, deadline });
    const dying = world.worker((point) => {
      if (point === 'claim.after') throw new Error('the process is gone');
    });
    await expect(dying.poll(id)).rejects.toThrow('the process is gone');
    expect(await world.counts(id)).toEqual({ sending: 5, pending: 5 });

    await world.untilEnded(id);
    // Nothing of theirs was ever in the queue: where nothing proves that, they are unresolved, and no recipient is
    // posted to twice.
    const { state, counts } = await world.progress(id);
    expect(state).toBe('completed_with_failures');
    expect(counts.delivered + counts.unresolved).toBe(10);
    expectEachOnce(counts.delivered);
  });
});

describe('campaigns that share an instance', () => {
  it('are fed in turn, and their queue is no deeper than that of one', async () => {
    world = await aFeedWorld(ledger);
    const marks = { waterMarks: { highWater: 8, lowWater: 2 } };
    const [a, b] = [await world.campaign(18, marks), await world.campaign(18, marks)];
    await world.untilEnded(a, b);
    const ofA = world.delivered().filter((text, at) => at < 24 && text.endsWith(a)).length;
    expect(Math.abs(ofA - 12)).toBeLessThanOrEqual(6);
    expectEachOnce(36);
  });

  it('are fed by priority, and the lower one is not forgotten', async () => {
    world = await aFeedWorld(ledger);
    const high = await world.campaign(36, { waterMarks: { highWater: 20, lowWater: 5 }, priority: 'high' });
    await world.poll(high);
    const low = await world.campaign(4, { priority: 'low' });
    await world.untilEnded(low, high);
    expectEachOnce(40);
    const lowSent = world.delivered().flatMap((text, at) => (text.endsWith(low) ? [at] : []));
    const beforeTheEnd = lowSent.filter((at) => at < 36).length;
    expect(beforeTheEnd).toBeGreaterThan(0);
    expect(beforeTheEnd).toBeLessThan(4);
  });

  it('are fed by two workers at once as by one', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(16, { waterMarks: { highWater: 8, lowWater: 3 } });
    const workers = [world.worker(), world.worker()];
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(workers.map((worker) => worker.poll(id)));
      expect(await world.queueDepth()).toBeLessThanOrEqual(8);
      await world.pass(5.5 * SECOND);
    }
    await world.untilEnded(id);
    expectEachOnce(16);
  });
});
