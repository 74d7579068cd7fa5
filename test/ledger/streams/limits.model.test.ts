/**
 * Random operations, kills and changes of settings: no claim or posting deadline is outside the hours (LIMIT-1,
 * LIMIT-3), and accepted and unknown messages exceed a cap only by urgent ones (LIMIT-6, LIMIT-7).
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AttemptOutcome, InstanceSettings, LocalHours } from '../../../src/contract/index.js';
import { localDayAt, outsideQuietHours, sendingHours, type OpenHours } from '../../../src/domain/index.js';
import type { DueAttempt } from '../../../src/ledger/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { DAY } from '../campaigns/campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { DispatchCast } from '../dispatch/cast.js';
import { runs } from '../../support/runs.js';

const ledger = useLedger();

const TIMEZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Europe/Lisbon'] as const;

const time = fc
  .tuple(fc.nat(23), fc.constantFrom('00', '30'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
const hours: fc.Arbitrary<LocalHours> = fc.record({
  timezone: fc.constantFrom(...TIMEZONES),
  windows: fc.array(fc.record({ from: time, until: time }), { minLength: 1, maxLength: 2 }),
});
const settings: fc.Arbitrary<InstanceSettings> = fc.record(
  {
    sendingWindows: hours,
    quietHours: hours,
    limits: fc.record({ timezone: fc.constantFrom(...TIMEZONES), perDay: fc.integer({ min: 1, max: 6 }) }),
  },
  { requiredKeys: [] },
);

type Step =
  | { readonly do: 'take'; readonly count: number; readonly urgent: boolean; readonly marketing: boolean }
  | { readonly do: 'tick'; readonly free: number }
  | { readonly do: 'end'; readonly pick: number; readonly kind: AttemptOutcome['kind'] }
  | { readonly do: 'take over' }
  | { readonly do: 'pass'; readonly minutes: number }
  /** Moves to just before the hours end. */
  | { readonly do: 'pass to the edge' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      count: fc.integer({ min: 1, max: 4 }),
      urgent: fc.boolean(),
      marketing: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('tick' as const), free: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      pick: fc.nat(50),
      kind: fc.constantFrom('accepted', 'rejected', 'not_accepted', 'unknown'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take over' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 600 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass to the edge' as const) }) },
);

const EDGE = 30 * MINUTE;

interface Known {
  readonly due: DueAttempt;
  readonly atMs: number;
  outcome?: AttemptOutcome['kind'];
}

class World {
  readonly c = new DispatchCast(ledger);
  readonly known: Known[] = [];
  readonly urgent = new Set<string>();
  readonly marketing = new Set<string>();
  nowMs = NOW;
  #shifts = 1;

  constructor(given: InstanceSettings) {
    this.c.settings = given;
  }

  async takeOver(): Promise<void> {
    await this.c.begin(++this.#shifts, this.nowMs);
    for (const one of this.known) one.outcome ??= 'unknown';
  }

  async play(one: Step): Promise<void> {
    switch (one.do) {
      case 'take': {
        const over = { nowMs: this.nowMs, expiresAtMs: NOW + 60 * DAY };
        const priority = one.urgent ? 'urgent' : 'normal';
        const category = one.marketing ? 'marketing' : 'transactional';
        for (const id of await this.c.takeMany(one.count, { ...over, priority, category })) {
          if (one.urgent) this.urgent.add(id);
          if (one.marketing) this.marketing.add(id);
        }
        return;
      }
      case 'tick':
        return this.#tick(one.free);
      case 'end':
        return this.#end(one.pick, one.kind);
      case 'take over':
        return this.takeOver();
      case 'pass':
        this.nowMs += one.minutes * MINUTE;
        return;
      case 'pass to the edge':
        this.nowMs = (Math.floor(this.nowMs / EDGE) + 1) * EDGE - 2 * SECOND;
    }
  }

  async #tick(free: number): Promise<void> {
    const room = { urgent: 99, high: 99, normal: 99, low: 99 };
    const { claimed } = await this.c.tick({ free, room, nowMs: this.nowMs });
    for (const due of claimed) {
      this.known.push({ due, atMs: this.nowMs });
      if (this.urgent.has(due.messageId)) continue;
      for (const open of this.#hoursOf(due)) {
        const span = open(this.nowMs);
        expect(span?.openAtMs).toBe(this.nowMs);
        expect(due.postingDeadlineMs).toBeLessThanOrEqual(span?.closesAtMs ?? 0);
      }
    }
    this.#checkCap(claimed.some(({ messageId }) => !this.urgent.has(messageId)));
  }

  #hoursOf({ messageId }: DueAttempt): OpenHours[] {
    const { sendingWindows, quietHours } = this.c.settings;
    return [
      ...(sendingWindows === undefined ? [] : [sendingHours(sendingWindows)]),
      ...(quietHours === undefined || !this.marketing.has(messageId) ? [] : [outsideQuietHours(quietHours)]),
    ];
  }

  /**
   * Checked right after a claim of messages that are not urgent; urgent ones may exceed the cap and use up its room.
   */
  #checkCap(hasClaimed: boolean): void {
    const { limits } = this.c.settings;
    if (limits?.perDay === undefined || !hasClaimed) return;
    const { startMs, endMs } = localDayAt(limits.timezone, this.nowMs);
    const counted = this.known.filter(
      ({ atMs, outcome }) => atMs >= startMs && atMs < endMs && outcome !== 'rejected' && outcome !== 'not_accepted',
    );
    expect(counted.length).toBeLessThanOrEqual(limits.perDay);
  }

  async #end(pick: number, kind: AttemptOutcome['kind']): Promise<void> {
    const open = this.known.filter(({ outcome }) => outcome === undefined || outcome === 'unknown');
    const one = open[pick % Math.max(open.length, 1)];
    if (one === undefined || (kind === 'unknown' && one.outcome === 'unknown')) return;
    const { token } = one.due;
    const outcome: AttemptOutcome =
      kind === 'accepted' ? { kind, idMessage: `G-${token}`, httpStatus: 200 } : { kind, code: 'SOME' };
    await this.c.write({ token, outcome, atMs: this.nowMs });
    one.outcome = kind;
  }
}

it('the dispatcher keeps hours and caps under random operations', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { minLength: 5, maxLength: 40 }), async (given, steps) => {
      const world = new World(given);
      await world.takeOver();
      for (const one of steps) await world.play(one);
    }),
    { numRuns: runs(60) },
  );
});
