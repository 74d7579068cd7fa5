/**
 * Plans a run. The seed decides the whole plan before the run starts. Timing is not planned: which request meets a
 * fault, and which work a kill interrupts, differs from run to run.
 *
 * PLAN-1 Each round starts the product, requests its messages, may have an outage beside them, and ends with one kill.
 * PLAN-2 Every fault point has one kill before any has two.
 * PLAN-3 Every kind of fault happens once before any happens twice.
 * PLAN-4 The round of a kill at a fault point has messages without a planned fault, so that a message reaches the
 *    point.
 * PLAN-5 The closing messages come after the last fault, so that work that a fault delayed comes to its end.
 * PLAN-6 A round in which a campaign starts has its kill at the campaign's fault point. Such a round has no single
 *    messages and no outage, so that the campaign reaches the point.
 * PLAN-7 A large run with `onUnknown: auto` for all messages begins with the history that a presumption needs: the
 *    opening messages are delivered before the first fault.
 */
import { SIMULATOR_INSTANCE } from '../../../config/index.js';
import { FAULT_POINTS, type OnUnknown, present } from '../../../contract/index.js';
import { LEAST_NOTIFIED } from '../../../domain/index.js';
import {
  countRecipients,
  planCampaigns,
  type PlannedCampaign,
  type PlannedEdit,
  type PlannedText,
} from './campaign-plan.js';
import {
  GATEWAY_FAULTS,
  NOTIFICATION_FAULTS,
  type GatewayFault,
  type KillPoint,
  type NotificationFault,
} from './faults.js';
import { planReplacements, type PlannedTemplate, type Replacement } from './rolling.js';
import { seededRandom, type SeededRandom } from './seeded-random.js';

export interface PlanSize {
  /** How many times the product is killed. */
  readonly kills: number;
  /** How many messages, recipients of campaigns included. */
  readonly messages: number;
  /** The percentage of messages that go to recipients of campaigns. */
  readonly campaignPercent: number;
  readonly seed: number;
  /** How many processes the product has. */
  readonly workers: number;
  /** The value for all messages. Absent: the plan mixes both values. */
  readonly onUnknown?: OnUnknown;
  /** Whether notifications are lost, doubled, late and out of order. If false, they arrive as documented. */
  readonly notificationFaults: boolean;
  /** Whether the processes begin as another version, are upgraded to this one, and are rolled back. */
  readonly isRolling?: boolean;
}

/** Several processes serve several instances, so that one process sends while another is killed. */
export const INSTANCES = [
  SIMULATOR_INSTANCE,
  ...['second', 'third', 'fourth'].map((name, index) => ({
    ...SIMULATOR_INSTANCE,
    name,
    idInstance: String(Number(SIMULATOR_INSTANCE.idInstance) + index + 1),
  })),
];

export function instancesOf({ workers }: Pick<PlanSize, 'workers'>): typeof INSTANCES {
  return workers === 1 ? INSTANCES.slice(0, 1) : INSTANCES;
}

export interface Plan extends PlanSize {
  readonly campaigns: readonly PlannedCampaign[];
  /** Requested and delivered before the first round. */
  readonly opening: readonly PlannedMessage[];
  readonly rounds: readonly Round[];
  /** Requested after the last round. */
  readonly closing: readonly PlannedMessage[];
}

export interface Round {
  readonly messages: readonly PlannedMessage[];
  /** Defined and imported from the beginning of the round. */
  readonly imports: readonly PlannedCampaign[];
  /** Started in the round, after their import. */
  readonly starts: readonly PlannedCampaign[];
  /** The release interval of the round. A slow gateway keeps a queue that can prove the absence of a message. */
  readonly releaseEveryMs: number;
  readonly kill: Kill;
  readonly outage?: Outage;
  /** Happens while the messages of the round are requested, and before its kill. */
  readonly replacement?: Replacement;
  /** Submitted at the beginning of the round. */
  readonly template?: PlannedTemplate;
}

export type Kill =
  KillPoint | { readonly at: 'random'; readonly while: 'starting' | 'running'; readonly afterMs: number };

/** An outage beside the product: Temporal's server is killed and restarted, or the gateway refuses connections. */
export interface Outage {
  readonly of: 'temporal' | 'gateway';
  readonly afterMs: number;
  readonly forMs: number;
}

/** A single message. */
export interface PlannedMessage extends PlannedText {
  /** A unique number from 1. An identical message has its own number. */
  readonly number: number;
  readonly instance: string;
  readonly idempotencyKey: string;
  /** The delay since the message before it. */
  readonly afterMs: number;
  /** The fault of the next send that reaches the gateway after this message is requested. */
  readonly gatewayFault?: GatewayFault;
  /** The fault of the next notifications after this message is requested. They may be about other messages. */
  readonly notificationFault?: NotificationFault;
}

/** The opening messages of each instance: slightly more than the minimum for a presumption. */
const OPENING = LEAST_NOTIFIED + 10;
/** A run with fewer messages says nothing about the unresolved share. */
export const ENOUGH_MESSAGES = 1_000;
const PHONES = 25;
const CLOSING_SHARE = 0.1;
const TEMPLATE_EVERY_ROUNDS = 3;
/** The shortest release interval of the gateway. */
export const RELEASE_MS = 500;
const SLOW_RELEASE_MS = 4_000;

export function makePlan(size: PlanSize): Plan {
  const { kills, messages, campaignPercent, seed } = size;
  const instances = instancesOf(size).map(({ name }) => name);
  const random = seededRandom(seed);
  const recipients = countRecipients(messages, campaignPercent);
  const single = messages - recipients;
  const singles = planMessages(single, size, instances, random);
  const openingCount = size.onUnknown === 'auto' && messages >= ENOUGH_MESSAGES ? OPENING * instances.length : 0;
  const opening = singles.slice(0, openingCount);
  const all = singles.slice(openingCount);
  const closingCount = Math.min(all.length, Math.max(2, Math.round(all.length * CLOSING_SHARE)));
  const gatewayFaults = dealer(GATEWAY_FAULTS, random);
  const campaigns = planCampaigns(recipients, size, instances, random, gatewayFaults);
  const starts = dealCampaigns(campaigns, kills);
  const planned = withFaults(
    dealMessages(all.slice(0, all.length - closingCount), starts),
    size,
    gatewayFaults,
    random,
  );
  const isFree = (round: number): boolean => starts[round]?.length === 0;
  const replacements = size.isRolling ? planReplacements(kills, size.workers, isFree) : new Map<number, Replacement>();
  const killAt = planKills(planned, starts, random);
  const outages = planOutages(starts, random);
  const rounds = planned.map((round, index): Round => {
    const replacement = replacements.get(index);
    // ROLL-5
    const instance = instances[index % instances.length];
    const isWithTemplate = size.isRolling && index % TEMPLATE_EVERY_ROUNDS === 1 && instance !== undefined;
    const template = isWithTemplate ? { instance, elementName: `prove_${seed}_${index}` } : undefined;
    const outage = replacement === undefined ? outages.get(index) : undefined;
    const startHere = starts[index] ?? [];
    // A campaign must not wait for a slow queue.
    const isSlow = index % 4 < 2 && startHere.length === 0;
    return {
      messages: round,
      imports: index === 0 ? starts.slice(0, 2).flat() : (starts[index + 1] ?? []),
      starts: startHere,
      releaseEveryMs: isSlow ? SLOW_RELEASE_MS : RELEASE_MS,
      kill: (replacement === undefined ? killAt[index] : undefined) ?? randomKill(random),
      ...present({ outage, replacement, template }),
    };
  });
  return { ...size, campaigns, opening, rounds, closing: all.slice(all.length - closingCount) };
}

function planMessages(
  count: number,
  { seed, onUnknown: asked }: PlanSize,
  instances: readonly string[],
  random: SeededRandom,
): PlannedMessage[] {
  const messages: PlannedMessage[] = [];
  for (let number = 1; number <= count; number += 1) {
    const before = messages.at(-1);
    const idempotencyKey = `prove-${seed}-${number}`;
    const afterMs = random.between(0, 400);
    const usual: OnUnknown = random.between(1, 10) === 1 ? 'auto' : 'manual';
    const onUnknown = asked ?? usual;
    const instance = instances[number % instances.length] ?? '';
    // The account cannot distinguish the deliveries of identical messages. So they have no edits and no `onUnknown:
    // auto`.
    if (before?.edits.length === 0 && before.onUnknown === 'manual' && random.between(1, 8) === 1) {
      messages.push({ ...before, number, idempotencyKey, afterMs: random.between(0, 50) });
      continue;
    }
    const text = `Order ${number} of run ${seed} is ready.`;
    const edits = Array.from(
      { length: random.between(1, 4) === 1 ? random.between(1, 2) : 0 },
      (_, index): PlannedEdit => ({
        idempotencyKey: `${idempotencyKey}-edit-${index + 1}`,
        text: `${text} (change ${index + 1})`,
        // The range covers edits before the POST and long after the message is read.
        afterMs: random.between(0, 2_500),
      }),
    );
    const to = `1555${String(random.between(1, PHONES)).padStart(7, '0')}`;
    messages.push({ number, instance, idempotencyKey, to, text, onUnknown, edits, afterMs });
  }
  return messages;
}

/** Distributes the pairs evenly over the rounds. The second campaign of a pair starts a round later. */
function dealCampaigns(campaigns: readonly PlannedCampaign[], rounds: number): PlannedCampaign[][] {
  const starts: PlannedCampaign[][] = Array.from({ length: rounds }, () => []);
  for (const [index, campaign] of campaigns.entries()) {
    const pair = Math.floor(index / 2);
    const first = Math.min(1, rounds - 1) + Math.floor((pair * (rounds - 1) * 2) / campaigns.length);
    starts[Math.min(rounds - 1, first + (index % 2))]?.push(campaign);
  }
  return starts;
}

/** PLAN-6: distributes the messages over the rounds without a campaign start, or over all if there is no such round. */
function dealMessages(
  messages: readonly PlannedMessage[],
  starts: readonly (readonly PlannedCampaign[])[],
): PlannedMessage[][] {
  const free = starts.flatMap((campaigns, index) => (campaigns.length === 0 ? [index] : []));
  const rounds = free.length > 0 ? free : [...starts.keys()];
  const first = (hand: number) => Math.round((hand * messages.length) / rounds.length);
  return starts.map((_, index) => {
    const hand = rounds.indexOf(index);
    return hand === -1 ? [] : messages.slice(first(hand), first(hand + 1));
  });
}

/** PLAN-3, PLAN-4: in each round, sends and notifications have faults in turn. The last send has none. */
function withFaults(
  rounds: readonly PlannedMessage[][],
  { notificationFaults }: PlanSize,
  gateway: () => GatewayFault,
  random: SeededRandom,
): PlannedMessage[][] {
  const notifications = dealer(NOTIFICATION_FAULTS, random);
  return rounds.map((messages) =>
    messages.map((message, index): PlannedMessage => {
      if (index % 2 === 1) return notificationFaults ? { ...message, notificationFault: notifications() } : message;
      const isLast = index === messages.length - 1;
      return isLast ? message : { ...message, gatewayFault: gateway() };
    }),
  );
}

/** Deals from a shuffled deck, and shuffles a new deck when it is empty. */
function dealer<Card>(cards: readonly Card[], random: SeededRandom): () => Card {
  let deck: Card[] = [];
  return () => {
    if (deck.length === 0) deck = random.shuffled(cards);
    return deck.pop() as Card;
  };
}

/** PLAN-2, PLAN-4, PLAN-6: at least half of the kills are at a fault point. */
function planKills(
  rounds: readonly PlannedMessage[][],
  starts: readonly (readonly PlannedCampaign[])[],
  random: SeededRandom,
): Kill[] {
  const points = dealer(FAULT_POINTS, random);
  const others = starts.filter((campaigns) => campaigns.length === 0).length;
  const named = Math.max(Math.min(others, FAULT_POINTS.length), Math.ceil(others / 2));
  const withMessages = rounds.flatMap((messages, index) =>
    messages.length > 0 && starts[index]?.length === 0 ? [index] : [],
  );
  const killedAtPoint = new Set(random.shuffled(withMessages).slice(0, named));
  return rounds.map((messages, index) => {
    const [campaign] = starts[index] ?? [];
    if (campaign !== undefined) return { at: campaign.killedAt, hit: 1 };
    if (!killedAtPoint.has(index)) return randomKill(random);
    const untouched = messages.filter(({ gatewayFault }) => gatewayFault === undefined).length;
    return { at: points(), hit: random.between(1, Math.min(2, untouched)) };
  });
}

function randomKill(random: SeededRandom): Kill {
  return random.between(1, 5) === 1
    ? { at: 'random', while: 'starting', afterMs: random.between(100, 2_000) }
    : { at: 'random', while: 'running', afterMs: random.between(0, 2_500) };
}

/** PLAN-6: about every sixth round has an outage, of Temporal and the gateway in turn. */
function planOutages(starts: readonly (readonly PlannedCampaign[])[], random: SeededRandom): Map<number, Outage> {
  const others = starts.flatMap((campaigns, index) => (campaigns.length === 0 ? [index] : []));
  const count = Math.max(2, Math.round(starts.length / 6));
  const chosen = random.shuffled(others).slice(0, count);
  return new Map(
    chosen.map((index, turn): [number, Outage] => [
      index,
      {
        of: turn % 2 === 0 ? 'temporal' : 'gateway',
        afterMs: random.between(0, 1_000),
        forMs: random.between(300, 2_000),
      },
    ]),
  );
}
