import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GATEWAY_FAULTS, NOTIFICATION_FAULTS } from '../../src/cli/prove/faults.js';
import { makePlan, type Plan, type PlannedMessage } from '../../src/cli/prove/plan.js';
import { FAULT_POINTS } from '../../src/contract/index.js';

const size = fc.record({
  kills: fc.integer({ min: 1, max: 60 }),
  messages: fc.integer({ min: 1, max: 200 }),
  seed: fc.integer({ min: 1, max: 0xffff_ffff }),
});

function holds(claim: (plan: Plan) => void): void {
  fc.assert(fc.property(size, (given) => claim(makePlan(given))));
}

function messagesOf({ rounds, closing }: Plan): PlannedMessage[] {
  return [...rounds.flatMap(({ messages }) => messages), ...closing];
}

/** How often each of `all` is among `names`, the rarest and the most frequent. */
function spread(names: readonly string[], all: readonly string[]): { least: number; most: number } {
  const counts = all.map((name) => names.filter((one) => one === name).length);
  return { least: Math.min(...counts), most: Math.max(...counts) };
}

describe('the plan of a proof', () => {
  it('is the same for the same seed, and another for another', () => {
    const given = { kills: 10, messages: 30, seed: 7 };
    expect(makePlan(given)).toEqual(makePlan(given));
    expect(makePlan({ ...given, seed: 8 })).not.toEqual(makePlan(given));
  });

  it('has as many kills and messages as were asked for', () => {
    holds((plan) => {
      expect(plan.rounds).toHaveLength(plan.kills);
      expect(messagesOf(plan).map(({ number }) => number)).toEqual(
        Array.from({ length: plan.messages }, (_, index) => index + 1),
      );
    });
  });

  it('kills at every named point before it kills at one twice', () => {
    holds(({ rounds }) => {
      const points = rounds.map(({ kill }) => kill.at).filter((at) => at !== 'random');
      const { least, most } = spread(points, FAULT_POINTS);
      expect(most - least).toBeLessThanOrEqual(1);
    });
  });

  it('kills at every named point in a run of six kills with messages for each', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { rounds } = makePlan({ kills: 6, messages: 20, seed });
      expect(rounds.map(({ kill }) => kill.at).toSorted()).toEqual([...FAULT_POINTS].toSorted());
    }
  });

  it('plays every fault before it plays one twice', () => {
    holds((plan) => {
      const messages = messagesOf(plan);
      for (const [faults, planned] of [
        [GATEWAY_FAULTS, messages.flatMap(({ gatewayFault }) => gatewayFault?.name ?? [])],
        [NOTIFICATION_FAULTS, messages.flatMap(({ notificationFault }) => notificationFault?.name ?? [])],
      ] as const) {
        const { least, most } = spread(
          planned,
          faults.map(({ name }) => name),
        );
        expect(most - least).toBeLessThanOrEqual(1);
      }
    });
  });

  it('has an untouched message for every time that a point must be reached, and ends with untouched ones', () => {
    holds(({ rounds, closing }) => {
      for (const { kill, messages } of rounds) {
        const untouched = messages.filter(({ gatewayFault }) => gatewayFault === undefined);
        if (kill.at !== 'random') expect(untouched.length).toBeGreaterThanOrEqual(kill.hit);
      }
      expect(closing.length).toBeGreaterThanOrEqual(1);
      expect(closing.filter(({ gatewayFault, notificationFault }) => gatewayFault ?? notificationFault)).toEqual([]);
    });
  });

  it('gives each text to one message, or to twins, which are neither edited nor sent again', () => {
    holds((plan) => {
      const owners = new Map<string, PlannedMessage[]>();
      for (const message of messagesOf(plan)) {
        for (const text of [message.text, ...message.edits.map((edit) => edit.text)]) {
          owners.set(text, [...(owners.get(text) ?? []), message]);
        }
      }
      for (const [first, ...twins] of owners.values()) {
        if (twins.length === 0) continue;
        expect(new Set([first, ...twins].map((one) => one?.to)).size).toBe(1);
        for (const one of [first, ...twins]) expect(one).toMatchObject({ edits: [], onUnknown: 'hold' });
      }
    });
  });

  it('asks for each thing with a key of its own', () => {
    holds((plan) => {
      const keys = messagesOf(plan).flatMap(({ idempotencyKey, edits }) => [
        idempotencyKey,
        ...edits.map((edit) => edit.idempotencyKey),
      ]);
      expect(new Set(keys).size).toBe(keys.length);
    });
  });
});
