/** The background jobs that poll gateways, on a real ledger: POLL-1 and POLL-2. */
import { describe, expect, it } from 'vitest';
import { RECEIPT_WAIT_MS, type MessageId, type MessageSnapshot } from '../../src/contract/index.js';
import { endWithoutReceipts, pollUnresolved } from '../../src/worker/index.js';
import { Cast, MINUTE, NOW, SECOND } from '../ledger/cast.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/ledger/ledger.js';

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

const hasEnded = async (id: MessageId) => (await ledger.messages.view(id, NOW))?.endedAt !== undefined;

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
    const [hanging, other] = [new Cast(ledger), new Cast(ledger)];
    const [first] = await accepted(hanging, 1);
    const ids = await accepted(other, 50);
    let respond = (_: string): void => undefined;
    const response = new Promise<string>((resolve) => (respond = resolve));
    const round = endWithoutReceipts(jobsAt(LATER), (id) =>
      id === first ? response : Promise.resolve('sent'),
    ).round();
    await eventually(async () => expect(await Promise.all(ids.map(hasEnded))).not.toContain(false));
    respond('late');
    await round;
    expect(first && (await hasEnded(first))).toBe(true);
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
    await pollUnresolved(jobs, (id) => {
      asked.push(id);
      return id === ids[0] ? Promise.reject(new Error('not now')) : Promise.resolve(snapshot(id));
    }).round();
    expect(asked.filter((id) => ids.includes(id))).toEqual(ids);
    expect(jobs.logged).toMatchObject([
      { messageId: ids[0], message: 'the witnesses of an unresolved message could not be polled' },
    ]);
  });

  it('POLL-1 polls all of an account within one round while the gateway of another hangs', async () => {
    const [first] = await unresolved(new Cast(ledger), 1);
    const ids = await unresolved(new Cast(ledger), 5);
    const asked: MessageId[] = [];
    let respond = (): void => undefined;
    const response = new Promise<void>((resolve) => (respond = resolve));
    const round = pollUnresolved(jobsAt(NOW), async (id) => {
      if (id === first) await response;
      asked.push(id);
      return snapshot(id);
    }).round();
    await eventually(() => expect(asked).toEqual(expect.arrayContaining(ids)));
    expect(asked).not.toContain(first);
    respond();
    await round;
    expect(asked).toContain(first);
  });

  it('POLL-2 continues behind the last one that a slow gateway was polled about, also after new ones', async () => {
    const c = new Cast(ledger);
    const ids = await unresolved(c, 3);
    const jobs = jobsAt(NOW);
    const gateway = takingTime(jobs.clock, ids);
    const job = pollUnresolved(jobs, async (id) => {
      await gateway.poll(id);
      return snapshot(id);
    });
    expect(await gateway.askedIn(job)).toEqual(ids.slice(0, 2));
    await unresolved(c, 3);
    expect(await gateway.askedIn(job)).toEqual(ids.slice(2));
    expect(await gateway.askedIn(job)).toEqual(ids.slice(0, 2));
  });
});
