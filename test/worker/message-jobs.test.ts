/** A worker's background jobs for messages, on a real ledger. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LogEntry, type MessageId } from '../../src/contract/index.js';
import { expireMessages, rejectByTemplate, retentionJobs, wakeInstances } from '../../src/worker/index.js';
import { CampaignCast } from '../ledger/campaigns/campaign-life-cast.js';
import { NOW as CAST_NOW, SECOND } from '../ledger/cast.js';
import { DispatchCast, other } from '../ledger/dispatch/cast.js';
import { useLedger } from '../support/ledger/ledger.js';
import { claim } from '../support/send-once.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 15_000, settleTimeMs: 15_000 };
const log = (_: LogEntry): unknown => undefined;

const ledger = useLedger();

const jobsAt = (nowMs: number) => ({ ledger, clock: { nowMs: () => nowMs }, log });

const KEPT = { keptForMs: 0, eventsKeptForMs: 0, auditKeptForMs: 0, messagesKeptForMs: undefined };

function retentionJob(name: string, kept: Parameters<typeof retentionJobs>[1] = KEPT, jobs = jobsAt(CAST_NOW)) {
  const job = retentionJobs(jobs, kept).find((one) => one.name === name);
  if (job === undefined) throw new Error(`no job ${name}`);
  return job;
}

async function open(instance: string, lifeMs = 60 * MINUTE): Promise<MessageId> {
  const id = `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
  const content = { kind: 'text', text: id } as const;
  const request = { instance, chatId: `1555${String(++chats).padStart(7, '0')}@c.us`, content };
  await ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: NOW + lifeMs, nowMs: NOW });
  return id;
}
let chats = 0;

const anInstance = (): string => `i-${randomUUID().slice(0, 8)}`;

const stateOf = async (id: MessageId) => (await ledger.messages.snapshot(id))?.state;

describe('the job that expires messages', () => {
  it('ends every pending message past its expiry, over several rounds, of instances that no shift serves', async () => {
    const instance = anInstance();
    const late = await Promise.all(Array.from({ length: 520 }, () => open(instance, MINUTE)));
    const early = await open(instance);
    await expireMessages(jobsAt(NOW + 2 * MINUTE)).round();
    const ends = await Promise.all(late.map(stateOf));
    expect(new Set(ends)).toEqual(new Set(['expired']));
    expect(await stateOf(early)).toBe('pending');
  });
});

describe('the job that rejects messages by their templates', () => {
  it('ends those that the verdict left, over several rounds, and no others', async () => {
    const c = new DispatchCast(ledger);
    const key = { instance: c.instance, elementName: 'order_ready' };
    const definition = { elementName: 'order_ready', languageCode: 'en', category: 'UTILITY', content: 'Hello' };
    await ledger.templates.submit({ ...key, definition, definitionHash: 'd', requestedAt: '' } as never, CAST_NOW);
    const content = { kind: 'template', elementName: key.elementName } as const;
    const ids = await c.takeMany(1_502, { content });
    const others = await c.takeMany(2);
    const token = randomUUID();
    await ledger.templates.claim({ key, token, reconcileAfterMs: CAST_NOW });
    const reading = { templateId: 'T-1', status: 'REJECTED', reason: 'because' } as const;
    await ledger.templates.recordOutcome(key, token, { kind: 'accepted', reading, witness: 'response' }, CAST_NOW);
    expect((await c.states(ids)).filter((state) => state === 'pending')).toHaveLength(502);

    await rejectByTemplate(jobsAt(CAST_NOW)).round();

    expect(new Set(await c.states(ids))).toEqual(new Set(['rejected']));
    expect(new Set(await c.states(others))).toEqual(new Set(['pending']));
  });
});

describe('the job that removes streams of ended campaigns', () => {
  it('removes the stream of an ended campaign, and keeps that of a running one', async () => {
    const [ended, running] = [await new CampaignCast(ledger).running(1), await new CampaignCast(ledger).running(1)];
    const claims = await Promise.all(
      [ended, running].map(async (campaign) => {
        const c = await DispatchCast.begun(ledger, {}, campaign.instance);
        const compose = () => ({ content: { kind: 'text', text: campaign.id } as const });
        await ledger.dispatch.readAhead(campaign.id, { limit: 10, compose, nowMs: CAST_NOW });
        return c;
      }),
    );
    const [first, second] = claims as [DispatchCast, DispatchCast];
    await first.write(...(await first.claim()).map((attempt) => other(attempt, { kind: 'rejected', code: 'NO' })));
    expect((await ended.endIfDone()).state).toBe('completed_with_failures');

    await retentionJob('remove streams of ended campaigns').round();

    expect(await second.claim()).toHaveLength(1);
    // A retry makes its message due again in its previous stream, which no longer exists.
    await ledger.campaigns.retry(ended.id, { scopes: ['rejected'] } as never, CAST_NOW + SECOND);
    expect(await first.claim({ nowMs: CAST_NOW + SECOND })).toEqual([]);
    expect(await ledger.dispatch.campaignsToRead([first.instance], 10, CAST_NOW)).toHaveLength(1);
  });
});

describe('the job that removes old records', () => {
  it.each([
    ['all messages when no age is configured', undefined, []],
    ['messages up to the configured age, and counts them', 90 * DAY, [{ nowMs: NOW, keptSinceMs: NOW - 90 * DAY }]],
  ])('keeps %s', async (_, messagesKeptForMs, removed) => {
    const removeOld = vi.spyOn(ledger.retention, 'removeOld');
    const removeMessages = vi
      .spyOn(ledger.retention, 'removeMessages')
      .mockResolvedValue({ campaigns: 0, messages: 3 });
    onTestFinished(() => [removeOld, removeMessages].forEach((spy) => spy.mockRestore()));
    const logged: string[] = [];
    const jobs = { ...jobsAt(NOW), log: ({ level, message }: LogEntry) => logged.push(`${level} ${message}`) };
    await retentionJob('remove old records', { ...KEPT, keptForMs: 30 * DAY, messagesKeptForMs }, jobs).round();
    expect(removeOld.mock.calls).toEqual([[{ nowMs: NOW, keptSinceMs: NOW - 30 * DAY }]]);
    expect(removeMessages.mock.calls).toEqual(removed.map((times) => [times]));
    const isCounted = logged.includes('info messages that ended long ago were deleted');
    expect(isCounted).toBe(messagesKeptForMs !== undefined);
  });
});

describe('the job that wakes instances', () => {
  async function woken(nowMs: number): Promise<string[]> {
    const names: string[] = [];
    await wakeInstances(jobsAt(nowMs), (instance) => names.push(instance)).round();
    return names;
  }

  it('wakes an instance with a due message that no shift serves', async () => {
    const [due, idle] = [anInstance(), anInstance()];
    await open(due);
    const names = await woken(NOW);
    expect(names).toContain(due);
    expect(names).not.toContain(idle);
  });

  it('wakes a served instance only when its shift has become silent, for the messages of its dead process', async () => {
    const instance = anInstance();
    const id = await open(instance);
    await claim({ ledger, clock: { nowMs: () => NOW }, times: TIMES }, id);
    expect(await woken(NOW + 1_000)).not.toContain(instance);
    expect(await woken(NOW + 10 * MINUTE)).toContain(instance);
  });
});
