/** Random operations on one instance, compared with a list in memory; and the invariants of the tables after each. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AttemptOutcome, MessageId, MessageState } from '../../../src/contract/index.js';
import { Dispatch } from '../../../src/ledger/dispatch/shifts/dispatch.js';
import { Intake } from '../../../src/ledger/dispatch/intake.js';
import type { DueAttempt, Ledger } from '../../../src/ledger/index.js';
import { Messages } from '../../../src/ledger/messages/messages.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { aDatabase, TEXTS } from '../../support/ledger/ledger.js';
import { NOW, SECOND } from '../cast.js';
import { DispatchCast } from './cast.js';
import { runs } from '../../support/runs.js';

let db: Kysely<Schema>;
let close: () => Promise<void>;
let ledger: Ledger;
beforeAll(async () => {
  ({ db, close } = await aDatabase());
  const store = new Store(db);
  const parts = {
    dispatch: new Dispatch(store, TEXTS),
    intake: new Intake(store, TEXTS),
    messages: new Messages(store, TEXTS),
  };
  ledger = parts as unknown as Ledger;
});
afterAll(() => close());

const OPEN: ReadonlySet<MessageState> = new Set(['sending', 'unknown', 'unresolved']);

interface Known {
  readonly id: MessageId;
  readonly chatId: string;
  readonly text: string;
  state: MessageState;
  attempt?: DueAttempt;
}

/** The expected state of the instance. */
class World {
  readonly c: DispatchCast;
  readonly messages: Known[] = [];
  readonly busy = new Set<string>();
  nowMs = NOW;

  constructor(c: DispatchCast) {
    this.c = c;
  }

  async take(chat: number, text: number): Promise<void> {
    const one = { chatId: `${this.c.instance}-${chat}@c.us`, text: `text ${text}` };
    const id = await this.c.take({ ...one, nowMs: this.nowMs });
    this.messages.push({ id, ...one, state: 'pending' });
  }

  /** Claims, and checks that each claimed message may be claimed. */
  async tick(free: number): Promise<void> {
    const { claimed } = await this.c.tick({ free, busyRecipients: [...this.busy], nowMs: this.nowMs });
    expect(claimed.length).toBeLessThanOrEqual(free);
    for (const attempt of claimed) {
      const one = this.messages.find(({ id }) => id === attempt.messageId);
      if (one === undefined) throw new Error(`${attempt.messageId} is not known`);
      expect(one.state).toBe('pending');
      expect(this.busy).not.toContain(one.chatId);
      expect(this.messages.filter((other) => this.#isIdentical(one, other) && OPEN.has(other.state))).toEqual([]);
      const earlier = this.messages.slice(0, this.messages.indexOf(one));
      const overtaken = earlier.filter((other) => other.chatId === one.chatId && other.state === 'pending');
      // A message that waits for an identical unknown one does not block others of its chat.
      expect(overtaken.filter((other) => !this.#waitsForIdentical(other))).toEqual([]);
      Object.assign(one, { state: 'sending', attempt });
      this.busy.add(one.chatId);
    }
  }

  async end(pick: number, kind: AttemptOutcome['kind']): Promise<void> {
    const open = this.messages.filter(({ state }) => state === 'sending' || state === 'unknown');
    const one = open[pick % Math.max(open.length, 1)];
    if (one?.attempt === undefined || (kind === 'unknown' && one.state === 'unknown')) return;
    const { token } = one.attempt;
    const outcome: AttemptOutcome =
      kind === 'accepted' ? { kind, idMessage: `G-${token}`, httpStatus: 200 } : { kind, code: 'SOME' };
    await this.c.write({ token, outcome, atMs: this.nowMs });
    if (one.state === 'sending') this.busy.delete(one.chatId);
    one.state = kind === 'not_accepted' ? 'pending' : kind;
  }

  async takeOver(): Promise<void> {
    await this.c.begin(undefined, this.nowMs);
    for (const one of this.messages) if (one.state === 'sending') one.state = 'unknown';
    this.busy.clear();
  }

  async cancel(pick: number): Promise<void> {
    const pending = this.messages.filter(({ state }) => state === 'pending');
    const one = pending[pick % Math.max(pending.length, 1)];
    if (one === undefined) return;
    await this.c.ledger.messages.cancel(one.id, 'operator', this.nowMs);
    one.state = 'cancelled';
  }

  /** Every message that may be posted is posted in the end: none stays parked. */
  async finish(): Promise<void> {
    const isDone = () => this.messages.every(({ state }) => state === 'accepted' || state === 'cancelled');
    for (let rounds = 0; rounds < 100 && !isDone(); rounds += 1) {
      while (this.messages.some(({ state }) => OPEN.has(state))) await this.end(0, 'accepted');
      await this.tick(4);
      await this.check();
    }
    expect(this.messages.filter(({ state }) => state === 'pending')).toEqual([]);
  }

  /**
   * Each pending message has a due row, no other has one; states are as expected; no message waits behind an ended one.
   */
  async check(): Promise<void> {
    const { rows } = await sql<{ id: MessageId; state: MessageState; due: number; is_stuck: boolean }>`
      select m.id, m.state, (select count(*)::integer from due_messages d where d.message_id = m.id) as due,
        exists (select from due_messages d join messages b on b.id = d.behind where d.message_id = m.id
          and b.state not in ('sending', 'unknown', 'unresolved')) as is_stuck
      from messages m where m.instance = ${this.c.instance}`.execute(db);
    const actual = new Map(rows.map((row) => [row.id, row]));
    for (const { id, state } of this.messages) {
      expect(actual.get(id)).toEqual({ id, state, due: state === 'pending' ? 1 : 0, is_stuck: false });
    }
  }

  #isIdentical(one: Known, other: Known): boolean {
    return one !== other && one.chatId === other.chatId && one.text === other.text;
  }

  #waitsForIdentical(one: Known): boolean {
    return this.messages.some((other) => this.#isIdentical(one, other) && OPEN.has(other.state));
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('take' as const), fc.nat(2), fc.nat(1)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('tick' as const), fc.integer({ min: 1, max: 4 })) },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant('end' as const),
      fc.nat(5),
      fc.constantFrom('accepted' as const, 'unknown' as const, 'not_accepted' as const, 'accepted' as const),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('takeOver' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('cancel' as const), fc.nat(5)) },
);

it('the dispatcher behaves as a simple model under random operations (DISPATCH-1 to DISPATCH-6)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const world = new World(new DispatchCast(ledger, `i-${randomUUID()}`));
      await world.takeOver();
      for (const one of steps) {
        world.nowMs += SECOND;
        if (one[0] === 'take') await world.take(one[1], one[2]);
        else if (one[0] === 'tick') await world.tick(one[1]);
        else if (one[0] === 'end') await world.end(one[1], one[2]);
        else if (one[0] === 'takeOver') await world.takeOver();
        else await world.cancel(one[1]);
        await world.check();
      }
      await world.finish();
    }),
    { numRuns: runs(60) },
  );
});
