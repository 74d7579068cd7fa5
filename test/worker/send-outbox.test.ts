/** How runs get what they wait for, from a real ledger. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError, type MessageId } from '../../src/contract/index.js';
import type { OutboxEntry } from '../../src/ledger/index.js';
import { sendOutbox, startBackgroundJob } from '../../src/worker/index.js';
import { aWait, MINUTE, NOW, SECOND, useOwnCast } from '../ledger/cast.js';
import { eventually } from '../support/eventually.js';

const c = useOwnCast();
const away = () => new AppError('TEMPORAL_UNAVAILABLE', 'Temporal did not answer.');

interface Options {
  readonly send?: (entry: OutboxEntry) => Promise<void>;
  readonly isBusy?: () => boolean;
}

/** The job, its clock, and what it sent for the messages of the test. */
function aJob({ send, isBusy }: Options = {}) {
  const sent: OutboxEntry[] = [];
  const logged: { readonly message: string }[] = [];
  const clock = { ms: NOW };
  const job = sendOutbox({
    ledger: c.ledger,
    clock: { nowMs: () => clock.ms },
    log: (entry) => void logged.push(entry),
    send: async (entry) => {
      await send?.(entry);
      sent.push(entry);
    },
    ...(isBusy === undefined ? {} : { isBusy }),
  });
  return { job, clock, sent, logged, round: (signal = new AbortController().signal) => job.round(signal) };
}

/** Messages that ended, each with a run that waits. */
async function ended(count: number): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = await c.pending({ run: 'started' });
    await c.ledger.outbox.awaitState(aWait(id));
    await c.ledger.messages.cancel(id, 'request', NOW);
    ids.push(id);
  }
  return ids;
}

const unsent = async () =>
  (await c.ledger.notifications.summaries([c.instance], NOW)).find(({ instance }) => instance === c.instance)
    ?.unsentToRuns;

/** Proves AWAIT-4. */
describe('the outbox', () => {
  it('sends the present state once, for all changes before it', async () => {
    const id = await c.pending({ run: 'started' });
    await c.ledger.outbox.awaitState(aWait(id));
    await c.accept((await c.claimed(id)).token, 'G-1');
    for (const status of ['sent', 'delivered', 'read'] as const) await c.receive('G-1', status);
    expect(await unsent()).toBe(1);
    const { round, sent } = aJob();
    await round();
    await round();
    expect(sent).toMatchObject([{ messageId: id, message: { state: 'read' } }]);
    expect(await unsent()).toBe(0);
  });

  it('is sent by the next process when one died before it sent it, or before it removed what it had sent', async () => {
    const [id] = await ended(1);
    const dead = await c.ledger.outbox.claim({ nowMs: NOW, forMs: 15 * SECOND, limit: 10 });
    expect(dead).toHaveLength(1);
    const { clock, round, sent } = aJob();
    await round();
    expect(sent).toEqual([]);
    clock.ms += 15 * SECOND;
    await round();
    expect(sent).toMatchObject([{ messageId: id }]);
  });
});

/** Proves AWAIT-5. */
describe('a worker', () => {
  it('sends eight at once, and all of them in one round', async () => {
    const ids = await ended(20);
    let atWork = 0;
    let most = 0;
    const { round, sent } = aJob({
      send: async () => {
        most = Math.max(most, (atWork += 1));
        await new Promise(setImmediate);
        atWork -= 1;
      },
    });
    await round();
    expect(new Set(sent.map(({ messageId }) => messageId))).toEqual(new Set(ids));
    expect(most).toBe(8);
  });

  it('that is busy sends a few in a round, the oldest first', async () => {
    const ids = await ended(12);
    const { round, sent } = aJob({ isBusy: () => true });
    expect(await round()).toBe(500);
    expect(new Set(sent.map(({ messageId }) => messageId))).toEqual(new Set(ids.slice(0, 5)));
  });

  it('is woken by changes in its own process', async () => {
    const { job, sent } = aJob();
    let wakeJob = (): void => undefined;
    const wakes = (wake: () => void) => {
      wakeJob = wake;
      return { close: () => undefined };
    };
    const loop = { leases: c.ledger.leases, holder: 'worker-1', log: () => undefined };
    const running = startBackgroundJob({ ...job, everyMs: MINUTE, round: always(job.round), wakes }, loop);
    onTestFinished(() => running.stop());
    const [id] = await ended(1);
    wakeJob();
    await eventually(() => expect(sent.map(({ messageId }) => messageId)).toContain(id));
  });
});

/** A round that asks for no earlier next one. */
function always(round: (signal: AbortSignal) => Promise<number | void>) {
  return async (signal: AbortSignal) => {
    await round(signal);
  };
}

/** Proves AWAIT-6. */
describe('while Temporal is away', () => {
  it('nothing is lost, and what was not tried is due at once', async () => {
    const ids = await ended(12);
    let isAway = true;
    const { round, sent } = aJob({ send: () => (isAway ? Promise.reject(away()) : Promise.resolve()) });
    await expect(round()).rejects.toMatchObject({ code: 'TEMPORAL_UNAVAILABLE' });
    expect(await unsent()).toBe(12);
    isAway = false;
    await round();
    expect(new Set(sent.map(({ messageId }) => messageId))).toEqual(new Set(ids));
  });

  it('one that fails for its own reason delays no other, and is retried later', async () => {
    const [bad, good] = await ended(2);
    let isBad = true;
    const { clock, round, sent, logged } = aJob({
      send: ({ messageId }) =>
        isBad && messageId === bad ? Promise.reject(new TypeError('a bug')) : Promise.resolve(),
    });
    await round();
    expect(sent).toMatchObject([{ messageId: good }]);
    expect(logged).toMatchObject([{ level: 'warn', workflowId: `message:${bad}` }]);
    isBad = false;
    await round();
    expect(sent).toHaveLength(1);
    clock.ms += 5 * SECOND;
    await round();
    expect(sent.at(-1)).toMatchObject({ messageId: bad, tries: 1 });
  });
});
