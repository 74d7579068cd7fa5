import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GATEWAY_FAULTS, NOTIFICATION_FAULTS } from '../../../src/tools/prove/plan/faults.js';
import { INSTANCES, makePlan, type Plan, type PlannedMessage } from '../../../src/tools/prove/plan/plan.js';
import type { PlannedCampaign } from '../../../src/tools/prove/plan/campaign-plan.js';
import { CAMPAIGN_FAULT_POINTS, FAULT_POINTS } from '../../../src/contract/index.js';
import { LEAST_NOTIFIED } from '../../../src/domain/index.js';

const size = fc.record({
  kills: fc.integer({ min: 1, max: 60 }),
  messages: fc.integer({ min: 1, max: 200 }),
  campaignPercent: fc.integer({ min: 0, max: 100 }),
  seed: fc.integer({ min: 1, max: 0xffff_ffff }),
});

/** One process, and faults of notifications. */
const USUAL = { workers: 1, notificationFaults: true };

function holds(claim: (plan: Plan) => void): void {
  fc.assert(fc.property(size, (given) => claim(makePlan({ ...USUAL, ...given }))));
}

function messagesOf({ opening, rounds, closing }: Plan): PlannedMessage[] {
  return [...opening, ...rounds.flatMap(({ messages }) => messages), ...closing];
}

function idsOf(campaigns: readonly PlannedCampaign[]): string[] {
  return campaigns.map(({ id }) => id).toSorted();
}

function recipientsIn(campaigns: readonly PlannedCampaign[]) {
  return campaigns.flatMap(({ recipients }) => recipients);
}

/** How often each of `all` is in `names`: the rarest and the most frequent. */
function spread(names: readonly string[], all: readonly string[]): { least: number; most: number } {
  const counts = all.map((name) => names.filter((one) => one === name).length);
  return { least: Math.min(...counts), most: Math.max(...counts) };
}

/** Proves PLAN-1 to PLAN-7 and PAIR-1 to PAIR-4. */
describe('the plan of a proof', () => {
  it('is the same for the same seed, and differs for another', () => {
    const given = { ...USUAL, kills: 10, messages: 30, campaignPercent: 33, seed: 7 };
    expect(makePlan(given)).toEqual(makePlan(given));
    expect(makePlan({ ...given, seed: 8 })).not.toEqual(makePlan(given));
  });

  it('has the requested number of kills and messages', () => {
    holds((plan) => {
      expect(plan.rounds).toHaveLength(plan.kills);
      const single = plan.messages - recipientsIn(plan.campaigns).length;
      expect(messagesOf(plan).map(({ number }) => number)).toEqual(
        Array.from({ length: single }, (_, index) => index + 1),
      );
    });
  });

  it('kills at every named point of a message before it kills at one twice', () => {
    holds(({ rounds }) => {
      const withoutCampaigns = rounds.filter(({ starts }) => starts.length === 0);
      const points = withoutCampaigns.map(({ kill }) => kill.at).filter((at) => at !== 'random');
      const { least, most } = spread(points, FAULT_POINTS);
      expect(most - least).toBeLessThanOrEqual(1);
    });
  });

  it('kills at every named point in a run of eight kills with messages for each', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { rounds } = makePlan({ ...USUAL, kills: 8, messages: 24, campaignPercent: 33, seed });
      const points = [...FAULT_POINTS, ...CAMPAIGN_FAULT_POINTS];
      expect(rounds.map(({ kill }) => kill.at).toSorted()).toEqual(points.toSorted());
    }
  });

  it('plays every fault before it plays one twice', () => {
    holds((plan) => {
      const messages = messagesOf(plan);
      const sends = [...messages, ...recipientsIn(plan.campaigns)];
      for (const [faults, planned] of [
        [GATEWAY_FAULTS, sends.flatMap(({ gatewayFault }) => gatewayFault?.name ?? [])],
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

  it('plays every fault of notifications in a run of eight kills with messages for each', () => {
    const all = NOTIFICATION_FAULTS.map(({ name }) => name);
    expect(new Set(NOTIFICATION_FAULTS.map(({ ask }) => ask.kind))).toEqual(
      new Set(['drop', 'double', 'delay', 'reorder']),
    );
    for (let seed = 1; seed <= 20; seed += 1) {
      const plan = makePlan({ ...USUAL, kills: 8, messages: 24, campaignPercent: 33, seed });
      const planned = messagesOf(plan).flatMap(({ notificationFault }) => notificationFault?.name ?? []);
      expect([...new Set(planned)].toSorted()).toEqual(all.toSorted());
    }
  });

  it('has an unplanned message for every time that a point must be reached, and ends with such ones', () => {
    holds((plan) => {
      const { rounds, closing } = plan;
      const hasSingles = plan.messages > recipientsIn(plan.campaigns).length;
      expect(closing.length > 0).toBe(hasSingles);
      for (const { kill, messages, starts } of rounds) {
        if (starts.length > 0) continue;
        const untouched = messages.filter(({ gatewayFault }) => gatewayFault === undefined);
        if (kill.at !== 'random') expect(untouched.length).toBeGreaterThanOrEqual(kill.hit);
      }
      expect(closing.filter(({ gatewayFault, notificationFault }) => gatewayFault ?? notificationFault)).toEqual([]);
    });
  });

  it('gives each text to one message, or to identical messages, which are neither edited nor sent again', () => {
    holds((plan) => {
      const owners = new Map<string, PlannedMessage[]>();
      for (const message of messagesOf(plan)) {
        for (const text of [message.text, ...message.edits.map((edit) => edit.text)]) {
          owners.set(text, [...(owners.get(text) ?? []), message]);
        }
      }
      for (const [first, ...identical] of owners.values()) {
        if (identical.length === 0) continue;
        expect(new Set([first, ...identical].map((one) => one?.to)).size).toBe(1);
        for (const one of [first, ...identical]) expect(one).toMatchObject({ edits: [], onUnknown: 'manual' });
      }
    });
  });

  it('has a unique key for each request', () => {
    holds((plan) => {
      const keys = messagesOf(plan).flatMap(({ idempotencyKey, edits }) => [
        idempotencyKey,
        ...edits.map((edit) => edit.idempotencyKey),
      ]);
      expect(new Set(keys).size).toBe(keys.length);
    });
  });

  it('gives the requested number of messages to campaigns, in a run that is long enough for two', () => {
    const recipientsOf = (messages: number, campaignPercent: number) =>
      recipientsIn(makePlan({ ...USUAL, kills: 12, messages, campaignPercent, seed: 3 }).campaigns).length;
    expect([recipientsOf(600, 33), recipientsOf(60, 50), recipientsOf(60, 0), recipientsOf(60, 100)]).toEqual([
      198, 30, 0, 60,
    ]);
    expect([recipientsOf(16, 33), recipientsOf(15, 33)]).toEqual([8, 0]);
  });

  it('has campaigns in pairs of different priorities, one of which permits presumptions', () => {
    holds(({ campaigns }) => {
      for (let at = 0; at < campaigns.length; at += 2) {
        const pair = campaigns.slice(at, at + 2);
        expect(new Set(pair.map(({ priority }) => priority)).size).toBe(2);
        expect(pair.map(({ onUnknown }) => onUnknown).toSorted()).toEqual(['auto', 'manual']);
      }
    });
  });

  it('kills at the points of campaigns with the first pair, and at every other point with three more', () => {
    const { rounds } = makePlan({ ...USUAL, kills: 50, messages: 600, campaignPercent: 33, seed: 3 });
    const points = rounds.flatMap(({ starts, kill }) => (starts.length === 0 ? [] : [kill.at]));
    expect(points.slice(0, 2)).toEqual([...CAMPAIGN_FAULT_POINTS]);
    expect(points.slice(2).toSorted()).toEqual([...FAULT_POINTS].toSorted());
  });

  it('imports each campaign before its starting round, which is killed at its point and has no other request', () => {
    holds(({ campaigns, rounds }) => {
      const all = idsOf(campaigns);
      expect(idsOf(rounds.flatMap(({ imports }) => imports))).toEqual(all);
      expect(idsOf(rounds.flatMap(({ starts }) => starts))).toEqual(all);
      const isAlone = rounds.some(({ starts }) => starts.length === 0);
      for (const [index, { starts, imports, messages, kill, outage, releaseEveryMs }] of rounds.entries()) {
        const soFar = rounds.slice(0, index + 1).flatMap((round) => round.imports);
        for (const campaign of starts) expect(soFar).toContain(campaign);
        const next = rounds[index + 1]?.starts ?? [];
        expect(imports.filter((campaign) => !starts.includes(campaign))).toEqual(next);
        if (starts[0] === undefined) continue;
        expect(kill).toEqual({ at: starts[0].killedAt, hit: 1 });
        expect({ outage, releaseEveryMs }).toEqual({ outage: undefined, releaseEveryMs: 500 });
        if (isAlone) expect(messages).toEqual([]);
      }
    });
  });

  it('sends for several instances with several processes, and so do campaigns, which lose and regain accounts (PAIR-5)', () => {
    const { rounds, campaigns } = makePlan({
      ...USUAL,
      workers: 2,
      kills: 20,
      messages: 800,
      campaignPercent: 50,
      seed: 3,
    });
    const asked = rounds.flatMap(({ messages }) => messages.map(({ instance }) => instance));
    const all = INSTANCES.map(({ name }) => name).toSorted();
    expect([...new Set(asked)].toSorted()).toEqual(all);
    expect([...new Set(campaigns.map(({ instances: [first = ''] }) => first))].toSorted()).toEqual(all);
    for (let at = 0; at < campaigns.length; at += 2) {
      expect(campaigns[at]?.instances).toEqual(campaigns[at + 1]?.instances);
    }
    for (const { instances, accountChanges } of campaigns) {
      expect(instances.toSorted()).toEqual(all);
      expect(accountChanges.map(({ kind }) => kind).toSorted()).toEqual(['not authorized', 'paused', 'removed']);
      expect(new Set(accountChanges.map(({ instance }) => instance)).size).toBe(3);
    }
  });

  it('has one onUnknown for all on request, and then notifications as documented', () => {
    const given = { ...USUAL, kills: 20, messages: 200, campaignPercent: 33, seed: 3 };
    const plan = makePlan({ ...given, onUnknown: 'auto', notificationFaults: false });
    const all = [...messagesOf(plan), ...recipientsIn(plan.campaigns)];
    expect([...new Set(all.map(({ onUnknown }) => onUnknown))]).toEqual(['auto']);
    expect(messagesOf(plan).flatMap(({ notificationFault }) => notificationFault ?? [])).toEqual([]);
  });

  it('begins with the history that a presumption needs, when all messages permit it', () => {
    const given = { ...USUAL, kills: 20, messages: 1_000, campaignPercent: 33, seed: 3, workers: 2 };
    const { opening, rounds } = makePlan({ ...given, onUnknown: 'auto' });
    for (const { name } of INSTANCES)
      expect(opening.filter(({ instance }) => instance === name).length).toBeGreaterThanOrEqual(LEAST_NOTIFIED);
    expect(opening.filter(({ gatewayFault, notificationFault }) => gatewayFault ?? notificationFault)).toEqual([]);
    expect(rounds.flatMap(({ messages }) => messages).length).toBeGreaterThan(100);
    expect(makePlan(given).opening).toEqual([]);
    expect(makePlan({ ...given, messages: 999, onUnknown: 'auto' }).opening).toEqual([]);
  });

  it('gives each recipient a unique phone, and does not change the responses to a first batch', () => {
    holds((plan) => {
      const phones = recipientsIn(plan.campaigns).map(({ to }) => to);
      expect(new Set([...phones, ...messagesOf(plan).map(({ to }) => to)]).size).toBe(
        phones.length + new Set(messagesOf(plan).map(({ to }) => to)).size,
      );
      for (const { recipients, highWater, text } of plan.campaigns) {
        const broken = recipients.map(({ gatewayFault }) => gatewayFault !== undefined);
        expect(broken.slice(0, highWater)).not.toContain(true);
        expect(broken).toContain(recipients.length > highWater + 2);
        for (const one of recipients) expect(one.text).toBe(text.replace('{{name}}', one.name));
      }
    });
  });
});

describe('the plan of a rolling upgrade', () => {
  const rolling = { ...USUAL, workers: 2, kills: 30, messages: 300, campaignPercent: 33, isRolling: true };
  const replacedIn = ({ rounds }: Plan) =>
    rounds.flatMap((round, index) => (round.replacement === undefined ? [] : [{ index, ...round }]));

  it('upgrades one process after the other, then rolls back, by SIGTERM and SIGKILL in turn (ROLL-1 to ROLL-3)', () => {
    for (const seed of [1, 2, 3]) {
      const replacements = replacedIn(makePlan({ ...rolling, seed })).map(({ replacement }) => replacement);
      expect(replacements).toEqual([
        { place: 0, to: 'this', by: 'SIGTERM', migratesBefore: true },
        { place: 1, to: 'this', by: 'SIGKILL', migratesBefore: false },
        { place: 0, to: 'other', by: 'SIGTERM', migratesBefore: false },
        { place: 1, to: 'other', by: 'SIGKILL', migratesBefore: false },
      ]);
    }
  });

  it('has several rounds for each stage, and replaces only in rounds that need no fault point (ROLL-4)', () => {
    const replaced = replacedIn(makePlan({ ...rolling, seed: 1 }));
    const ends = [...replaced.map(({ index }) => index), rolling.kills];
    expect(Math.min(...ends.map((end, at) => end - (ends[at - 1] ?? 0)))).toBeGreaterThan(2);
    for (const { kill, starts, outage } of replaced) {
      expect(kill.at).toBe('random');
      expect(starts).toEqual([]);
      expect(outage).toBeUndefined();
    }
  });

  it('submits a template in every third round, each with a name of its own (ROLL-5)', () => {
    const templates = makePlan({ ...rolling, seed: 1 }).rounds.flatMap(({ template }) => template ?? []);
    expect(templates).toHaveLength(rolling.kills / 3);
    expect(new Set(templates.map(({ elementName }) => elementName)).size).toBe(templates.length);
    expect(new Set(templates.map(({ instance }) => instance)).size).toBe(INSTANCES.length);
  });

  it('has not all replacements when there are too few rounds', () => {
    expect(replacedIn(makePlan({ ...rolling, kills: 4, seed: 1 })).length).toBeLessThan(4);
  });
});
