/** Messages and campaigns that name a template, beside its review. */
import { describe, expect } from 'vitest';
import type { TemplateDefinition } from '../../src/contract/index.js';
import { test } from '../support/temporal.js';
import { aCampaignRun } from './campaign-world.js';
import { aWorld, type World } from './world.js';
import { eventually } from '../support/eventually.js';

const TEMPLATE: TemplateDefinition = {
  elementName: 'order_ready',
  languageCode: 'en',
  category: 'UTILITY',
  templateType: 'TEXT',
  vertical: 'Order notice',
  content: 'Your order {{1}} is ready.',
  example: 'Your order 17 is ready.',
};
const USE = { kind: 'template', elementName: 'order_ready', params: ['17'] } as const;

function review(world: World, status: string, more: object = {}): Promise<void> {
  return world.control('POST', 'templates/order_ready/decision', { status, ...more });
}

describe('a message that names a template', () => {
  test('waits until the template is approved, shows the reason, and leaves once', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [300] });
    await world.run(async () => {
      await (await world.startTemplate(TEMPLATE)).reaches('PENDING');
      const message = await world.start(USE);
      await eventually(async () =>
        expect(await world.ledger.messages.view(message.id, Date.now())).toMatchObject({
          state: 'pending',
          waiting: { code: 'TEMPLATE_NOT_APPROVED', text: 'template order_ready is PENDING' },
          attempts: [],
        }),
      );
      await review(world, 'APPROVED');
      await message.reaches('delivered');
      expect(world.simulator.delivered()).toMatchObject([{ text: 'Your order 17 is ready.' }]);
    });
  });

  test('ends with the reason when the template is rejected', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [300] });
    await world.run(async () => {
      await (await world.startTemplate(TEMPLATE)).reaches('PENDING');
      const message = await world.start(USE);
      await review(world, 'REJECTED', { reason: 'too pushy' });
      expect(await message.handle.result()).toMatchObject({ state: 'rejected', reason: 'template_rejected' });
      expect(await world.ledger.messages.view(message.id, Date.now())).toMatchObject({
        reasonText: 'too pushy',
        attempts: [],
      });
      expect(world.simulator.delivered()).toEqual([]);
    });
  });

  test('stops while the template is paused, and continues when it is approved again', async ({
    temporal,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [300] });
    await world.run(async () => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      await review(world, 'PAUSED');
      await template.reaches('PAUSED');
      const message = await world.start(USE);
      await eventually(async () =>
        expect(await world.ledger.messages.view(message.id, Date.now())).toMatchObject({
          state: 'pending',
          waiting: { text: 'template order_ready is PAUSED' },
        }),
      );
      await review(world, 'APPROVED');
      await message.reaches('delivered');
      expect((await template.view()).changes.flatMap(({ status }) => status ?? [])).toEqual([
        'PENDING',
        'PAUSED',
        'APPROVED',
      ]);
    });
  });

  test('waits for the template when it was refused because of a pause a moment ago', async ({
    temporal,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [300] });
    await world.run(async () => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      await review(world, 'APPROVED');
      await template.reaches('APPROVED');
      await review(world, 'PAUSED');
      const message = await world.start(USE);
      const outcomes = async () =>
        (await world.ledger.messages.view(message.id, Date.now()))?.attempts.map(({ outcome }) => outcome) ?? [];
      await eventually(async () => expect(await outcomes()).toEqual(['not_accepted']));
      expect(await message.snapshot()).toMatchObject({ state: 'pending' });
      await review(world, 'APPROVED');
      await world.ledger.templates.setReview(template.key, { status: 'APPROVED' }, world.clock.nowMs());
      // Within a minute, whether its next try came before the notification or after it.
      await eventually(async () => expect((await message.snapshot())?.state).toBe('delivered'));
      expect(await outcomes()).toEqual(['not_accepted', 'accepted']);
    });
  });

  test('expires while it waits for a review without a decision, and nothing was sent', async ({
    temporal,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [300] });
    await world.run(async () => {
      await (await world.startTemplate(TEMPLATE)).reaches('PENDING');
      const soon = new Date(world.clock.nowMs() + 3_000).toISOString();
      const message = await world.start(USE, { expiresAt: soon });
      expect(await message.handle.result()).toMatchObject({ state: 'expired' });
      expect(world.simulator.requests().filter(({ method }) => method === 'sendTemplate')).toEqual([]);
    });
  });
});

describe('a campaign that names a template', () => {
  const content = { ...USE, params: ['{{name}}'] };

  test('waits until the template is approved, stops when it is paused, and continues', async ({
    temporal,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [300] });
    await world.run(async () => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      const campaign = await aCampaignRun(world, temporal, taskQueue, 6, {
        content,
        highWater: 1,
      });
      const waits = () =>
        eventually(async () =>
          expect((await campaign.progress()).waiting).toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' }),
        );
      await waits();
      expect(world.simulator.delivered()).toEqual([]);

      world.turnstile.allow('sendTemplate', 1);
      await review(world, 'APPROVED');
      await campaign.hasPosted(1);
      await review(world, 'PAUSED');
      await template.reaches('PAUSED');
      await waits();
      const { counts } = await campaign.progress();
      // One may have been claimed before the verdict; it waits for the gateway.
      expect(counts.pending + counts.sending).toBe(5);

      world.turnstile.open();
      await review(world, 'APPROVED');
      expect(await campaign.handle.result()).toMatchObject({
        state: 'completed',
        counts: { pending: 0, rejected: 0, failed: 0 },
      });
      expect(new Set(world.simulator.delivered().map(({ chatId }) => chatId)).size).toBe(6);
      expect(world.simulator.delivered()[0]).toMatchObject({ text: 'Your order P2 is ready.' });
    });
  });

  test('ends with the reason for every recipient when the template is rejected', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollIntervalsMs: [300] });
    await world.run(async () => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      const campaign = await aCampaignRun(world, temporal, taskQueue, 3, { content });
      await review(world, 'REJECTED', { reason: 'too pushy' });
      expect(await campaign.handle.result()).toMatchObject({
        state: 'completed_with_failures',
        counts: { rejected: 3 },
      });
      const { items } = await world.ledger.messages.list({ instance: 'main' });
      const end = { state: 'rejected', reason: 'template_rejected', reasonText: 'too pushy' };
      expect(items).toMatchObject([end, end, end]);
      expect(world.simulator.delivered()).toEqual([]);
    });
  });
});
