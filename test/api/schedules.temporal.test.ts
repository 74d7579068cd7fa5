/** Schedules through the API, a worker and Temporal's own schedules. Commands make Temporal fire. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished } from 'vitest';
import {
  AppError,
  WORKFLOW,
  type CampaignId,
  scheduleRunWorkflowId,
  temporalScheduleId,
  type ScheduleId,
  type ScheduleRun,
} from '../../src/contract/index.js';
import { scheduleSweeper } from '../../src/worker/index.js';
import { ScheduleNotFoundError } from '@temporalio/client';
import { syncScheduleWith, temporalSchedules } from '../../src/starter/index.js';
import { eventually } from '../support/eventually.js';
import { test, type TemporalForTests } from '../support/temporal/temporal.js';
import { aLiveApi, type LiveApi } from './live-api.js';

/** One for all tests of this file, so each schedule has a list and phones of its own. */
let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `schedules-${randomUUID()}`);
});
test.afterAll(() => live.close());

const open: Schedule[] = [];
afterEach(async () => {
  for (const schedule of open.splice(0)) await temporalSchedules({ client: schedule.live.client }).remove(schedule.id);
});

/** Another everpost, with a ledger of its own. */
async function another(temporal: TemporalForTests, taskQueue: string): Promise<LiveApi> {
  const other = await aLiveApi(temporal, taskQueue);
  onTestFinished(() => other.close());
  return other;
}

let phones = 15550000000;

class Schedule {
  readonly live: LiveApi;
  readonly id: ScheduleId;
  readonly file: string;
  /** Recipients. */
  readonly ada = String(++phones);
  readonly ben = String(++phones);

  constructor(at: LiveApi = live, id = `s-${randomUUID().slice(0, 8)}` as ScheduleId) {
    this.live = at;
    this.id = id;
    this.file = `${id}.csv`;
    open.push(this);
  }

  list(...recipients: readonly string[]): void {
    const lines = ['phone,name', ...recipients.map((phone) => `+${phone},P`), ''];
    writeFileSync(join(this.live.sourcesDir, this.file), lines.join('\n'));
  }

  async created(change: object = {}): Promise<this> {
    const campaign = { instance: 'main', content: { kind: 'text', text: `Hello {{name}} from ${this.id}` } };
    // Years away: Temporal fires when the test triggers it.
    const asked = { id: this.id, campaign, recipients: { file: this.file }, cron: ['0 0 1 1 *'], ...change };
    expect(await this.live.call('POST', '/v1/schedules', asked)).toMatchObject({
      status: 201,
      body: { isSynced: true },
    });
    return this;
  }

  call(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    return this.live.call(method, `/v1/schedules/${this.id}${path}`, body, headers);
  }

  /** Temporal's own schedule. */
  get inTemporal() {
    return this.live.client.schedule.getHandle(temporalScheduleId(this.id));
  }

  async runs(): Promise<ScheduleRun[]> {
    return (await this.call('GET', '')).body.runs;
  }

  async runsAre(...states: readonly object[]): Promise<ScheduleRun[]> {
    return eventually(async () => {
      const runs = await this.runs();
      expect(runs).toMatchObject(states);
      return runs;
    });
  }

  async arrived(phone: string, times: number): Promise<void> {
    await eventually(() => expect(this.live.phoneOf(phone)).toHaveLength(times));
  }
}

/** A window that is closed now, and for hours. */
const CLOSED = { timezone: 'UTC', windows: [closedWindow(Date.now())] };

function closedWindow(nowMs: number) {
  const at = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString().slice(11, 16);
  return { from: at(10), until: at(11) };
}

const STARTED = { kind: 'schedule', state: 'started' };
/** What lists of workflows show of a run. */
const shownState = async ({ client }: LiveApi, workflowId: string): Promise<unknown> =>
  (await client.workflow.getHandle(workflowId).describe()).searchAttributes['EverpostState'];
const secondOf = (atMs: number) => Math.floor(atMs / 1000);

describe('a schedule', () => {
  test('is refused with a group that the account cannot read, and created with one that it can', async () => {
    const { id } = new Schedule();
    const campaign = { instance: 'main', content: { kind: 'text', text: 'Hello' } };
    const create = (group: string) =>
      live.call('POST', '/v1/schedules', { id, campaign, recipients: { group }, cron: ['0 0 1 1 *'] });
    const unknown = await create('120363000000000000@g.us');
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ path: 'recipients.group' }] } });
    const known = '120363043968066561@g.us';
    const participants = [{ id: '11101000001@c.us', isAdmin: true, isSuperAdmin: true }];
    await live.control('POST', 'instances/1101000001/groups', { groupId: known, subject: 'Club', participants });
    expect(await create(known)).toMatchObject({ status: 201 });
    const change = (recipients: object) => live.call('PATCH', `/v1/schedules/${id}`, { recipients });
    expect(await change({ group: '120363000000000000@g.us' })).toMatchObject({ status: 422 });
    expect(await change({ file: 'list.csv' })).toMatchObject({ status: 200 });
  });

  test('makes one campaign each time that Temporal fires, with the recipients of that moment', async () => {
    const schedule = new Schedule();
    schedule.list(schedule.ada);
    await schedule.created({ overlap: 'allow' });
    await schedule.inTemporal.trigger();
    const [first] = await schedule.runsAre(STARTED);
    await schedule.arrived(schedule.ada, 1);

    schedule.list(schedule.ben);
    // Temporal names its runs by the second: two triggers within one second are one occurrence.
    await eventually(() => expect(secondOf(Date.now())).toBeGreaterThan(secondOf(Date.parse(first?.at ?? ''))));
    await schedule.inTemporal.trigger();
    await schedule.runsAre(STARTED, STARTED);
    await schedule.arrived(schedule.ben, 1);

    await live.call('POST', `/v1/campaigns/${first?.campaignId}/cancel`, {});
    // A retry of Temporal, or Temporal restored from an older backup, starts the first one again.
    const at = first?.at ?? '';
    const workflowId = `${scheduleRunWorkflowId(schedule.id, at)}-again`;
    const again = await live.client.workflow.execute(WORKFLOW.scheduleRun, {
      workflowId,
      taskQueue: live.taskQueue,
      args: [{ scheduleId: schedule.id, at }],
    });
    expect(again).toEqual({ state: 'started', campaignId: first?.campaignId });
    expect(await shownState(live, workflowId)).toEqual(['started']);
    expect(await schedule.runs()).toHaveLength(2);
    expect(live.phoneOf(schedule.ada)).toHaveLength(1);
  });

  test('sends no occurrence again after an older ledger was restored', async ({ temporal, taskQueue }) => {
    const schedule = new Schedule();
    schedule.list(schedule.ada);
    await schedule.created();
    await schedule.inTemporal.trigger();
    const [run] = await schedule.runsAre(STARTED);
    await schedule.arrived(schedule.ada, 1);

    const restored = new Schedule(await another(temporal, taskQueue), schedule.id);
    restored.list(restored.ada);
    await restored.created();
    const at = run?.at ?? '';
    const workflowId = `${scheduleRunWorkflowId(schedule.id, at)}-restored`;
    const again = await restored.live.client.workflow.execute(WORKFLOW.scheduleRun, {
      workflowId,
      taskQueue,
      args: [{ scheduleId: schedule.id, at }],
    });
    expect(again).toMatchObject({ state: 'failed', reason: 'already_ran' });
    expect(await shownState(restored.live, workflowId)).toEqual(['failed']);
    expect(await restored.runs()).toMatchObject([{ state: 'failed', text: expect.stringMatching(/restored/) }]);
    expect(restored.live.phoneOf(restored.ada)).toEqual([]);
  });

  test('is paused, resumed, triggered, backfilled and deleted', async () => {
    const schedule = new Schedule();
    schedule.list(schedule.ada);
    await schedule.created({ cron: ['0 9 1 * *'], timezone: 'Europe/Lisbon', overlap: 'allow' });
    expect((await schedule.call('GET', '')).body.nextRuns).toHaveLength(5);

    const key1 = { 'idempotency-key': 'pause-1' };
    await schedule.call('POST', '/pause', { note: 'shop is closed' }, key1);
    expect((await schedule.inTemporal.describe()).state).toMatchObject({ paused: true, note: 'shop is closed' });
    await schedule.inTemporal.unpause('by hand');
    expect((await schedule.call('GET', '')).body).toMatchObject({ state: 'active', note: 'by hand' });
    // A repeated request does not undo what was done since, nor does a change of the schedule.
    await schedule.call('POST', '/pause', { note: 'shop is closed' }, key1);
    await schedule.inTemporal.pause('in Temporal');
    const changed = await schedule.call('PATCH', '', { cron: ['0 9 1 * *', '0 9 1 1 *'] });
    expect(changed.body).toMatchObject({ state: 'paused', isSynced: true });
    expect((await schedule.call('GET', '')).body).toMatchObject({ state: 'paused', note: 'in Temporal' });
    await schedule.call('POST', '/resume', {});
    expect((await schedule.inTemporal.describe()).state).toMatchObject({
      paused: false,
      note: 'resumed by everpost',
    });

    const key = { 'idempotency-key': 'now' };
    const one = await schedule.call('POST', '/trigger', undefined, key);
    expect((await schedule.call('POST', '/trigger', undefined, key)).body.at).toBe(one.body.at);
    await schedule.runsAre({ kind: 'trigger', state: 'started' });

    const range = { from: '2026-01-01T09:00:00Z', to: '2026-02-01T09:00:00Z' };
    const { body } = await schedule.call('POST', '/backfill', range);
    expect(body.runs.map(({ at }: ScheduleRun) => at)).toEqual([
      '2026-01-01T09:00:00.000Z',
      '2026-02-01T09:00:00.000Z',
    ]);
    expect((await schedule.call('POST', '/backfill', range)).body.runs).toEqual([]);
    await eventually(async () => {
      const runs = (await schedule.runs()).filter(({ kind }) => kind === 'backfill');
      expect(runs).toMatchObject([{ state: 'started' }, { state: 'started' }]);
    });
    await schedule.arrived(schedule.ada, 3);

    await schedule.call('DELETE', '');
    await expect(schedule.inTemporal.describe()).rejects.toThrow(/not found/);
  });

  test('that is created again before Temporal has deleted it has its own pause and note', async () => {
    const schedule = await new Schedule().created();
    await live.ledger.schedules.remove(schedule.id);
    await schedule.created({ paused: true, note: 'not yet' });
    expect((await schedule.inTemporal.describe()).state).toMatchObject({ paused: true, note: 'not yet' });
  });

  test('that Temporal has lost while it was paused runs no time of the pause after a resume', async () => {
    const schedule = await new Schedule().created({ cron: ['* * * * *'], paused: true });
    await schedule.inTemporal.delete();
    expect((await schedule.call('POST', '/resume', {})).body).toMatchObject({ state: 'active' });
    expect((await schedule.inTemporal.describe()).state.paused).toBe(false);
  });

  test('is created again with its missed runs when Temporal has lost it', async ({ temporal, taskQueue }) => {
    // It moves the clock, and sweeps all schedules of the ledger.
    const own = await another(temporal, taskQueue);
    const schedule = new Schedule(own);
    schedule.list(schedule.ada);
    await schedule.created({ cron: ['0 * * * *'] });
    await schedule.inTemporal.delete();
    own.advance(60 * 60_000);
    const clock = { nowMs: () => Date.now() + 60 * 60_000 };
    const driver = temporalSchedules({ client: own.client, taskQueue });
    const sweep = scheduleSweeper({
      ledger: own.ledger,
      temporal: driver,
      sync: syncScheduleWith({ ledger: own.ledger, temporal: driver, clock }),
      clock,
      log: () => undefined,
    });
    await sweep.round();
    expect((await schedule.inTemporal.describe()).state.paused).toBe(false);
    await schedule.runsAre(STARTED);
    await schedule.arrived(schedule.ada, 1);
    await sweep.round();
    expect(await schedule.runs()).toHaveLength(1);
  });
});

test('a schedule has the times of cron in Temporal: either day, names, nicknames, a timezone in any case', async () => {
  const schedule = new Schedule();
  const cron = ['0 9 13 * FRI', '30 4 * * sun,7', '@monthly'];
  await schedule.created({ cron, timezone: 'europe/lisbon' });
  const driver = temporalSchedules({ client: live.client });
  const [from, to] = [Date.parse('2026-11-01T00:00:00Z') - 1, Date.parse('2026-11-15T00:00:00Z')];
  expect(await driver.matchingTimes(schedule.id, from, to)).toEqual(
    ['01T00:00', '01T04:30', '06T09:00', '08T04:30', '13T09:00'].map((at) => `2026-11-${at}:00.000Z`),
  );
  // The 13th is no Friday in December.
  const [late, end] = [Date.parse('2026-12-12T00:00:00Z'), Date.parse('2026-12-14T00:00:00Z')];
  expect(await driver.matchingTimes(schedule.id, late, end)).toEqual([
    '2026-12-13T04:30:00.000Z',
    '2026-12-13T09:00:00.000Z',
  ]);
});

test('a schedule whose recipient is erased is deleted in Temporal once it can be reached', async ({
  temporal,
  taskQueue,
}) => {
  const own = await another(temporal, taskQueue);
  const to = String(++phones);
  const message = { instance: 'main', to, content: { kind: 'text', text: `for ${to}` } };
  const asked = { message, campaign: undefined, recipients: undefined };
  const [active, paused, deleted] = [new Schedule(own), new Schedule(own), new Schedule(own)];
  await Promise.all([active, paused, deleted].map((schedule) => schedule.created(asked)));
  await paused.call('POST', '/pause', { note: 'as asked' });
  await deleted.call('DELETE', '');
  const driver = temporalSchedules({ client: own.client, taskQueue });
  const clock = { nowMs: () => Date.now() };
  const sweep = (sync: Parameters<typeof scheduleSweeper>[0]['sync']) =>
    scheduleSweeper({ ledger: own.ledger, temporal: driver, sync, clock, log: () => undefined }).round();

  await own.ledger.erasures.begin({ chatId: `${to}@c.us`, requestedBy: 'test', nowMs: clock.nowMs() });
  const away = new AppError('TEMPORAL_UNAVAILABLE', 'Temporal is away');
  await expect(sweep(() => Promise.reject(away))).rejects.toThrow('away');
  expect((await active.inTemporal.describe()).state.paused).toBe(false);
  for (const _ of ['the first time', 'again']) {
    await sweep(syncScheduleWith({ ledger: own.ledger, temporal: driver, clock }));
    for (const schedule of [active, paused, deleted]) {
      await expect(schedule.inTemporal.describe()).rejects.toThrow(ScheduleNotFoundError);
    }
    expect((await active.call('GET', '')).body).toMatchObject({ state: 'ended', isSynced: true });
  }
});

test('a schedule skips a time in Temporal while its campaign runs, and says what blocks it', async () => {
  const schedule = new Schedule();
  schedule.list(schedule.ada);
  const campaign = { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' }, sendingWindows: CLOSED };
  await schedule.created({ campaign });
  // As its times do. By default, Temporal allows a triggered run to overlap, and does not compare it with the next time.
  await schedule.inTemporal.trigger('SKIP');
  const [run] = await schedule.runsAre(STARTED);
  const id = run?.campaignId ?? '';
  await schedule.inTemporal.trigger('SKIP');
  await eventually(async () => {
    const { counts, blockedBy } = (await schedule.call('GET', '')).body;
    expect({ counts, blockedBy }).toEqual({
      counts: { missed: 0, overlapped: 1, failed: 0 },
      blockedBy: { at: run?.at, campaignId: id },
    });
  });
  await live.call('POST', `/v1/campaigns/${id}/cancel`, {});
  await eventually(async () => {
    await live.ledger.campaigns.endIfDone(id as CampaignId, Date.now());
    expect((await schedule.call('GET', '')).body).not.toHaveProperty('blockedBy');
  });
  expect(await live.client.workflow.getHandle(scheduleRunWorkflowId(schedule.id, run?.at ?? '')).result()).toEqual({
    state: 'started',
    campaignId: id,
  });
});

describe('a clock that is set forward and back, in two zones', () => {
  const zones = [
    // On March 8 there is no 02:30, and on November 1 there are two 01:30: Temporal fires for both.
    {
      timezone: 'America/New_York',
      gap: ['30 2 * * *', '2026-03-07', '2026-03-10'],
      night: ['30 1 * * *', '2026-11-01T05:30:00Z', 'the same local time ran at 2026-11-01T0'],
    },
    // On March 29 there is no 01:30. On October 25 Temporal fires for 00:30, and again an hour later, at 01:30.
    {
      timezone: 'Europe/Lisbon',
      gap: ['30 1 * * *', '2026-03-28', '2026-03-31'],
      night: ['30 0 * * *', '2026-10-25T00:30:00Z', 'its local time is 2026-10-25T01:30'],
    },
  ] as const;

  test.for(zones)(
    'has one occurrence for each local time in $timezone',
    async ({ timezone, gap, night: [cronAtNight, twice, why] }) => {
      const schedule = new Schedule();
      schedule.list(schedule.ada);
      const [cron, from, to] = gap;
      const definition = { cron: [cron], timezone, catchupWindow: '365d', overlap: 'allow' };
      await schedule.created(definition);
      const driver = temporalSchedules({ client: live.client });
      const times = await driver.matchingTimes(
        schedule.id,
        Date.parse(`${from}T00:00:00Z`),
        Date.parse(`${to}T00:00:00Z`),
      );
      // Three days, and none for the day without that hour.
      expect(times.map((time) => Number(time.slice(8, 10)))).toEqual([
        Number(from.slice(8)),
        Number(to.slice(8)) === 1 ? 31 : Number(to.slice(8)) - 1,
      ]);

      const night = new Schedule();
      night.list(night.ada);
      await night.created({ ...definition, cron: [cronAtNight] });
      const handle = night.inTemporal;
      const start = new Date(Date.parse(twice) - 2 * 3_600_000);
      await handle.backfill({ start, end: new Date(Date.parse(twice) + 2 * 3_600_000), overlap: 'ALLOW_ALL' });
      await eventually(async () => {
        const runs = await night.runs();
        expect(runs.filter(({ state }) => state === 'started')).toHaveLength(1);
        expect(runs.filter(({ state }) => state === 'pending')).toEqual([]);
        // One of the two fires is skipped.
        expect(runs.filter(({ state }) => state === 'skipped')).toMatchObject([
          { reason: 'clock_change', text: expect.stringContaining(why) },
        ]);
      });
      await handle.delete();
      await night.arrived(night.ada, 1);
    },
  );
});
