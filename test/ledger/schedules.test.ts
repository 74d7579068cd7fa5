import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MessageId, ScheduleDefinition, ScheduleId } from '../../src/contract/index.js';
import type { RunDecision } from '../../src/ledger/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { CampaignCast, DAY } from './campaigns/campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from './cast.js';

const ledger = useLedger();

const HOUR = 60 * MINUTE;
const at = (ms: number): string => new Date(ms).toISOString();

function definitionOf(change: Partial<ScheduleDefinition> = {}): ScheduleDefinition {
  return {
    campaign: { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } },
    recipients: { file: 'list.csv' },
    cron: ['*/30 * * * *'],
    ...change,
  };
}

class ScheduleCast {
  readonly id = `s-${randomUUID().slice(0, 8)}` as ScheduleId;

  /** A namespace of its own. */
  create(definition: ScheduleDefinition, commandId: string = randomUUID()) {
    const { id } = this;
    const created = { id, commandId, requestHash: 'h', definition, isPaused: false };
    return ledger.schedules.create({ ...created, namespace: id, nowMs: NOW - DAY });
  }

  begin(atMs = NOW, nowMs = atMs): Promise<RunDecision> {
    return ledger.schedules.beginRun(this.id, at(atMs), nowMs);
  }

  /** The ledger's part of a run. */
  async started(atMs = NOW, nowMs = atMs): Promise<CampaignCast> {
    const decision = await this.begin(atMs, nowMs);
    if (decision.kind !== 'go') throw new Error(`The run is ${decision.run.state} (${decision.run.reason})`);
    const campaign = new CampaignCast(ledger, undefined, decision.run.campaignId);
    await campaign.draft();
    await campaign.imported(1);
    await ledger.campaigns.start(campaign.id, 'default', nowMs);
    await ledger.schedules.started(this.id, at(atMs));
    return campaign;
  }

  view() {
    return ledger.schedules.view(this.id);
  }
}

async function aSchedule(change: Partial<ScheduleDefinition> = {}): Promise<ScheduleCast> {
  const schedule = new ScheduleCast();
  await schedule.create(definitionOf(change));
  return schedule;
}

const command = (note?: string, commandId: string = randomUUID()) => ({ commandId, note, nowMs: NOW });

const seen = { isPaused: false, missed: 0, overlapped: 0 };

/** Proves SCHEDULE-1. */
describe('a schedule', () => {
  it('has to be synced to Temporal after each change, and after its deletion until Temporal has deleted it', async () => {
    const schedule = await aSchedule();
    const open = async () => ledger.schedules.ofNamespace(schedule.id);
    const [first] = await open();
    await ledger.schedules.synced(schedule.id, first?.version ?? 0);
    expect(await schedule.view()).toMatchObject({ isSynced: true });
    expect(await ledger.schedules.update(schedule.id, definitionOf(), NOW)).toMatchObject({ isSynced: true });
    const changed = definitionOf({ cron: ['0 11 * * *'] });
    expect(await ledger.schedules.update(schedule.id, changed, NOW)).toMatchObject({
      isSynced: false,
      definition: changed,
    });
    await ledger.schedules.remove(schedule.id);
    const [deleted] = await open();
    expect(deleted).toMatchObject({ state: 'deleted' });
    await ledger.schedules.synced(schedule.id, deleted?.version ?? 0);
    expect(await open()).toEqual([]);
    await expect(ledger.schedules.update(schedule.id, changed, NOW)).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_FOUND',
    });
  });

  it('shows pause, note and counters as Temporal has them, and needs no sync for them', async () => {
    const schedule = await aSchedule();
    await ledger.schedules.synced(schedule.id, 1);
    const paused = { version: 1, isPaused: true, note: 'by hand', missed: 2, overlapped: 3 };
    await ledger.schedules.observe(schedule.id, paused, NOW);
    const shown = { state: 'paused', note: 'by hand', missedSeen: 2, overlapped: 3, isSynced: true };
    expect(await schedule.view()).toMatchObject(shown);
    await ledger.schedules.observe(schedule.id, { version: 1, ...seen, missed: 2, overlapped: 3 }, NOW);
    expect(await schedule.view()).toMatchObject({ state: 'active', overlapped: 3 });
    expect(await schedule.view()).not.toHaveProperty('note');
    await ledger.schedules.remove(schedule.id);
    await ledger.schedules.observe(schedule.id, { version: 2, ...seen }, NOW);
    expect(await schedule.view()).toBeUndefined();
  });

  it('is paused and resumed once by a key: a repeated pause does not undo the later resume', async () => {
    const schedule = await aSchedule();
    expect(await ledger.schedules.tookEffect(schedule.id, 'pause-1')).toBe(false);
    await ledger.schedules.steered(schedule.id, 'pause', command('closed', 'pause-1'));
    expect(await schedule.view()).toMatchObject({ state: 'paused', note: 'closed' });
    expect(await ledger.schedules.steered(schedule.id, 'resume', command())).toMatchObject({ state: 'active' });
    expect(await schedule.view()).not.toHaveProperty('note');
    expect(await ledger.schedules.tookEffect(schedule.id, 'pause-1')).toBe(true);
    expect(await ledger.schedules.steered(schedule.id, 'pause', command('closed', 'pause-1'))).toMatchObject({
      state: 'active',
    });
  });
});

/** Proves SCHEDULE-7. */
describe('a deleted schedule', () => {
  it('is created again only once its runs have ended', async () => {
    const schedule = await aSchedule();
    const campaign = await schedule.started();
    await ledger.schedules.remove(schedule.id);
    const again = () => schedule.create(definitionOf(), 'again');
    await expect(again()).rejects.toMatchObject({
      code: 'SCHEDULE_RUNS_OPEN',
      message: expect.stringContaining(`everpost campaign cancel ${campaign.id}`),
    });
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    await campaign.endIfDone();
    expect(await schedule.begin(NOW, NOW + HOUR)).toMatchObject({ kind: 'ended', run: { state: 'started' } });
    expect(await again()).toMatchObject({ isNew: true });
    expect(await again()).toMatchObject({ isNew: false });
  });

  it('sends nothing of a run that has not started, also after it was created again', async () => {
    const schedule = await aSchedule();
    await schedule.begin();
    await ledger.schedules.remove(schedule.id);
    await expect(schedule.create(definitionOf())).rejects.toMatchObject({ code: 'SCHEDULE_RUNS_OPEN' });
    expect(await schedule.begin()).toMatchObject({ run: { state: 'skipped', reason: 'schedule_deleted' } });
    await schedule.create(definitionOf());
    expect(await schedule.begin()).toMatchObject({ run: { state: 'skipped', reason: 'schedule_deleted' } });
    expect(await schedule.begin(NOW + HOUR)).toMatchObject({ kind: 'go' });
  });
});

describe('a schedule of messages', () => {
  it('has a run that is open until its message was posted', async () => {
    const message = { instance: 'main', content: { kind: 'status', text: 'Open' } } as const;
    const schedule = new ScheduleCast();
    await schedule.create({ message, cron: ['0 10 * * *'] });
    const { run } = await schedule.begin();
    const id = run.messageId ?? ('' as MessageId);
    const times = { sendAtMs: NOW, expiresAtMs: NOW + DAY, nowMs: NOW };
    await ledger.intake.open({ id, requestHash: 'h', request: message, ...times });
    await ledger.schedules.started(schedule.id, at(NOW));
    expect(await schedule.begin()).toMatchObject({ kind: 'wait', why: `message ${id} was not posted yet` });
    await ledger.messages.cancel(id, 'operator', NOW + HOUR);
    expect(await schedule.begin()).toMatchObject({ kind: 'ended', run: { state: 'started', endedAt: at(NOW) } });
  });
});

/** Proves SCHEDULE-2, SCHEDULE-3 and SCHEDULE-5. */
describe('an occurrence', () => {
  it('proceeds when its campaign has started, whatever happened to the schedule since', async () => {
    const schedule = await aSchedule();
    const { run } = await schedule.begin();
    const campaign = new CampaignCast(ledger, undefined, run.campaignId);
    await campaign.running(1);
    await ledger.schedules.remove(schedule.id);
    expect(await schedule.begin(NOW, NOW + DAY)).toMatchObject({ kind: 'go' });
  });

  it('is open until its campaign has ended, and ended when that did', async () => {
    const schedule = await aSchedule();
    const campaign = await schedule.started();
    expect(await schedule.begin(NOW, NOW + DAY)).toMatchObject({
      kind: 'wait',
      run: { state: 'started' },
      why: `campaign ${campaign.id} has not ended`,
    });
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    await campaign.endIfDone();
    const ended = (await ledger.audiences.view(campaign.id, NOW))?.endedAt;
    const { kind, run } = await schedule.begin(NOW, NOW + 2 * DAY);
    expect({ kind, endedAt: run.endedAt }).toEqual({ kind: 'ended', endedAt: ended });
  });

  it('ends if the schedule changed before it started, and is refused for an unknown schedule', async () => {
    const schedule = await aSchedule();
    await schedule.begin();
    await ledger.schedules.update(schedule.id, definitionOf({ cron: ['30 10 * * *'] }), NOW);
    expect(await schedule.begin()).toMatchObject({ kind: 'ended', run: { reason: 'schedule_changed' } });
    expect(await schedule.begin(NOW + 30 * MINUTE)).toMatchObject({ kind: 'go' });
    await expect(new ScheduleCast().begin()).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });

  it('is missed after its catch-up window, which its jitter extends', async () => {
    const schedule = await aSchedule({ catchupWindow: '10m', jitter: '5m' });
    expect(await schedule.begin(NOW, NOW + 15 * MINUTE)).toMatchObject({ kind: 'go' });
    const late = await schedule.begin(NOW + DAY, NOW + DAY + 15 * MINUTE + SECOND);
    expect(late).toMatchObject({ kind: 'ended', run: { state: 'missed', reason: 'late' } });
    const byDefault = await aSchedule();
    expect(await byDefault.begin(NOW, NOW + HOUR)).toMatchObject({ kind: 'go' });
    expect(await byDefault.begin(NOW + DAY, NOW + DAY + HOUR + SECOND)).toMatchObject({ run: { state: 'missed' } });
  });

  it('counts its catch-up window from the end of the run that it was buffered behind, which is seen a minute later', async () => {
    const schedule = await aSchedule({ overlap: 'buffer', catchupWindow: '10s' });
    await schedule.begin();
    await ledger.schedules.endRun(schedule.id, at(NOW), { state: 'started' }, NOW + DAY);
    expect(await schedule.begin(NOW + HOUR, NOW + DAY + MINUTE)).toMatchObject({ kind: 'go' });
    await ledger.schedules.endRun(schedule.id, at(NOW + HOUR), { state: 'started' }, NOW + DAY + MINUTE);
    expect(await schedule.begin(NOW + 2 * HOUR, NOW + DAY + 2 * HOUR)).toMatchObject({ run: { state: 'missed' } });
  });

  it('fails with its last failure once its catch-up window has passed, and ends once', async () => {
    const schedule = await aSchedule();
    const { run } = await schedule.begin();
    await ledger.schedules.failedTry(schedule.id, run.at, { reason: 'SCHEDULE_RUN_FAILED', text: 'no file' });
    await ledger.schedules.failedTry(schedule.id, run.at, { reason: 'SCHEDULE_RUN_FAILED', text: 'no file' });
    const shown = async () => (await ledger.schedules.runs(schedule.id, 1))[0];
    expect(await shown()).toMatchObject({ state: 'pending', tries: 2, text: 'no file' });
    expect(await ledger.schedules.openRuns(schedule.id)).toHaveLength(1);
    const failed = { state: 'failed', reason: 'SCHEDULE_RUN_FAILED', text: 'no file' };
    expect(await schedule.begin(NOW, NOW + 2 * HOUR)).toMatchObject({ kind: 'ended', run: failed });
    await ledger.schedules.endRun(schedule.id, run.at, { state: 'started' }, NOW);
    expect(await shown()).toMatchObject(failed);
    expect(await ledger.schedules.openRuns(schedule.id)).toEqual([]);
  });

  it('is one after a clock is set back, in whichever order both begin (SCHEDULE-6)', async () => {
    const definition = { cron: ['30 1 * * *'], timezone: 'America/New_York', overlap: 'allow' } as const;
    const first = Date.parse('2027-11-07T05:30:00Z');
    for (const [one, other] of [
      [first, first + HOUR],
      [first + HOUR, first],
    ] as const) {
      const schedule = await aSchedule(definition);
      expect(await schedule.begin(one)).toMatchObject({ kind: 'go' });
      expect(await schedule.begin(other)).toMatchObject({
        run: { state: 'skipped', reason: 'clock_change', text: `the same local time ran at ${at(one)}` },
      });
      expect(await schedule.begin(one)).toMatchObject({ kind: 'go' });
    }
    const schedule = await aSchedule(definition);
    const runs = await ledger.schedules.backfill(schedule.id, [at(first), at(first + HOUR)], NOW);
    expect(runs.map(({ state }) => state)).toEqual(['pending', 'skipped']);
  });
});

/** Proves SCHEDULE-8. */
describe('the health of a schedule', () => {
  const healthOf = async ({ id }: ScheduleCast) => (await ledger.schedules.healthOf([id])).get(id);

  it('has what was missed and failed, the failure until a later run starts, and the open run of Temporal', async () => {
    const schedule = await aSchedule();
    expect(await healthOf(schedule)).toEqual({ missed: 0, failed: 0 });
    await schedule.begin(NOW - 2 * HOUR, NOW);
    const missed = { at: at(NOW - 2 * HOUR), state: 'missed', reason: 'late' };
    expect(await healthOf(schedule)).toMatchObject({ missed: 1, failure: missed });
    await schedule.begin();
    await ledger.schedules.failedTry(schedule.id, at(NOW), { reason: 'SCHEDULE_RUN_FAILED', text: 'no file' });
    const failing = { at: at(NOW), state: 'pending', reason: 'SCHEDULE_RUN_FAILED', text: 'no file' };
    expect(await healthOf(schedule)).toEqual({ missed: 1, failed: 0, failure: failing });
    await schedule.begin(NOW, NOW + 2 * HOUR);
    expect(await healthOf(schedule)).toMatchObject({ missed: 1, failed: 1, failure: { state: 'failed' } });
    const campaign = await schedule.started(NOW + DAY);
    const openRun = { at: at(NOW + DAY), campaignId: campaign.id };
    expect(await healthOf(schedule)).toEqual({ missed: 1, failed: 1, openRun });
  });

  it('has no missed run for a time that was skipped for an earlier one, or that jitter made later (SCHEDULE-9)', async () => {
    const times = [0, 10, 50, 70].map((minutes) => at(NOW + minutes * MINUTE));
    const withoutRun = async (overlap: 'skip' | 'allow', jitter = '0s') => {
      const schedule = await aSchedule({ overlap, jitter });
      await schedule.started(NOW);
      await ledger.schedules.endRun(schedule.id, at(NOW), { state: 'started' }, NOW + HOUR);
      const view = await schedule.view();
      return view && ledger.schedules.withoutRun(view, times);
    };
    expect(await withoutRun('skip')).toEqual([times[3]]);
    expect(await withoutRun('allow')).toEqual(times.slice(1));
    expect(await withoutRun('allow', '15m')).toEqual(times.slice(2));
  });

  it('lists it among the failing ones until a later run starts, or while Temporal rejects it', async () => {
    const [fine, schedule] = [await aSchedule(), await aSchedule()];
    const failing = async () => {
      const { items } = await ledger.schedules.list({ isFailing: true, limit: 500 });
      return items.filter(({ id }) => [fine.id, schedule.id].includes(id)).map(({ id }) => id);
    };
    expect(await failing()).toEqual([]);
    await schedule.begin(NOW - 2 * HOUR, NOW);
    expect(await failing()).toEqual([schedule.id]);
    await schedule.started(NOW + DAY);
    expect(await failing()).toEqual([]);
    await ledger.schedules.synced(fine.id, 1, 'too many calendars');
    expect(await failing()).toEqual([fine.id]);
  });
});

it('a run that is missed or fails records an event, and counts in the metrics (SCHEDULE-8)', async () => {
  const instance = `i-${randomUUID().slice(0, 8)}`;
  const endpoint = {
    id: `evp_${instance}`,
    instance,
    url: 'https://a.example/hook',
    events: ['*'],
    raw: false,
  } as const;
  await ledger.eventEndpoints.create({ ...endpoint, requestHash: 'h' }, NOW);
  const campaign = { instance, content: { kind: 'text', text: 'Hello' } } as const;
  const schedule = await aSchedule({ campaign });
  await schedule.begin(NOW - 2 * HOUR, NOW);
  await schedule.begin();
  await ledger.schedules.endRun(schedule.id, at(NOW), { state: 'failed', reason: 'already_ran' }, NOW);
  const { schedules } = await ledger.metrics.read([instance], NOW);
  expect(schedules).toEqual([{ instance, failing: 1, missed: 1, overlapped: 0, failed: 1 }]);
  // Another database of the server may hold events back for a moment.
  const events = async () => (await ledger.events.list({ instance, limit: 10 })).items;
  await expect.poll(events).toMatchObject([
    { type: 'schedule.failed', data: { id: schedule.id, at: at(NOW - 2 * HOUR), state: 'missed', reason: 'late' } },
    { type: 'schedule.failed', data: { id: schedule.id, at: at(NOW), state: 'failed', reason: 'already_ran' } },
  ]);
});

describe('runs that an operator requests', () => {
  it('exist once for each key of a trigger, at seconds that no time of a schedule has', async () => {
    const schedule = await aSchedule();
    const [one, again] = [
      await ledger.schedules.trigger(schedule.id, 'a', NOW + 300),
      await ledger.schedules.trigger(schedule.id, 'a', NOW + HOUR),
    ];
    expect(again).toEqual(one);
    expect(one).toMatchObject({ at: at(NOW + SECOND), kind: 'trigger', state: 'pending' });
    expect((await ledger.schedules.trigger(schedule.id, 'b', NOW)).at).toBe(at(NOW + 2 * SECOND));
    expect(await schedule.begin()).toMatchObject({ kind: 'go', run: { kind: 'schedule' } });
  });

  it('fill times without a run by a backfill, and wait for each other', async () => {
    const schedule = await aSchedule();
    const first = await schedule.started();
    await ledger.campaigns.cancel(first.id, 'request', NOW);
    await first.endIfDone();
    const times = [at(NOW - 2 * DAY), at(NOW - DAY), at(NOW)];
    const added = await ledger.schedules.backfill(schedule.id, times, NOW);
    expect(added.map((run) => run.at)).toEqual([at(NOW - 2 * DAY), at(NOW - DAY)]);
    expect(await ledger.schedules.backfill(schedule.id, times, NOW)).toEqual([]);
    const earlier = await schedule.started(NOW - 2 * DAY, NOW);
    const next = (nowMs: number) => schedule.begin(NOW - DAY, nowMs);
    expect(await next(NOW + 2 * HOUR)).toMatchObject({
      kind: 'wait',
      why: `the run at ${at(NOW - 2 * DAY)} of the backfill has not ended`,
    });
    await ledger.campaigns.cancel(earlier.id, 'request', NOW);
    await earlier.endIfDone();
    expect(await schedule.begin(NOW - 2 * DAY, NOW)).toMatchObject({ kind: 'ended' });
    // Its window counts from the last time that it waited.
    expect(await next(NOW + 3 * HOUR)).toMatchObject({ kind: 'go' });
  });

  it('fill a time that Temporal missed, but not one that began too late (SCHEDULE-9)', async () => {
    const schedule = await aSchedule();
    const [away, late] = [at(NOW - 2 * DAY), at(NOW - DAY)];
    const view = await schedule.view();
    if (view !== undefined) await ledger.schedules.recordMissed(view, [away], NOW - HOUR, NOW);
    await schedule.begin(NOW - DAY, NOW);
    expect(await ledger.schedules.runs(schedule.id, 9)).toMatchObject([
      { state: 'missed' },
      { reason: 'temporal_away' },
    ]);
    const added = await ledger.schedules.backfill(schedule.id, [away, late], NOW);
    expect(added).toMatchObject([{ at: away, kind: 'backfill', state: 'pending' }]);
    expect((await ledger.schedules.healthOf([schedule.id])).get(schedule.id)).toMatchObject({ missed: 1 });
  });

  it('run at once in a backfill of a schedule that allows overlap', async () => {
    const schedule = await aSchedule({ overlap: 'allow' });
    await ledger.schedules.backfill(schedule.id, [at(NOW - 2 * DAY), at(NOW - DAY)], NOW);
    for (const days of [2, 1]) expect(await schedule.begin(NOW - days * DAY, NOW)).toMatchObject({ kind: 'go' });
  });
});

it('Temporal has started the occurrences of a schedule up to the last time with a row', async () => {
  const schedule = await aSchedule();
  expect((await ledger.schedules.toSync(schedule.id)).coveredUntilMs).toBe(NOW - DAY);
  await schedule.begin(NOW);
  expect((await ledger.schedules.toSync(schedule.id)).coveredUntilMs).toBe(NOW);
  await ledger.schedules.trigger(schedule.id, 'a', NOW + HOUR);
  expect((await ledger.schedules.toSync(schedule.id)).coveredUntilMs).toBe(NOW);
});
