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
    cron: ['0 10 * * *'],
    ...change,
  };
}

class ScheduleCast {
  readonly id = `s-${randomUUID().slice(0, 8)}` as ScheduleId;

  /** A namespace of its own. */
  create(definition: ScheduleDefinition) {
    const { id } = this;
    const created = { id, commandId: id, requestHash: 'h', definition, isPaused: false };
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
    await campaign.draft({ startAt: decision.run.startAt });
    await campaign.imported(1);
    await ledger.campaigns.startOccurrence(campaign.id, 'default', nowMs);
    await ledger.schedules.endRun(this.id, at(atMs), { state: 'started' }, nowMs);
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

/** Proves SCHEDULE-1. */
describe('a schedule', () => {
  it('has to be synced to Temporal after each change, and after its deletion until Temporal has deleted it', async () => {
    const schedule = await aSchedule();
    const open = async () => ledger.schedules.ofNamespace(schedule.id);
    const [first] = await open();
    await ledger.schedules.synced(schedule.id, first?.version ?? 0);
    expect(await schedule.view()).toMatchObject({ isSynced: true });
    await ledger.schedules.pause(schedule.id, command('closed'));
    expect(await schedule.view()).toMatchObject({ state: 'paused', note: 'closed', isSynced: false });
    await ledger.schedules.remove(schedule.id, NOW);
    const [deleted] = await open();
    expect(deleted).toMatchObject({ state: 'deleted' });
    await ledger.schedules.synced(schedule.id, deleted?.version ?? 0);
    expect(await open()).toEqual([]);
  });

  it('is paused and resumed once by a key: a repeated pause does not undo the later resume', async () => {
    const schedule = await aSchedule();
    await ledger.schedules.pause(schedule.id, command('closed', 'pause-1'));
    expect(await ledger.schedules.resume(schedule.id, command())).toMatchObject({ state: 'active' });
    expect(await schedule.view()).not.toHaveProperty('note');
    expect(await ledger.schedules.pause(schedule.id, command('closed', 'pause-1'))).toMatchObject({ state: 'active' });
  });
});

describe('a schedule of messages', () => {
  const status = { message: { instance: 'main', content: { kind: 'status', text: 'Open' } } } as const;

  class MessageSchedule extends ScheduleCast {
    /** The ledger's part of a run. */
    async posted(atMs = NOW, nowMs = atMs): Promise<MessageId> {
      const { run } = await this.begin(atMs, nowMs);
      const id = run.messageId ?? ('' as MessageId);
      const { message: request } = status;
      await ledger.intake.open({ id, requestHash: 'h', request, sendAtMs: atMs, expiresAtMs: nowMs + DAY, nowMs });
      await ledger.schedules.endRun(this.id, at(atMs), { state: 'started' }, nowMs);
      return id;
    }
  }

  async function aMessageSchedule(change: Partial<ScheduleDefinition> = {}): Promise<MessageSchedule> {
    const schedule = new MessageSchedule();
    await schedule.create({ ...status, cron: ['0 10 * * *'], ...change });
    return schedule;
  }

  it('skips a run while an earlier message is pending, or lets it wait', async () => {
    for (const [overlap, expected] of [
      ['skip', { kind: 'ended', run: { state: 'skipped', reason: 'overlap' } }],
      ['buffer', { kind: 'wait', run: { state: 'waiting' } }],
      ['allow', { kind: 'go' }],
    ] as const) {
      const schedule = await aMessageSchedule({ overlap });
      const id = await schedule.posted();
      expect(await schedule.begin(NOW + HOUR)).toMatchObject(expected);
      await ledger.messages.cancel(id, 'operator', NOW + HOUR);
      const next = overlap === 'skip' ? NOW + 2 * HOUR : NOW + HOUR;
      expect(await schedule.begin(next, NOW + 2 * HOUR)).toMatchObject({ kind: 'go' });
    }
  });

  it('skips a missed start unless its definition runs missed starts', async () => {
    const [skipping, running] = [await aMessageSchedule(), await aMessageSchedule({ missedStart: 'run' })];
    const missed = { kind: 'ended', run: { state: 'skipped', reason: 'start_missed' } };
    expect(await skipping.begin(NOW, NOW + 2 * HOUR)).toMatchObject(missed);
    expect(await running.begin(NOW, NOW + 2 * HOUR)).toMatchObject({ kind: 'go' });
  });
});

/** Proves SCHEDULE-2, SCHEDULE-3 and SCHEDULE-5. */
describe('an occurrence', () => {
  it('proceeds when its campaign has started, whatever happened to the schedule since', async () => {
    const schedule = await aSchedule({ missedStart: 'skip' });
    const { run } = await schedule.begin();
    const campaign = new CampaignCast(ledger, undefined, run.campaignId);
    await campaign.running(1);
    await ledger.schedules.pause(schedule.id, command());
    expect(await schedule.begin(NOW, NOW + DAY)).toMatchObject({ kind: 'go' });
  });

  it('starts later by its jitter, which is the same for the same occurrence', async () => {
    const schedule = await aSchedule({ jitter: '10m' });
    const starts: number[] = [];
    for (let day = 0; day < 20; day += 1) {
      const { run } = await schedule.begin(NOW + day * DAY);
      expect((await schedule.begin(NOW + day * DAY)).run.startAt).toBe(run.startAt);
      starts.push(Date.parse(run.startAt) - (NOW + day * DAY));
      await ledger.schedules.endRun(schedule.id, run.at, { state: 'skipped' }, NOW);
    }
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...starts)).toBeLessThan(10 * MINUTE);
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('is skipped for a paused or deleted schedule, and refused for an unknown one', async () => {
    const schedule = await aSchedule();
    await ledger.schedules.pause(schedule.id, command());
    expect(await schedule.begin()).toMatchObject({
      kind: 'ended',
      run: { state: 'skipped', reason: 'schedule_paused' },
    });
    await ledger.schedules.remove(schedule.id, NOW);
    expect(await schedule.begin(NOW + DAY)).toMatchObject({ run: { state: 'skipped', reason: 'schedule_deleted' } });
    await expect(new ScheduleCast().begin()).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });

  it('is skipped after its grace time only by that policy', async () => {
    const skipping = await aSchedule({ missedStart: 'skip', graceTime: '10m' });
    expect(await skipping.begin(NOW, NOW + 10 * MINUTE)).toMatchObject({ kind: 'go' });
    expect(await skipping.begin(NOW, NOW + 10 * MINUTE + SECOND)).toMatchObject({
      run: { state: 'skipped', reason: 'start_missed', text: `its start was at ${at(NOW)}` },
    });
    for (const missedStart of ['run', 'hold'] as const) {
      const other = await aSchedule({ missedStart, graceTime: '10m' });
      expect(await other.begin(NOW, NOW + DAY)).toMatchObject({ kind: 'go' });
    }
  });

  it('is one after a clock is set back although both rows exist, in whichever order they begin', async () => {
    const definition = { cron: ['30 1 * * *'], timezone: 'America/New_York', overlap: 'allow' } as const;
    const first = Date.parse('2027-11-07T05:30:00Z');
    for (const [one, other] of [
      [first, first + HOUR],
      [first + HOUR, first],
    ] as const) {
      const schedule = await aSchedule(definition);
      await ledger.schedules.addRuns(schedule.id, 'schedule', [at(first), at(first + HOUR)], NOW);
      expect(await schedule.begin(one)).toMatchObject({ kind: 'go' });
      expect(await schedule.begin(other)).toMatchObject({
        run: { state: 'skipped', reason: 'clock_set_back', text: `the same local time ran at ${at(one)}` },
      });
      expect(await schedule.begin(one)).toMatchObject({ kind: 'go' });
    }
  });

  it('is failed with the reason while it is retried, and ends once', async () => {
    const schedule = await aSchedule();
    const { run } = await schedule.begin();
    await ledger.schedules.failedTry(schedule.id, run.at, { reason: 'SCHEDULE_RUN_FAILED', text: 'no file' });
    await ledger.schedules.failedTry(schedule.id, run.at, { reason: 'SCHEDULE_RUN_FAILED', text: 'no file' });
    expect((await ledger.schedules.runs(schedule.id, 1))[0]).toMatchObject({
      state: 'pending',
      tries: 2,
      text: 'no file',
    });
    expect(await ledger.schedules.openRuns(schedule.id)).toHaveLength(1);
    const end = () => ledger.schedules.endRun(schedule.id, run.at, { state: 'failed', reason: 'late' }, NOW);
    expect(await end()).toMatchObject({ state: 'failed', reason: 'late' });
    expect(await ledger.schedules.endRun(schedule.id, run.at, { state: 'started' }, NOW)).toMatchObject({
      state: 'failed',
    });
    expect(await ledger.schedules.openRuns(schedule.id)).toEqual([]);
  });
});

describe('an occurrence while the campaign of an earlier one is unfinished', () => {
  it('is skipped, and names that campaign', async () => {
    const schedule = await aSchedule();
    const first = await schedule.started();
    expect(await schedule.begin(NOW + HOUR)).toMatchObject({
      kind: 'ended',
      run: { state: 'skipped', reason: 'overlap', text: `campaign ${first.id} has not ended` },
    });
    await ledger.campaigns.cancel(first.id, 'request', NOW);
    await first.endIfDone();
    expect(await schedule.begin(NOW + 2 * HOUR)).toMatchObject({ kind: 'go' });
  });

  it('waits for its end when it is buffered, one only, and then starts', async () => {
    const schedule = await aSchedule({ overlap: 'buffer' });
    const first = await schedule.started();
    expect(await schedule.begin(NOW + HOUR)).toMatchObject({ kind: 'wait', run: { state: 'waiting' } });
    expect(await schedule.begin(NOW + HOUR, NOW + 2 * HOUR)).toMatchObject({ kind: 'wait' });
    expect(await schedule.begin(NOW + 3 * HOUR)).toMatchObject({ run: { state: 'skipped', reason: 'overlap' } });
    await ledger.campaigns.cancel(first.id, 'request', NOW);
    await first.endIfDone();
    // The wait is no missed start.
    expect(await schedule.begin(NOW + HOUR, NOW + DAY)).toMatchObject({ kind: 'go', run: { startAt: at(NOW + DAY) } });
  });

  it('does not wait for a paused run, nor for one whose recipients could not be read in time', async () => {
    const schedule = await aSchedule();
    const held = await schedule.started(NOW, NOW + 2 * HOUR);
    expect(await ledger.campaigns.progress(held.id, NOW)).toMatchObject({
      state: 'paused',
      waiting: { code: 'START_MISSED' },
    });
    expect(await schedule.begin(NOW + DAY)).toMatchObject({ kind: 'go' });
    // The run of that day fails, and is retried for longer than its grace time.
    expect(await schedule.begin(NOW + DAY + 30 * MINUTE)).toMatchObject({ run: { state: 'skipped' } });
    expect(await schedule.begin(NOW + 2 * DAY)).toMatchObject({ kind: 'go' });
  });
});

describe('runs that an operator requests', () => {
  it('exist once for each key of a trigger, at seconds of their own, and start at once', async () => {
    const schedule = await aSchedule({ jitter: '10m' });
    const [one, again] = [
      await ledger.schedules.trigger(schedule.id, 'a', NOW + 300),
      await ledger.schedules.trigger(schedule.id, 'a', NOW + HOUR),
    ];
    expect(again).toEqual(one);
    expect(one).toMatchObject({ at: at(NOW), kind: 'trigger', startAt: at(NOW + 300), state: 'pending' });
    expect((await ledger.schedules.trigger(schedule.id, 'b', NOW)).at).toBe(at(NOW + SECOND));
  });

  it('start by a trigger while the schedule is paused, and long after the request', async () => {
    const schedule = await aSchedule({ missedStart: 'skip' });
    await ledger.schedules.pause(schedule.id, command());
    await ledger.schedules.trigger(schedule.id, 'a', NOW);
    expect(await schedule.begin(NOW, NOW + DAY)).toMatchObject({ kind: 'go', run: { kind: 'trigger' } });
  });

  it('fill times without a run by a backfill, and wait for each other', async () => {
    const schedule = await aSchedule();
    const first = await schedule.started();
    await ledger.campaigns.cancel(first.id, 'request', NOW);
    await first.endIfDone();
    const times = [at(NOW - DAY), at(NOW - HOUR), at(NOW)];
    const added = await ledger.schedules.addRuns(schedule.id, 'backfill', times, NOW);
    expect(added.map((run) => run.at)).toEqual([at(NOW - DAY), at(NOW - HOUR)]);
    expect(await ledger.schedules.addRuns(schedule.id, 'backfill', times, NOW)).toEqual([]);
    const earlier = await schedule.started(NOW - DAY, NOW);
    expect(await schedule.begin(NOW - HOUR, NOW)).toMatchObject({ kind: 'wait' });
    await ledger.campaigns.cancel(earlier.id, 'request', NOW);
    await earlier.endIfDone();
    expect(await schedule.begin(NOW - HOUR, NOW)).toMatchObject({ kind: 'go' });
  });
});

it('the runs of a schedule are complete up to the last time with a row', async () => {
  const schedule = await aSchedule();
  expect(await ledger.schedules.coveredUntilMs(schedule.id)).toBe(NOW - DAY);
  await schedule.begin(NOW);
  expect(await ledger.schedules.coveredUntilMs(schedule.id)).toBe(NOW);
  await ledger.schedules.trigger(schedule.id, 'a', NOW + HOUR);
  expect(await ledger.schedules.coveredUntilMs(schedule.id)).toBe(NOW);
  await ledger.schedules.pause(schedule.id, { ...command(), nowMs: NOW + DAY });
  expect(await ledger.schedules.coveredUntilMs(schedule.id)).toBe(NOW + DAY);
});
