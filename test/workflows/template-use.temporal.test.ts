/** Messages and campaigns that name a template, beside its review. */
import { describe, expect } from 'vitest';
import { aCampaignRun } from './campaign-world.js';
import { test } from './in-world.js';
import type { World } from './world.js';
import { eventually } from '../support/eventually.js';
import { TEMPLATE } from '../support/template.js';

const USE = { kind: 'template', elementName: 'order_ready', params: ['17'] } as const;

function review(world: World, status: string, more: object = {}): Promise<void> {
  return world.control('POST', 'templates/order_ready/decision', { status, ...more });
}

describe('a message that names a template', () => {
  test('waits until the template is approved, shows the reason, and leaves once', ({ inWorld }) =>
    inWorld({ templatePollIntervalsMs: [300] }, async (world) => {
      await (await world.startTemplate(TEMPLATE)).reaches('PENDING');
      const message = await world.start(USE);
      await eventually(async () =>
        expect(await world.ledger.views.message(message.id, Date.now())).toMatchObject({
          state: 'pending',
          waiting: { code: 'TEMPLATE_NOT_APPROVED', text: 'template order_ready is PENDING' },
          attempts: [],
        }),
      );
      await review(world, 'APPROVED');
      await message.reaches('delivered');
      expect(world.simulator.delivered()).toMatchObject([{ text: 'Your order 17 is ready.' }]);
    }));

  test('refused because the template was paused a moment ago, waits for it', ({ inWorld }) =>
    inWorld({ templatePollIntervalsMs: [300] }, async (world) => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      await review(world, 'APPROVED');
      await template.reaches('APPROVED');
      await review(world, 'PAUSED');
      const message = await world.start(USE);
      const outcomes = async () =>
        (await world.ledger.views.message(message.id, Date.now()))?.attempts.map(({ outcome }) => outcome) ?? [];
      await eventually(async () => expect(await outcomes()).toEqual(['not_accepted']));
      expect(await message.snapshot()).toMatchObject({ state: 'pending' });
      await review(world, 'APPROVED');
      await world.ledger.templates.setReview(template.key, { status: 'APPROVED' }, world.clock.nowMs());
      world.wake('main');
      // Within a minute, whether its next try came before the notification or after it.
      await eventually(async () => expect((await message.snapshot())?.state).toBe('delivered'));
      expect(await outcomes()).toEqual(['not_accepted', 'accepted']);
    }));
});

describe('a campaign that names a template', () => {
  const content = { ...USE, params: ['{{name}}'] };

  test('waits until the template is approved, stops when it is paused, and continues', ({ inWorld }) =>
    inWorld({ templatePollIntervalsMs: [300] }, async (world, place) => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      const campaign = await aCampaignRun(world, place, 3, { content });
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
      expect(counts.pending + counts.sending).toBe(2);

      world.turnstile.open();
      await review(world, 'APPROVED');
      expect(await campaign.handle.result()).toMatchObject({
        state: 'completed',
        counts: { pending: 0, rejected: 0, failed: 0 },
      });
      expect(new Set(world.simulator.delivered().map(({ chatId }) => chatId)).size).toBe(3);
      expect(world.simulator.delivered()[0]).toMatchObject({ text: 'Your order P2 is ready.' });
    }));

  test('ends with the reason for every recipient when the template is rejected', ({ inWorld }) =>
    inWorld({ templatePollIntervalsMs: [300] }, async (world, place) => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      const campaign = await aCampaignRun(world, place, 3, { content });
      await review(world, 'REJECTED', { reason: 'too pushy' });
      expect(await campaign.handle.result()).toMatchObject({
        state: 'completed_with_failures',
        counts: { rejected: 3 },
      });
      const { items } = await world.ledger.views.messages({ instance: 'main' });
      const end = { state: 'rejected', reason: 'template_rejected', reasonText: 'too pushy' };
      expect(items).toMatchObject([end, end, end]);
      expect(world.simulator.delivered()).toEqual([]);
    }));
});
