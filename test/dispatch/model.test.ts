/**
 * Random schedules against TICKER-2 to TICKER-5: no token is posted twice, no byte leaves after its deadline, a chat
 * has one POST at a time, no outcome is lost, and a message is posted again only if no attempt was accepted.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttemptOutcome } from '../../src/contract/index.js';
import type { ShiftResult } from '../../src/dispatch/index.js';
import type { Behaviour, Post } from './fake-gateway.js';
import { aWorld, type World } from './world.js';
import { Random } from '../support/random.js';
import { runs } from '../support/runs.js';

const INSTANCES = ['a', 'b', 'c'] as const;
const KINDS: readonly NonNullable<Behaviour['kind']>[] = [
  'accepted',
  'accepted',
  'accepted',
  'lost',
  'lost-accepted',
  'late',
  'refused',
  'busy',
  'unauthorized',
  'rejected',
];

type Step =
  | { readonly do: 'add'; readonly instance: number; readonly count: number; readonly urgent: boolean }
  | { readonly do: 'take over'; readonly instance: number }
  | { readonly do: 'stop'; readonly worker: number }
  | { readonly do: 'away' | 'back' }
  | { readonly do: 'lose commits'; readonly count: number };

const step: fc.Arbitrary<{ readonly afterMs: number; readonly step: Step }> = fc.record({
  afterMs: fc.integer({ min: 0, max: 4_000 }),
  step: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        instance: fc.nat(2),
        count: fc.integer({ min: 1, max: 12 }),
        urgent: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('take over' as const), instance: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), worker: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('away' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('back' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('lose commits' as const), count: fc.integer({ min: 1, max: 3 }) }),
    },
  ),
});

/**
 * Two workers serve three instances as their workflows would: when a shift ends and messages are due, the next begins.
 */
class Run {
  readonly world: World = aWorld();
  readonly #random: Random;
  readonly #workers = [this.world.dispatcher(), this.world.dispatcher()];
  readonly #stopping = [new AbortController(), new AbortController()];
  readonly #shifts = new Set<Promise<void>>();
  readonly #serving = new Map<string, number>();
  #epoch = 0;
  #isOver = false;

  constructor(seed: number, harm: number) {
    this.#random = new Random(seed);
    this.world.gateway.behaviour = () => {
      const random = this.#random;
      const kind = random.chance(harm) ? random.pick(KINDS) : 'accepted';
      const latencyMs = random.chance(0.02) ? 14_000 : random.int(0, 299);
      const gateMs = random.chance(0.05) ? random.int(0, 5_999) : 0;
      return { kind, latencyMs, gateMs, retryAfterMs: 500 };
    };
  }

  async play(one: Step): Promise<void> {
    const { ledger } = this.world;
    switch (one.do) {
      case 'add': {
        const instance = INSTANCES[one.instance] ?? 'a';
        for (let added = 0; added < one.count; added += 1) {
          const chatId = `${this.#random.int(0, 5)}@c.us`;
          ledger.add(instance, { chatId, priority: one.urgent ? 'urgent' : 'normal' });
        }
        for (const worker of this.#workers) worker.wake(instance);
        if (!this.#serving.has(instance)) this.begin(instance);
        return;
      }
      case 'take over':
        this.begin(INSTANCES[one.instance] ?? 'a');
        return;
      case 'stop':
        this.#stopping[one.worker]?.abort();
        this.#stopping[one.worker] = new AbortController();
        return;
      case 'away':
      case 'back':
        ledger.isAway = one.do === 'away';
        return;
      case 'lose commits':
        ledger.lostCommits = one.count;
    }
  }

  begin(instance: string): void {
    this.#epoch += 1;
    const epoch = this.#epoch;
    const worker = this.#random.int(0, 1);
    const stopping = this.#stopping[worker]?.signal ?? new AbortController().signal;
    const shift = { ...this.world.shift(instance, epoch) };
    this.#serving.set(instance, epoch);
    const served = this.#serve(instance, epoch, () => this.#workers[worker]?.run(shift, stopping));
    this.#shifts.add(served);
    void served.finally(() => this.#shifts.delete(served));
  }

  async #serve(instance: string, epoch: number, run: () => Promise<ShiftResult> | undefined): Promise<void> {
    let again = true;
    try {
      const result = await run();
      // The workflow records what the ledger could not accept.
      for (const outcome of result?.unrecorded ?? []) this.world.ledger.record(outcome);
      again = result?.ended !== 'idle' || (result.nextDueMs !== undefined && !this.#isOver);
      if (result?.ended === 'superseded') return;
    } catch {
      // The ledger was unavailable at the start: Temporal retries.
    }
    await this.world.clock.sleep(1_000);
    if (this.#serving.get(instance) !== epoch) return;
    this.#serving.delete(instance);
    if (again) this.begin(instance);
  }

  /** From now on nothing fails, and all due work is done. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.world.ledger.isAway = false;
    this.world.ledger.lostCommits = 0;
    this.world.gateway.behaviour = () => ({ latencyMs: 20 });
    for (const instance of INSTANCES) this.begin(instance);
    await this.world.clock.pass(200_000);
    for (let ms = 0; this.#shifts.size > 0 && ms < 1_500; ms += 1) await this.world.clock.pass(1_000);
    expect(this.#shifts.size).toBe(0);
  }
}

function check({ gateway, ledger, clock }: World): void {
  const byToken = new Map<string, Post>();
  const byMessage = new Map<string, Post[]>();
  for (const post of gateway.posts) {
    expect(byToken.has(post.token)).toBe(false);
    byToken.set(post.token, post);
    const attempt = ledger.attempts.get(post.token);
    expect(clock.wall.nowMs() - clock.nowMs() + post.atMs).toBeLessThanOrEqual(attempt?.postingDeadlineMs ?? 0);
    const id = attempt?.row.id ?? '';
    byMessage.set(id, [...(byMessage.get(id) ?? []), post]);
  }
  for (const posts of byMessage.values()) {
    const earlier = posts.slice(0, -1).map(({ behaviour }) => behaviour.kind);
    expect(
      earlier.filter(
        (kind) => kind !== undefined && ['accepted', 'lost', 'lost-accepted', 'late', 'rejected'].includes(kind),
      ),
    ).toEqual([]);
  }
  for (const { token, outcome } of ledger.attempts.values()) {
    expect([token, possible(byToken.get(token))]).toEqual([token, expect.arrayContaining([outcome?.kind])]);
  }
}

/** DISPATCH-6: within a shift the POSTs to one chat do not overlap. */
function checkOrder({ gateway, ledger }: World): void {
  const lastByChat = new Map<string, Post>();
  for (const post of gateway.posts) {
    const chat = `${post.instance} ${post.chatId} ${ledger.attempts.get(post.token)?.try.attempt}`;
    expect(lastByChat.get(chat)?.endedAtMs ?? 0).toBeLessThanOrEqual(post.atMs);
    lastByChat.set(chat, post);
  }
}

/** The states that the ledger may report for an attempt at the end. */
function possible(post: Post | undefined): AttemptOutcome['kind'][] {
  // A lost commit lost its claim, and another shift took over before this one could ask the ledger for it.
  if (post === undefined) return ['not_accepted', 'unknown'];
  switch (post.behaviour.kind ?? 'accepted') {
    case 'accepted':
    case 'late':
      return ['accepted'];
    case 'lost':
    case 'lost-accepted':
      return ['unknown'];
    case 'rejected':
      return ['rejected'];
    case 'refused':
    case 'busy':
    case 'unauthorized':
      return ['not_accepted'];
  }
}

test('the invariants hold in random schedules of sends, failures, takeovers, stops and ledger outages', async () => {
  const schedule = fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    harm: fc.constantFrom(0, 0.1, 0.5),
    steps: fc.array(step, { minLength: 1, maxLength: 25 }),
  });
  await fc.assert(
    fc.asyncProperty(schedule, async ({ seed, harm, steps }) => {
      const run = new Run(seed, harm);
      for (const { afterMs, step: one } of steps) {
        await run.play(one);
        await run.world.clock.pass(afterMs);
      }
      await run.end();
      check(run.world);
      checkOrder(run.world);
      expect(run.world.clock.pending).toBe(0);
    }),
    { numRuns: runs(60) },
  );
});
