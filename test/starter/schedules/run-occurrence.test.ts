import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  AppError,
  type CampaignId,
  type LastRun,
  type ScheduleDefinition,
  type ScheduleId,
  type ScheduleRun,
} from '../../../src/contract/index.js';
import { runOccurrenceWith, type RunOccurrenceDependencies } from '../../../src/starter/schedules/run-occurrence.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { aDirectory, anInstance } from '../../api/api-parts.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AT = new Date(NOW).toISOString();
const LIST = 'phone,name\n+15550000001,Ada\n+15550000002,Ben\n';

const OF_CAMPAIGN = {
  campaign: { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } },
  recipients: { file: 'list.csv' },
} as const;

const ledger = useLedger();

/** The methods of the ledger that complete a step of a run. */
const STEPS = {
  written: ['open', 'begin'],
  imported: ['finishImport'],
  started: ['start'],
  told: ['started'],
};

function definitionOf(text: string): ScheduleDefinition {
  return { ...OF_CAMPAIGN, campaign: { instance: 'main', content: { kind: 'text', text } }, cron: ['0 10 * * *'] };
}

function create(id: ScheduleId, definition: ScheduleDefinition) {
  const asked = { id, commandId: randomUUID(), requestHash: 'h', definition, isPaused: false, namespace: 'default' };
  return ledger.schedules.create({ ...asked, nowMs: NOW - DAY_MS });
}

/** A schedule with a worker that runs it; the test decides what it reads and what Temporal has. */
async function aRunner(definition: Partial<ScheduleDefinition> = {}) {
  const id = `s-${randomUUID().slice(0, 8)}` as ScheduleId;
  await create(id, { ...(definition.message === undefined && OF_CAMPAIGN), cron: ['0 10 * * *'], ...definition });
  const world = {
    id,
    nowMs: NOW,
    list: LIST as string | Error,
    read: 0,
    known: 'none' as LastRun,
    followed: [] as string[],
    woken: 0,
    /** Happens while the recipients are read. */
    onRead: undefined as (() => Promise<unknown>) | undefined,
    /** Kills the worker after this step. */
    killAfter: undefined as keyof typeof STEPS | undefined,
  };
  const died = new Error('the worker died');
  const mortal = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...given: unknown[]) => {
          // A dead worker records nothing.
          if (name === 'failedTry' && world.killAfter !== undefined) throw died;
          const result: unknown = await method.apply(target, given);
          if (world.killAfter !== undefined && STEPS[world.killAfter].includes(String(name))) throw died;
          return result;
        };
      },
    });
  const deps: RunOccurrenceDependencies = {
    ledger: {
      ...ledger,
      intake: mortal(ledger.intake),
      audiences: mortal(ledger.audiences),
      campaigns: mortal(ledger.campaigns),
      schedules: mortal(ledger.schedules),
    },
    clock: { nowMs: () => world.nowMs },
    instances: aDirectory(anInstance()),
    namespace: 'default',
    lastRun: () => Promise.resolve(world.known),
    followCampaign: async ({ id: campaign }) => void world.followed.push(campaign),
    askGateway: () => Promise.reject(new Error('no group is asked for')),
    openSource: async () => {
      world.read += 1;
      await world.onRead?.();
      if (world.list instanceof Error) throw world.list;
      return { bytes: bytesOf(world.list), format: 'csv' };
    },
    wake: () => void (world.woken += 1),
  };
  const run = runOccurrenceWith(deps);
  const signal = new AbortController().signal;
  return Object.assign(world, {
    runMessage: (at = AT) => run({ scheduleId: id, at }, signal),
    async run(at = AT) {
      const { campaignId, ...result } = await run({ scheduleId: id, at }, signal);
      if (campaignId === undefined) throw new Error('The run has no campaign.');
      return { ...result, campaignId };
    },
    /** Runs it until its campaign or message is written. */
    async start(at = AT): Promise<ScheduleRun> {
      await expect(run({ scheduleId: id, at }, signal)).rejects.toMatchObject({ code: 'SCHEDULE_RUN_WAITS' });
      const [started] = await ledger.schedules.runs(id, 1);
      if (started?.state !== 'started') throw new Error(`The run is ${started?.state} (${started?.reason}).`);
      return started;
    },
    async shown(): Promise<ScheduleRun | undefined> {
      return (await ledger.schedules.runs(id, 1))[0];
    },
  });
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const stateOf = async (id: CampaignId) => ledger.campaigns.state(id);

describe('an occurrence', () => {
  it('becomes a campaign with the current recipients, which starts and gets a run', async () => {
    const runner = await aRunner();
    const { campaignId } = await runner.start();
    expect(campaignId).toBe(`${runner.id}-20260301t100000z`);
    expect(campaignId && (await ledger.audiences.view(campaignId, NOW))).toMatchObject({
      state: 'running',
      audience: 2,
      startedAt: AT,
      commands: [{ kind: 'start', requestedBy: `schedule:${runner.id}` }],
    });
    expect(runner.followed).toEqual([campaignId]);
    expect(runner.woken).toBe(1);
  });

  it('is one when Temporal starts it twice: the second start reads nothing and starts nothing', async () => {
    const runner = await aRunner();
    const first = await runner.start();
    runner.list = 'phone,name\n+15550000009,Eve\n';
    expect(await runner.start()).toEqual(first);
    expect(runner.read).toBe(1);
    expect(first.campaignId && (await ledger.audiences.view(first.campaignId, NOW))).toMatchObject({ audience: 2 });
  });

  it('is open until its campaign has ended, and is polled less often the longer it takes', async () => {
    const runner = await aRunner();
    const { campaignId = '' as CampaignId } = await runner.start();
    for (const [laterMs, retryAfterMs] of [
      [1_000, 1_000],
      [40_000, 10_000],
      [DAY_MS, 60_000],
    ] as const) {
      runner.nowMs = NOW + laterMs;
      await expect(runner.run()).rejects.toMatchObject({ code: 'SCHEDULE_RUN_WAITS', retryAfterMs });
    }
    await ledger.campaigns.cancel(campaignId, 'request', runner.nowMs);
    await ledger.campaigns.endIfDone(campaignId, runner.nowMs);
    expect(await runner.run()).toEqual({ state: 'started', campaignId });
    expect(await runner.run()).toEqual({ state: 'started', campaignId });
  });

  it.each(['written', 'imported', 'started', 'told'] as const)(
    'continues with the same campaign when its worker died once it was %s',
    async (step) => {
      const runner = await aRunner();
      runner.killAfter = step;
      await expect(runner.run()).rejects.toThrow('the worker died');
      runner.killAfter = undefined;
      // The state that Temporal's next try finds, also when an operator has changed the file meanwhile.
      const { campaignId } = await runner.start();
      expect(await runner.shown()).toMatchObject({ state: 'started', campaignState: 'running' });
      expect(runner.followed).toEqual([campaignId]);
      const { items } = await ledger.audiences.list({ limit: 500 }, NOW);
      expect(items.filter(({ id }) => id.startsWith(runner.id))).toHaveLength(1);
    },
  );

  it('shows why its recipients cannot be read, and starts once they can', async () => {
    const runner = await aRunner();
    runner.list = new AppError('SCHEDULE_RUN_FAILED', 'The file list.csv cannot be read (ENOENT).');
    await expect(runner.run()).rejects.toMatchObject({ code: 'SCHEDULE_RUN_FAILED', retryAfterMs: 5_000 });
    await expect(runner.run()).rejects.toMatchObject({ code: 'SCHEDULE_RUN_FAILED', retryAfterMs: 10_000 });
    expect(await runner.shown()).toMatchObject({
      state: 'pending',
      tries: 2,
      reason: 'SCHEDULE_RUN_FAILED',
      text: 'The file list.csv cannot be read (ENOENT).',
      campaignState: 'draft',
    });
    runner.list = LIST;
    runner.nowMs += 30 * 60_000;
    await runner.start();
    expect(await runner.shown()).toMatchObject({ campaignState: 'running' });
  });

  it('names every value that a recipient lacks', async () => {
    const runner = await aRunner();
    runner.list = 'phone,name\n+15550000001,\n';
    await expect(runner.run()).rejects.toMatchObject({ code: 'SCHEDULE_RUN_FAILED' });
    expect(await runner.shown()).toMatchObject({
      reason: 'CAMPAIGN_INCOMPLETE',
      text: expect.stringContaining('content {{name}} has no value for 1 of the recipients'),
    });
  });

  it('fails when many lines of its source were rejected', async () => {
    const runner = await aRunner();
    runner.list = 'phone,name\n+15550000001,Ann\n12,Bob\n';
    const { campaignId, ...result } = await runner.run();
    expect(result).toEqual({ state: 'failed', reason: 'CAMPAIGN_REJECTED_LINES' });
    expect(await stateOf(campaignId)).toBe('cancelled');
    expect(await runner.shown()).toMatchObject({
      text: expect.stringMatching(
        /^more than 5 % .* recipients\.\w+ 1 line: .* or set acceptRejected .* everpost schedule trigger /,
      ),
    });
  });

  it('is skipped without recipients, and leaves no draft', async () => {
    const runner = await aRunner();
    runner.list = 'phone,name\n';
    const { campaignId, ...result } = await runner.run();
    expect(result).toEqual({ state: 'skipped', reason: 'no_recipients' });
    expect(await ledger.audiences.view(campaignId, NOW)).toMatchObject({
      state: 'cancelled',
      commands: [{ kind: 'cancel', requestedBy: `schedule:${runner.id}` }],
    });
  });

  it('is missed after an outage of the workers: it leaves no campaign that blocks the next one', async () => {
    const runner = await aRunner({ cron: ['* * * * *'], catchupWindow: '1m' });
    runner.nowMs = NOW + 4 * 60_000;
    const at = (minute: number) => new Date(NOW + minute * 60_000).toISOString();
    for (const minute of [0, 1, 2]) {
      const { campaignId, ...result } = await runner.run(at(minute));
      expect(result).toEqual({ state: 'missed', reason: 'late' });
      expect(await stateOf(campaignId)).toBeUndefined();
    }
    expect(await runner.start(at(4))).toMatchObject({ campaignState: 'running' });
    expect(await ledger.schedules.openRuns('default')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ scheduleId: runner.id, at: at(4) })]),
    );
    const { openRun, missed } = (await ledger.schedules.healthOf([runner.id])).get(runner.id) ?? {};
    expect({ openRun: openRun?.at, missed }).toEqual({ openRun: at(4), missed: 3 });
  });

  it('fails with its last failure once its catch-up window has passed, without a draft', async () => {
    const runner = await aRunner();
    runner.list = new Error('socket hang up');
    await expect(runner.run()).rejects.toMatchObject({ code: 'SCHEDULE_RUN_FAILED' });
    runner.nowMs = NOW + 2 * HOUR_MS;
    const { campaignId, ...result } = await runner.run();
    expect(result).toEqual({ state: 'failed', reason: 'INTERNAL' });
    expect(await runner.shown()).toMatchObject({ text: 'socket hang up' });
    expect(await stateOf(campaignId)).toBe('cancelled');
  });

  it.each(['deleted', 'changed', 'created again'] as const)(
    'sends nothing if the schedule was %s before its campaign started',
    async (what) => {
      for (const isReading of [false, true]) {
        const runner = await aRunner();
        const change = async () => {
          if (what === 'changed') return ledger.schedules.update(runner.id, definitionOf('New text'), NOW);
          await ledger.schedules.remove(runner.id);
          return undefined;
        };
        if (isReading) runner.onRead = change;
        else {
          runner.list = new Error('socket hang up');
          await expect(runner.run()).rejects.toMatchObject({ code: 'SCHEDULE_RUN_FAILED' });
          runner.list = LIST;
          await change();
        }
        if (what === 'created again' && !isReading) {
          const again = create(runner.id, definitionOf('New text'));
          await expect(again).rejects.toMatchObject({ code: 'SCHEDULE_RUNS_OPEN' });
        }
        const { campaignId, ...result } = await runner.run();
        expect(result).toEqual({ state: 'skipped', reason: `schedule_${what === 'changed' ? what : 'deleted'}` });
        expect(await stateOf(campaignId)).toBe('cancelled');
        if (what === 'created again') await create(runner.id, definitionOf('New text'));
        expect(await runner.run()).toMatchObject(result);
      }
    },
  );
});

/** Proves SCHEDULE-4. */
describe('a ledger that was restored from a backup', () => {
  it('does not send an occurrence again that Temporal knows, when the backup is older than the occurrence', async () => {
    const runner = await aRunner();
    runner.known = 'ended';
    const { campaignId, ...result } = await runner.run();
    expect(result).toEqual({ state: 'failed', reason: 'already_ran' });
    expect(await stateOf(campaignId)).toBeUndefined();
    expect(runner.read).toBe(0);
    expect(await runner.shown()).toMatchObject({ state: 'failed', text: expect.stringMatching(/restored/) });
  });

  it('does not send it again either, and removes the draft, when the backup is from before the start', async () => {
    const runner = await aRunner();
    runner.list = new Error('socket hang up');
    await expect(runner.run()).rejects.toMatchObject({ code: 'SCHEDULE_RUN_FAILED' });
    runner.list = LIST;
    runner.known = 'running';
    const { campaignId, ...result } = await runner.run();
    expect(result).toEqual({ state: 'failed', reason: 'already_ran' });
    expect(await stateOf(campaignId)).toBe('cancelled');
  });

  it('begins no occurrence while Temporal cannot be asked', async () => {
    const runner = await aRunner();
    Object.defineProperty(runner, 'known', {
      get: () => {
        throw new AppError('TEMPORAL_UNAVAILABLE', 'Temporal did not answer.');
      },
    });
    await expect(runner.run()).rejects.toMatchObject({ code: 'TEMPORAL_UNAVAILABLE' });
    expect(await runner.shown()).toMatchObject({ state: 'pending', tries: 0 });
  });
});

describe('an occurrence that is one message', () => {
  const message = {
    instance: 'main',
    to: '15550000001@c.us',
    content: { kind: 'text', text: 'Open' },
    expiresIn: '2h',
  } as const;

  it('is written once, due at its time, with a workflow of its own', async () => {
    const runner = await aRunner({ message });
    const first = await runner.start();
    expect(first).toMatchObject({ messageId: expect.stringMatching(/^msg_/), messageState: 'pending' });
    expect(await runner.start()).toEqual(first);
    const view = first.messageId && (await ledger.views.message(first.messageId, NOW));
    const expiresAt = new Date(NOW + 2 * HOUR_MS).toISOString();
    expect(view).toMatchObject({ chatId: message.to, content: message.content, sendAt: AT, expiresAt });
    expect(view).toMatchObject({ requestedBy: `schedule:${runner.id}` });
    const wanted = await ledger.messages.runsToStart(500, NOW);
    expect(wanted.map(({ id }) => id)).toContain(first.messageId);
  });

  it.each(['written', 'told'] as const)(
    'continues with the same message after its worker died once it was %s',
    async (step) => {
      const runner = await aRunner({ message });
      runner.killAfter = step;
      await expect(runner.runMessage()).rejects.toThrow('the worker died');
      runner.killAfter = undefined;
      const { messageId } = await runner.start();
      const { items } = await ledger.views.messages({ chatId: message.to, limit: 500 });
      expect(items.filter(({ id }) => id === messageId)).toHaveLength(1);
      expect(await runner.shown()).toMatchObject({ state: 'started', messageId });
    },
  );

  it('is not sent again after a restore from a backup (SCHEDULE-4)', async () => {
    const runner = await aRunner({ message });
    runner.known = 'ended';
    const { messageId, ...result } = await runner.runMessage();
    expect(result).toEqual({ state: 'failed', reason: 'already_ran' });
    expect(messageId && (await ledger.messages.snapshot(messageId))).toBeUndefined();
  });
});

it('an occurrence neither uses nor cancels a campaign of the same id that an operator has created', async () => {
  const runner = await aRunner();
  const id = `${runner.id}-20260301t100000z` as CampaignId;
  const content = { kind: 'text', text: 'Mine' } as const;
  await ledger.audiences.open({ id, requestHash: 'mine', definition: { instance: 'main', content }, nowMs: NOW });
  for (const _ of ['first', 'again']) {
    expect(await runner.run()).toMatchObject({ state: 'failed', reason: 'IDEMPOTENCY_MISMATCH' });
    expect(await stateOf(id)).toBe('draft');
  }
});
