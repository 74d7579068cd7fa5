/** The workflows `template` and `campaign` as docs/contract.md promises them, from raw JSON. */
import { describe, expect } from 'vitest';
import {
  campaignProgressSchema,
  campaignResultSchema,
  campaignSteeringResultSchema,
  templateSnapshotSchema,
  templateStatusSchema,
} from '../../src/contract/workflow-schemas.js';
import { aCampaignRun } from './campaign-world.js';
import { test } from './in-world.js';
import { failureOf, pathsOf, posts, start } from './raw-start.js';
import { eventually } from '../support/eventually.js';
import { TEMPLATE } from '../support/template.js';

describe('the other workflows, from raw JSON', () => {
  test('a template that breaks the rules ends the run as failed, with every problem', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const template = { elementName: 'Order Ready', category: 'UTILITY' };
      const paths = await pathsOf(await start(place, { instance: 'main', template }, undefined, 'template'));
      expect(paths).toEqual(
        expect.arrayContaining(['template.content', 'template.elementName', 'template.languageCode']),
      );
      expect(await pathsOf(await start(place, undefined, undefined, 'template'))).toContain('');
      const unknown = await start(place, { instance: 'main', elementName: 'not_there' }, undefined, 'template');
      expect(await failureOf(unknown)).toMatchObject({ type: 'TEMPLATE_NOT_FOUND' });
      expect(templateStatusSchema.parse(await unknown.query('status'))).toEqual({});
    }));

  test('run a started campaign by its id alone, with commands, to its end', ({ inWorld }) =>
    inWorld(async (world, place) => {
      world.turnstile.allow('sendMessage', 1);
      const { id, handle: lost } = await aCampaignRun(world, place, 3, {
        highWater: 1,
      });
      await lost.terminate('its run is lost');
      const handle = await start(place, { campaignId: id }, `campaign:${id}`, 'campaign');
      const paused = campaignSteeringResultSchema.parse(await handle.executeUpdate('pause'));
      expect(paused.progress).toMatchObject({ id, state: 'paused' });
      const { temporal, taskQueue } = place;
      const read = await temporal.client.activity.execute('readCampaign', {
        id: `read:${id}`,
        args: [{ campaignId: id }],
        taskQueue,
        startToCloseTimeout: '10 seconds',
      });
      expect(campaignProgressSchema.parse(read)).toMatchObject({ state: 'paused' });
      const soon = { deadline: 'soon', highWater: 0 };
      await expect(handle.executeUpdate('update', { args: [soon] })).rejects.toMatchObject({
        cause: { type: 'INPUT_INVALID', details: [{ problems: [{ path: 'deadline' }, { path: 'highWater' }] }] },
      });
      await expect(handle.executeUpdate('retry', { args: [{ scopes: ['read'] }] })).rejects.toMatchObject({
        cause: { type: 'INPUT_INVALID', details: [{ problems: [{ path: 'scopes' }] }] },
      });
      await handle.executeUpdate('update', { args: [{ highWater: 5 }] });
      world.turnstile.open();
      campaignSteeringResultSchema.parse(await handle.executeUpdate('resume'));
      expect(campaignResultSchema.parse(await handle.result())).toMatchObject({
        campaignId: id,
        state: 'completed',
        audience: 3,
      });
      expect((await handle.describe()).searchAttributes).toMatchObject({
        EverpostCampaign: [id],
        EverpostState: ['completed'],
      });
      expect(posts(world)).toBe(3);
    }));

  test('submit a template and follow its review to the end', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const input = { instance: 'main', template: TEMPLATE };
      const handle = await start(place, input, `template:main:${place.taskQueue}`, 'template');
      await eventually(async () => {
        const { snapshot } = templateStatusSchema.parse(await handle.query('status'));
        expect(snapshot?.state).toBe('submitted');
      });
      const rejected = await handle.executeUpdate('setReview', { args: [{ status: 'REJECTED', reason: 'Too short' }] });
      expect(templateSnapshotSchema.parse(rejected)).toMatchObject({ status: 'REJECTED', reason: 'Too short' });
      expect(templateSnapshotSchema.parse(await handle.result())).toMatchObject({
        elementName: 'order_ready',
        status: 'REJECTED',
      });
      expect(templateStatusSchema.parse(await handle.query('status')).snapshot).toMatchObject({ status: 'REJECTED' });
    }));

  test('a run of a schedule without its schedule or its time ends as failed', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const refused = async (input: unknown) => pathsOf(await start(place, input, undefined, 'scheduleRun'));
      expect(await refused(undefined)).toEqual(['']);
      expect(await refused({ scheduleId: 'weekly' })).toEqual(['at']);
      expect(await refused({ scheduleId: 'Weekly mail', at: 'soon' })).toEqual(['at', 'scheduleId']);
    }));

  test('find a campaign by its id, or fail', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      expect(await pathsOf(await start(place, { id: 'sale' }, undefined, 'campaign'))).toEqual(['campaignId', 'id']);
      expect(await pathsOf(await start(place, undefined, undefined, 'campaign'))).toEqual(['']);
      const input = { campaignId: 'not-there' };
      expect(await failureOf(await start(place, input, undefined, 'campaign'))).toMatchObject({
        type: 'CAMPAIGN_NOT_FOUND',
      });
    }));
});
