/** Campaigns from start to end with everything real: what arrives on phones, and the state of the row. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect } from 'vitest';
import { campaignRuns, messageRuns } from '../../src/starter/index.js';
import { campaignSweeper } from '../../src/worker/index.js';
import { CACHES, type TemporalForTests } from '../support/temporal/temporal.js';
import { aCampaignRun } from './campaign-world.js';
import { test } from './in-world.js';
import { posts } from './raw-start.js';
import type { World } from './world.js';
import { eventually } from '../support/eventually.js';

const FEW = { highWater: 3 };

const texts = (world: World): string[] => world.simulator.delivered().map(({ text }) => String(text));

function aSweeper({ ledger, clock }: World, { client, namespace }: TemporalForTests, taskQueue: string) {
  const drivers = campaignRuns({ client, taskQueue });
  const log = (): void => undefined;
  return campaignSweeper({ ledger, drivers, namespace, clock, log });
}

const sweep = (...place: Parameters<typeof aSweeper>): Promise<void> => aSweeper(...place).round();

describe.each(CACHES)('a campaign, %s', (_, maxCachedWorkflows) => {
  test('reaches every recipient once, in the order of the file', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows }, async (world, place) => {
      const run = await aCampaignRun(world, place, 6, FEW);
      expect(await run.handle.result()).toMatchObject({ state: 'completed', audience: 6 });
      await eventually(async () => expect((await run.progress()).counts.delivered).toBe(6));
      expect(texts(world)).toEqual(['Hello P2', 'Hello P3', 'Hello P4', 'Hello P5', 'Hello P6', 'Hello P7']);
      expect(posts(world)).toBe(6);
    }));

  test('is cancelled when its run is cancelled in the Web UI, and its report shows that', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows }, async (world, place) => {
      world.turnstile.allow('sendMessage', 2);
      const run = await aCampaignRun(world, place, 20, FEW);
      await run.hasPosted(2);
      await run.handle.cancel();
      await expect(run.handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });

      // The end requires only that posted recipients were sent to; the delivery receipt may come a moment later.
      await eventually(async () => {
        const { state, counts } = await run.progress();
        expect(state).toBe('cancelled');
        expect(counts).toMatchObject({ delivered: 2, cancelled: 18 });
        expect(texts(world)).toHaveLength(2);
      });
    }));
});

describe('the sweeper of campaigns', () => {
  test('cancels a campaign whose run was terminated, and settles what was posted', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      world.turnstile.allow('sendMessage', 2);
      const run = await aCampaignRun(world, { temporal, taskQueue }, 20, FEW);
      await run.hasPosted(2);
      await run.handle.terminate('changed my mind');

      await sweep(world, temporal, taskQueue);

      const { counts } = await run.reaches('cancelled');
      expect(counts).toMatchObject({ delivered: 2, cancelled: 18 });
      const { items } = await world.ledger.campaigns.report(run.id, { afterLine: 0, limit: 1, states: ['cancelled'] });
      expect(items).toMatchObject([{ reason: 'cancelled' }]);
    }));

  test('starts another run for a campaign whose run is lost, and posts to no recipient twice', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      world.turnstile.allow('sendMessage', 2);
      const run = await aCampaignRun(world, { temporal, taskQueue }, 6, FEW);
      await run.hasPosted(2);
      const { client, namespace } = temporal;
      const workflowExecution = { workflowId: run.handle.workflowId };
      await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
      await eventually(() => expect(run.handle.describe()).rejects.toThrow(/not found/i));
      world.turnstile.open();

      await sweep(world, temporal, taskQueue);
      await sweep(world, temporal, taskQueue);

      expect(await run.reaches('completed')).toMatchObject({ counts: { delivered: 6 } });
      expect(posts(world)).toBe(6);
    }));

  test('lets a run wait again whose wait is not in the ledger: its worker died, or the ledger was restored', ({
    inWorld,
  }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      world.turnstile.allow('sendMessage', 0);
      const run = await aCampaignRun(world, { temporal, taskQueue }, 3, FEW);
      const { campaigns, outbox } = world.ledger;
      const waits = async () => (await campaigns.waits()).filter(({ campaignId }) => campaignId === run.id);
      const [lost] = await eventually(async () => {
        const found = await waits();
        expect(found).toHaveLength(1);
        return found;
      });
      await outbox.remove([lost!.seq]);
      const sweeper = aSweeper(world, temporal, taskQueue);
      await sweeper.round();
      expect(await waits()).toEqual([]);
      await sweeper.round();
      await eventually(async () => expect(await waits()).toHaveLength(1));

      await campaigns.pause(run.id, world.clock.nowMs());
      await eventually(async () => {
        expect((await run.handle.describe()).searchAttributes['EverpostState']).toEqual(['paused']);
      });
    }));

  test('ignores running and ended campaigns', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      const run = await aCampaignRun(world, { temporal, taskQueue }, 1);
      const { runId } = await run.handle.describe();
      await sweep(world, temporal, taskQueue);
      await run.handle.result();
      await sweep(world, temporal, taskQueue);
      expect((await run.handle.describe()).runId).toBe(runId);
    }));
});

test('a campaign that runs again after its end gets a run at once, without the sweeper', ({ inWorld }) =>
  inWorld(async (world, place) => {
    world.turnstile.allow('sendMessage', 0);
    const { id, handle: first } = await aCampaignRun(world, place, 2);
    const { campaigns } = world.ledger;
    await campaigns.cancel(id, 'request', world.clock.nowMs());
    await first.result();
    const handle = place.temporal.client.workflow.getHandle(first.workflowId);
    await campaigns.retry(id, { scopes: ['cancelled'] }, world.clock.nowMs());
    await eventually(async () => expect((await handle.describe()).status.name).toBe('RUNNING'));
    world.turnstile.open();
    expect(await handle.result()).toMatchObject({ state: 'completed' });
  }));

describe('a campaign’s history', () => {
  test('contains counts, and neither numbers nor texts', ({ inWorld }) =>
    inWorld(async (world, place) => {
      const run = await aCampaignRun(world, place, 4);
      await run.handle.result();
      const history = historyToJSON(await run.handle.fetchHistory());
      const payloads = [...history.matchAll(/"data": *"([^"]+)"/g)].map(([, data = '']) => atob(data)).join('\n');
      expect(payloads).toContain('"audience":4');
      expect(payloads).not.toMatch(/1555\d{7}|Hello/);
    }));
});

describe('a campaign’s recipients', () => {
  test('have no runs of their own', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      const run = await aCampaignRun(world, { temporal, taskQueue }, 2);
      await run.handle.result();
      const { items } = await world.ledger.campaigns.report(run.id, { afterLine: 0, limit: 10 });
      const drivers = messageRuns({ client: temporal.client });
      const runs = await Promise.all(items.map(({ messageId }) => drivers.lastRun({ id: messageId })));
      expect(runs).toEqual(['none', 'none']);
    }));
});
