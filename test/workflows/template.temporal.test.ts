import { describe, expect } from 'vitest';
import {
  OPERATION_NAMES,
  TEMPLATE_DECIDE_UPDATE,
  TEMPLATE_STATUS_QUERY,
  type TemplateDecision,
  type TemplateDefinition,
  type TemplateSnapshot,
  type TemplateStatusAnswer,
} from '../../src/contract/index.js';
import { test } from '../support/temporal.js';
import { aCampaignRun } from './campaign-world.js';
import { aWorld, eventually, passTime, type TemplateRun, type World } from './world.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
const WITHOUT_READING = OPERATION_NAMES.filter((name) => name !== 'getTemplates' && name !== 'getTemplateById');

/** Beside others on two cores. */
const SLOW = { timeout: 120_000 };

function review(world: World, status: string, more: object = {}): Promise<void> {
  return world.control('POST', 'templates/order_ready/decision', { status, ...more });
}

function decide(run: TemplateRun, decision: TemplateDecision): Promise<TemplateSnapshot> {
  return run.handle.executeUpdate<TemplateSnapshot, [TemplateDecision]>(TEMPLATE_DECIDE_UPDATE, { args: [decision] });
}

function looks(world: World): number {
  return world.simulator.requests().filter(({ method }) => method === 'getTemplateById').length;
}

async function historyLength({ handle }: TemplateRun): Promise<number> {
  return (await handle.describe()).historyLength;
}

describe.each([
  ['with cached workflows', 100],
  ['without the workflow cache', 0],
])('a template, %s', (_, maxCachedWorkflows) => {
  test('is submitted, waited for, and decided on by a person at once', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, maxCachedWorkflows });
    await world.run(async () => {
      const run = await world.startTemplate(TEMPLATE);
      await run.reaches('PENDING');
      await eventually(async () => expect(looks(world)).toBe(1));
      const status = await run.handle.query<TemplateStatusAnswer>(TEMPLATE_STATUS_QUERY);
      expect(status.snapshot).toMatchObject({ state: 'submitted', status: 'PENDING' });

      expect(await decide(run, { status: 'REJECTED', reason: 'by mail' })).toMatchObject({ status: 'REJECTED' });
      expect(await run.handle.result()).toMatchObject({ state: 'submitted', status: 'REJECTED', reason: 'by mail' });
      expect((await run.view()).changes.at(-1)).toMatchObject({ witness: 'person', status: 'REJECTED' });
    });
  });
});

describe('a worker that is replaced between two looks', () => {
  test('is followed by another, which goes on looking', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollMs: [500] });
    let run: TemplateRun | undefined = undefined;
    await world.run(
      async () => {
        run = await world.startTemplate(TEMPLATE);
        await eventually(async () => expect(looks(world)).toBeGreaterThan(1));
      },
      async () => {
        await review(world, 'APPROVED');
        expect(await run?.handle.result()).toMatchObject({ status: 'APPROVED' });
        expect(world.simulator.requests().filter(({ method }) => method === 'createTemplate')).toHaveLength(1);
      },
    );
  });
});

describe('a decision', () => {
  test('pushed while a look is under way ends the wait, and is not taken back by that look', async ({
    temporal,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal, taskQueue });
    await world.run(async () => {
      await world.control('POST', 'faults', {
        method: 'getTemplateById',
        kind: 'late-answer',
        ms: 1_500,
        accepted: true,
        times: 1,
      });
      const run = await world.startTemplate(TEMPLATE);
      await eventually(async () => expect(looks(world)).toBe(1));
      await decide(run, { status: 'APPROVED' });
      expect(await run.handle.result()).toMatchObject({ status: 'APPROVED' });
      await eventually(async () => expect(world.simulator.requests().at(-1)?.status).toBe(200));
      expect(await run.view()).toMatchObject({ status: 'APPROVED' });
    });
  });

  test('that is no word of a review is refused, and the run goes on', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue });
    await world.run(async () => {
      const run = await world.startTemplate(TEMPLATE);
      await run.reaches('PENDING');
      await expect(decide(run, { status: 'well…' })).rejects.toMatchObject({ cause: { type: 'INPUT_INVALID' } });
      expect((await run.handle.describe()).status.name).toBe('RUNNING');
    });
  });
});

describe('a review’s long waits', () => {
  test(
    'approved after three days: looked at quickly first, then by the hour, and the history does not grow',
    SLOW,
    async ({ timeSkipping, taskQueue }) => {
      const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
      await world.run(async () => {
        const run = await world.startTemplate(TEMPLATE);
        await run.reaches('PENDING');
        await passTime(world, timeSkipping, MINUTE);
        expect(looks(world)).toBe(2);
        const lengthBefore = await historyLength(run);
        await passTime(world, timeSkipping, 3 * DAY);
        const looksInThreeDays = looks(world);
        expect(looksInThreeDays).toBeGreaterThan(60);
        expect(looksInThreeDays).toBeLessThan(90);
        expect(await historyLength(run)).toBe(lengthBefore);

        await review(world, 'APPROVED');
        await passTime(world, timeSkipping, HOUR + MINUTE);
        expect(await run.handle.result()).toMatchObject({ status: 'APPROVED' });
      });
    },
  );

  test('never decided: given up after thirty days, saying so, with the status as it stands', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const templatePollMs = [MINUTE, DAY];
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue, templatePollMs });
    await world.run(async () => {
      const run = await world.startTemplate(TEMPLATE);
      await run.reaches('PENDING');
      await passTime(world, timeSkipping, 29 * DAY);
      expect((await run.handle.describe()).status.name).toBe('RUNNING');
      await passTime(world, timeSkipping, 2 * DAY);
      expect(await run.handle.result()).toMatchObject({
        status: 'PENDING',
        unwatchedSince: expect.any(String) as string,
      });
    });
  });

  test('a gateway that is away for two days of the review is asked again, and its verdict is found', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      const run = await world.startTemplate(TEMPLATE);
      await run.reaches('PENDING');
      await world.simulator.pauseListening();
      await passTime(world, timeSkipping, 2 * DAY);
      expect(await run.view()).toMatchObject({ status: 'PENDING', checkCode: 'GATEWAY_UNREACHABLE' });
      await world.simulator.resumeListening();
      await review(world, 'FAILED', { reason: 'no example' });
      await passTime(world, timeSkipping, HOUR + MINUTE);
      expect(await run.handle.result()).toMatchObject({ status: 'FAILED', reason: 'no example' });
    });
  });

  test('where the instance cannot read templates nothing is asked, and the pushed decision ends the wait', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const instance = { capabilities: WITHOUT_READING };
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue, instance });
    await world.run(async () => {
      const run = await world.startTemplate(TEMPLATE);
      await run.reaches('PENDING');
      await passTime(world, timeSkipping, DAY);
      expect(world.simulator.requests().map(({ method }) => method)).toEqual(['createTemplate']);
      expect((await run.view()).checkText).toContain('push its decision');
      await decide(run, { status: 'APPROVED' });
      expect(await run.handle.result()).toMatchObject({ status: 'APPROVED' });
    });
  });
});

describe('a message that names a template', () => {
  test('waits until it is approved, shows for what, and leaves once', async ({ timeSkipping, taskQueue }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await (await world.startTemplate(TEMPLATE)).reaches('PENDING');
      const message = await world.start(USE);
      await passTime(world, timeSkipping, 3 * HOUR);
      expect(await world.ledger.messages.view(message.id)).toMatchObject({
        state: 'planned',
        waiting: { code: 'TEMPLATE_NOT_APPROVED', text: 'template order_ready is PENDING' },
        attempts: [],
      });
      await review(world, 'APPROVED');
      await passTime(world, timeSkipping, HOUR + 6 * MINUTE);
      await message.reaches('delivered');
      expect(world.simulator.delivered()).toMatchObject([{ text: 'Your order 17 is ready.' }]);
    });
  });

  test('ends with the reason when the template is rejected', async ({ timeSkipping, taskQueue }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await (await world.startTemplate(TEMPLATE)).reaches('PENDING');
      const message = await world.start(USE);
      await review(world, 'REJECTED', { reason: 'too pushy' });
      await passTime(world, timeSkipping, 12 * MINUTE);
      expect(await message.handle.result()).toMatchObject({ state: 'rejected', reason: 'template_rejected' });
      expect(await world.ledger.messages.view(message.id)).toMatchObject({ reasonText: 'too pushy', attempts: [] });
      expect(world.simulator.delivered()).toEqual([]);
    });
  });

  test('holds while it is paused, and goes on when it is approved again', async ({ timeSkipping, taskQueue }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      await review(world, 'PAUSED');
      await passTime(world, timeSkipping, 2 * MINUTE);
      await template.reaches('PAUSED');
      const message = await world.start(USE);
      await passTime(world, timeSkipping, 5 * HOUR);
      expect(await message.snapshot()).toMatchObject({ state: 'planned' });
      await review(world, 'APPROVED');
      await passTime(world, timeSkipping, HOUR + 6 * MINUTE);
      await message.reaches('delivered');
      expect((await template.view()).changes.flatMap(({ status }) => status ?? [])).toEqual([
        'PENDING',
        'PAUSED',
        'APPROVED',
      ]);
    });
  });

  test('refused because the template was paused a moment ago, waits for it', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollMs: [MINUTE] });
    await world.run(async () => {
      const template = await world.startTemplate(TEMPLATE);
      await template.reaches('PENDING');
      await decide(template, { status: 'APPROVED' });
      await review(world, 'PAUSED');
      const message = await world.start(USE);
      await template.reaches('PAUSED');
      await eventually(async () => expect(await message.snapshot()).toMatchObject({ state: 'planned' }));
      await review(world, 'APPROVED');
      await world.ledger.templates.decide(template.key, { status: 'APPROVED' }, world.clock.nowMs());
      await message.reaches('delivered');
      const view = await world.ledger.messages.view(message.id);
      expect(view?.attempts.map(({ outcome }) => outcome)).toEqual(['not_accepted', 'accepted']);
    });
  });

  test('expires while it waits for a review that is never decided, and nothing was ever sent', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await (await world.startTemplate(TEMPLATE)).reaches('PENDING');
      const inTwoHours = new Date(world.clock.nowMs() + 2 * HOUR).toISOString();
      const message = await world.start(USE, { expiresAt: inTwoHours });
      await passTime(world, timeSkipping, 2 * HOUR + MINUTE);
      expect(await message.handle.result()).toMatchObject({ state: 'expired' });
      expect(world.simulator.requests().filter(({ method }) => method === 'sendTemplate')).toEqual([]);
    });
  });
});

describe('a campaign that names a template', () => {
  const content = { ...USE, params: ['{{name}}'] };

  test(
    'waits until it is approved, holds when it is paused on the way, and goes on',
    SLOW,
    async ({ temporal, taskQueue }) => {
      const world = await aWorld({ temporal, taskQueue, templatePollMs: [300] });
      await world.run(async () => {
        const template = await world.startTemplate(TEMPLATE);
        await template.reaches('PENDING');
        const campaign = await aCampaignRun(world, temporal, taskQueue, 6, {
          content,
          waterMarks: { highWater: 1, lowWater: 0 },
        });
        const waits = () =>
          eventually(async () =>
            expect((await campaign.progress()).waiting).toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' }),
          );
        await waits();
        expect(world.simulator.delivered()).toEqual([]);

        await review(world, 'APPROVED');
        await campaign.hasPosted(1);
        await review(world, 'PAUSED');
        await template.reaches('PAUSED');
        await waits();
        const { counts } = await campaign.progress();
        expect(counts.planned).toBeGreaterThan(0);

        await review(world, 'APPROVED');
        expect(await campaign.handle.result()).toMatchObject({
          state: 'completed',
          counts: { planned: 0, rejected: 0, failed: 0 },
        });
        expect(new Set(world.simulator.delivered().map(({ chatId }) => chatId)).size).toBe(6);
        expect(world.simulator.delivered()[0]).toMatchObject({ text: 'Your order P2 is ready.' });
      });
    },
  );

  test('ends with the reason for everybody when it is rejected', async ({ temporal, taskQueue }) => {
    const world = await aWorld({ temporal, taskQueue, templatePollMs: [300] });
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
      expect(items.map(({ reasonText }) => reasonText)).toEqual(Array(3).fill('template_rejected: too pushy'));
      expect(world.simulator.delivered()).toEqual([]);
    });
  });
});
