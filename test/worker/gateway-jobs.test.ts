/** The background jobs that poll gateways, on a real ledger: POLL-1 and POLL-2. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixedInstances, simulatorInstance } from '../../src/config/index.js';
import { RECEIPT_WAIT_MS, type MessageId, type MessageSnapshot } from '../../src/contract/index.js';
import { createGateway } from '../../src/gateway/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { endWithoutReceipts, pollUnresolved, watchQueues } from '../../src/worker/index.js';
import { Cast, MINUTE, NOW, SECOND } from '../ledger/cast.js';
import { eventually } from '../support/eventually.js';
import { aDatabase, useLedger } from '../support/ledger/ledger.js';
import { showQueue } from '../support/shift.js';

const ledger = useLedger();

function jobsAt(nowMs: number) {
  const logged: object[] = [];
  const clock = {
    now: nowMs,
    nowMs: () => clock.now,
  };
  return { ledger, clock, logged, log: (entry: object) => void logged.push(entry) };
}

/** So many messages of one instance that the gateway accepted. */
async function accepted(c: Cast, many: number): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  for (let place = 0; place < many; place += 1) ids.push(await c.accepted(`${c.instance}-${place}`));
  return ids;
}

async function unresolved(c: Cast, many: number): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  for (let place = 0; place < many; place += 1) {
    const { id, token } = await c.posting();
    await c.record(token, { kind: 'unknown', code: 'LOST' });
    const attempt = await ledger.reconciling.attempt(id);
    if (attempt === undefined) throw new Error(`nothing is open of ${id}`);
    await ledger.reconciling.markUnresolved(attempt, 'no_trace', NOW);
    ids.push(id);
  }
  return ids.toSorted();
}

const hasEnded = async (id: MessageId) => (await ledger.views.message(id, NOW))?.endedAt !== undefined;

describe('the job that ends messages without receipts', () => {
  const LATER = NOW + RECEIPT_WAIT_MS + SECOND;

  it('ends accepted ones without any sign, with the evidence of the journal, and no younger one', async () => {
    const c = new Cast(ledger);
    const old = await c.accepted('G-old');
    const { id: young, token } = await c.posting();
    await c.accept(token, 'G-young', NOW + MINUTE);
    const asked: MessageId[] = [];
    await endWithoutReceipts(jobsAt(LATER), (id) => {
      asked.push(id);
      return Promise.resolve('pending');
    }).round();
    expect(asked).toContain(old);
    expect(asked).not.toContain(young);
    expect(await hasEnded(old)).toBe(true);
    expect(await ledger.messages.withoutReceipt(c.instance, 1_000, LATER + MINUTE)).toEqual([young]);
  });

  it('POLL-1 ends all of an account within one round while the gateway of another hangs', async () => {
    const accounts = [await accepted(new Cast(ledger), 50), await accepted(new Cast(ledger), 50)];
    const gateways = hangingFirst(accounts);
    const round = endWithoutReceipts(jobsAt(LATER), gateways.poll).round();
    await eventually(async () => expect(await Promise.all(gateways.others().map(hasEnded))).not.toContain(false));
    gateways.respond();
    await round;
    expect(await Promise.all(accounts.flat().map(hasEnded))).not.toContain(false);
  });

  it('POLL-2 polls a slow gateway for its budget, and continues in the next round', async () => {
    const c = new Cast(ledger);
    const ids = await accepted(c, 5);
    const jobs = jobsAt(LATER);
    const { askedIn, poll } = takingTime(jobs.clock, ids);
    const job = endWithoutReceipts(jobs, poll);
    expect(await askedIn(job)).toHaveLength(2);
    expect(await askedIn(job)).toHaveLength(2);
    expect(await askedIn(job)).toHaveLength(1);
    expect(await Promise.all(ids.map(hasEnded))).not.toContain(false);
  });
});

/** The gateway of the account that is polled first hangs until {@link respond}; those of other accounts respond. */
function hangingFirst(accounts: readonly (readonly MessageId[])[]) {
  let hanging: readonly MessageId[] | undefined;
  let respond = (): void => undefined;
  const response = new Promise<void>((resolve) => (respond = resolve));
  return {
    async poll(this: void, id: MessageId): Promise<undefined> {
      hanging ??= accounts.find((ids) => ids.includes(id));
      if (hanging?.includes(id) === true) await response;
    },
    others: () => {
      if (hanging === undefined) throw new Error('nothing was polled yet');
      return accounts.filter((ids) => ids !== hanging).flat();
    },
    respond,
  };
}

/** A gateway that takes 20 s to respond about each of these messages. */
function takingTime(clock: { now: number }, ids: readonly MessageId[]) {
  let asked: MessageId[] = [];
  return {
    poll(this: void, id: MessageId): Promise<undefined> {
      if (ids.includes(id)) {
        asked.push(id);
        clock.now += 20 * SECOND;
      }
      return Promise.resolve(undefined);
    },
    async askedIn(job: { round(): Promise<void> }): Promise<readonly MessageId[]> {
      asked = [];
      await job.round();
      return asked;
    },
  };
}

describe('the job that polls unresolved messages', () => {
  const snapshot = (id: MessageId): MessageSnapshot => ({
    id,
    version: 1,
    state: 'unresolved',
    expiresAt: '',
    edits: [],
  });

  it('asks about each once a round, also after one that failed', async () => {
    const ids = await unresolved(new Cast(ledger), 3);
    const asked: MessageId[] = [];
    const jobs = jobsAt(NOW);
    await pollUnresolved(jobs, () => ({ messageId: id }) => {
      asked.push(id);
      return id === ids[0] ? Promise.reject(new Error('not now')) : Promise.resolve(snapshot(id));
    }).round();
    expect(asked.filter((id) => ids.includes(id))).toEqual(ids);
    expect(jobs.logged).toMatchObject([
      { messageId: ids[0], message: 'the witnesses of an unresolved message could not be polled' },
    ]);
  });

  it('POLL-1 polls all of an account within one round while the gateway of another hangs', async () => {
    const accounts = [await unresolved(new Cast(ledger), 5), await unresolved(new Cast(ledger), 5)];
    const gateways = hangingFirst(accounts);
    const asked: MessageId[] = [];
    const round = pollUnresolved(jobsAt(NOW), () => async ({ messageId: id }) => {
      await gateways.poll(id);
      asked.push(id);
      return snapshot(id);
    }).round();
    await eventually(() => expect(asked).toEqual(expect.arrayContaining([...gateways.others()])));
    gateways.respond();
    await round;
    expect(asked).toEqual(expect.arrayContaining(accounts.flat()));
  });

  it('POLL-2 continues behind the last one that a slow gateway was polled about, also after new ones', async () => {
    const c = new Cast(ledger);
    const ids = await unresolved(c, 3);
    const jobs = jobsAt(NOW);
    const gateway = takingTime(jobs.clock, ids);
    const job = pollUnresolved(jobs, () => async ({ messageId: id }) => {
      await gateway.poll(id);
      return snapshot(id);
    });
    expect(await gateway.askedIn(job)).toEqual(ids.slice(0, 2));
    await unresolved(c, 3);
    expect(await gateway.askedIn(job)).toEqual(ids.slice(2));
    expect(await gateway.askedIn(job)).toEqual(ids.slice(0, 2));
  });
});

describe('the job that reads queues while nothing is due', () => {
  async function aStandingQueue() {
    const { db, ledger: own, close } = await aDatabase();
    const simulator = await startSimulator();
    const name = `standing-${randomUUID()}`;
    const instances = fixedInstances([{ ...simulatorInstance(simulator.url), name }]);
    const clock = { nowMs: () => Date.now() };
    const gateway = createGateway({ instances, clock });
    onTestFinished(async () => {
      await gateway.close();
      await simulator.close();
      await close();
    });
    await own.instanceStates.record({ instance: name, state: 'authorized', atMs: Date.now() });
    await showQueue(own, name, { releaseIntervalMs: 500, inFlight: 0, window: 1 }, Date.now());
    await fetch(`${simulator.url}/_sim/instances/1101000001`, {
      method: 'PATCH',
      body: JSON.stringify({ settings: { delaySendMessagesMilliseconds: 600_000 } }),
    });
    const send = () => gateway.call(name, 'sendMessage', { chatId: '15550001111@c.us', message: 'one' });
    const woken: string[] = [];
    const job = watchQueues({ instances, ledger: own, gateway, clock, log: () => undefined }, (one) => woken.push(one));
    /** As if this time had passed for the database. */
    const pass = (time: string) =>
      sql`update queue_readings set recorded_at = recorded_at - ${time}::interval,
        unchanged_since = unchanged_since - ${time}::interval`.execute(db);
    const list = () => gateway.call(name, 'showMessagesQueue', {});
    const readings = () => simulator.requests().filter(({ method }) => method === 'showMessagesQueue').length;
    return { name, own, send, job, woken, pass, list, readings };
  }

  it('reads a queue that had items, and none that was empty, and wakes the run when the verdict changes', async () => {
    const { name, own, send, job, woken, pass, list, readings } = await aStandingQueue();
    await job.round();
    expect(readings()).toBe(0);
    // The first is released at once, the second after ten minutes.
    for (let one = 0; one < 2; one += 1) await send();
    const { response } = await list();
    const item = { ids: [String(response[0]?.messageID)], kind: 'text', chat: '' } as const;
    await own.queueReadings.record(name, { begunAtMs: NOW, endedAtMs: NOW, items: [item] });
    await job.round();
    expect(readings()).toBe(1);
    await pass('3 minutes');
    await job.round();
    expect([readings(), woken.length]).toEqual([2, 0]);
    await pass('20 minutes');
    await job.round();
    expect([readings(), woken.length]).toEqual([3, 1]);
    expect((await own.dispatch.view(name)).standstill).toMatchObject({ items: 1 });
    await job.round();
    expect(readings()).toBe(3);
  });
});
