/**
 * What a run will do: the seed decides all of it before anything is started. Only time is not planned: which request
 * meets a fault, and what was under way when a kill came, differs from run to run.
 *
 * PLAN-1 Each round starts the product again, asks for its messages, breaks something beside them, and ends with one
 *    kill.
 * PLAN-2 Every named fault point is killed at once before any is killed at twice.
 * PLAN-3 Every kind of fault is played once before any is played twice.
 * PLAN-4 A kill at a point has messages in its round that no fault is planned for, so that they reach it.
 * PLAN-5 The last messages come when nothing is broken any more: whatever still waits behind a fault is played to its
 *    end.
 * PLAN-6 A round in which a campaign starts is killed at the point that the campaign names. Nothing else is asked for
 *    in it, and nothing goes away, so that the campaign comes there.
 * PLAN-7 Where everything may be presumed, and there are messages enough, the run begins with the history that a
 *    presumption needs: nothing is broken until it is delivered.
 */
import { SIMULATOR_INSTANCE } from '../../config/index.js';
import { FAULT_POINTS, type OnUnknown, present } from '../../contract/index.js';
import { LEAST_NOTIFIED } from '../../domain/index.js';
import {
  countRecipients,
  planCampaigns,
  type PlannedCampaign,
  type PlannedEdit,
  type PlannedText,
} from './campaign-plan.js';
import { GATEWAY_FAULTS, NOTIFICATION_FAULTS, type GatewayFault, type NotificationFault } from './faults.js';
import type { KillPoint } from './product-process.js';
import { seededRandom, type SeededRandom } from './seeded-random.js';

export interface PlanSize {
  /** Times that the product is killed. */
  readonly kills: number;
  /** Recipients of campaigns included. */
  readonly messages: number;
  /** How many of a hundred messages go to recipients of campaigns. */
  readonly campaignPercent: number;
  readonly seed: number;
  /** Processes of the product: one to be killed, or several. */
  readonly workers: number;
  /** For all messages; absent: some have one and some the other. */
  readonly onUnknown?: OnUnknown;
  /** Whether notifications are lost, doubled, late and out of order; else they come as documented. */
  readonly notificationFaults: boolean;
}

/** With several processes there is more than one instance, so that one process sends while another is killed. */
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
  /** Asked for and delivered before the first round. */
  readonly opening: readonly PlannedMessage[];
  readonly rounds: readonly Round[];
  /** Asked for at the end. */
  readonly closing: readonly PlannedMessage[];
}

export interface Round {
  readonly messages: readonly PlannedMessage[];
  /** Defined and filled from its beginning on. */
  readonly imports: readonly PlannedCampaign[];
  /** Started in it, once they are filled. */
  readonly starts: readonly PlannedCampaign[];
  /** From its beginning on; a slow gateway keeps a queue in which what is missing can be seen to be missing. */
  readonly releaseEveryMs: number;
  readonly kill: Kill;
  readonly outage?: Outage;
}

export type Kill =
  KillPoint | { readonly at: 'random'; readonly while: 'starting' | 'running'; readonly afterMs: number };

/**
 * Something beside the product goes away and comes back: Temporal's server by a kill, the gateway by refusing
 * connections.
 */
export interface Outage {
  readonly of: 'temporal' | 'gateway';
  readonly afterMs: number;
  readonly forMs: number;
}

/** A message outside of campaigns. */
export interface PlannedMessage extends PlannedText {
  /** From 1, unlike any other message's; an identical message has its own. */
  readonly number: number;
  readonly instance: string;
  readonly idempotencyKey: string;
  /** Since the message before it. */
  readonly afterMs: number;
  /** Goes wrong with the next send that reaches the gateway from then on. */
  readonly gatewayFault?: GatewayFault;
  /** Goes wrong with the next notifications from then on, whosever they are. */
  readonly notificationFault?: NotificationFault;
}

/** For each instance: a little more than the least that a presumption needs. */
const OPENING = LEAST_NOTIFIED + 10;
/** Fewer messages than this show nothing of how many are unresolved. */
export const ENOUGH_MESSAGES = 1_000;
const PHONES = 25;
const CLOSING_SHARE = 0.1;
/** The gateway's shortest delay between two messages. */
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
  const killAt = planKills(planned, starts, random);
  const outages = planOutages(starts, random);
  const rounds = planned.map((round, index): Round => {
    const outage = outages.get(index);
    const startHere = starts[index] ?? [];
    // A campaign must not wait behind a queue that hardly moves.
    const isSlow = index % 4 < 2 && startHere.length === 0;
    return {
      messages: round,
      imports: index === 0 ? starts.slice(0, 2).flat() : (starts[index + 1] ?? []),
      starts: startHere,
      releaseEveryMs: isSlow ? SLOW_RELEASE_MS : RELEASE_MS,
      kill: killAt[index] ?? randomKill(random),
      ...present({ outage }),
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
    // An identical message's share in a doubled pair cannot be told apart from the other: identical messages are
    // neither edited nor sent again.
    if (before?.edits.length === 0 && before.onUnknown === 'manual' && random.between(1, 8) === 1) {
      messages.push({ ...before, number, idempotencyKey, afterMs: random.between(0, 50) });
      continue;
    }
    const text = `Order ${number} of run ${seed} is ready.`;
    const edits = random.between(1, 4) === 1 ? planEdits(text, idempotencyKey, random) : [];
    const to = `1555${String(random.between(1, PHONES)).padStart(7, '0')}`;
    messages.push({ number, instance, idempotencyKey, to, text, onUnknown, edits, afterMs });
  }
  return messages;
}

function planEdits(text: string, idempotencyKey: string, random: SeededRandom): PlannedEdit[] {
  return Array.from({ length: random.between(1, 2) }, (_, index) => ({
    idempotencyKey: `${idempotencyKey}-edit-${index + 1}`,
    text: `${text} (change ${index + 1})`,
    // From before it left our hands to long after it was read.
    afterMs: random.between(0, 2_500),
  }));
}

function deal<Item>(items: readonly Item[], hands: number): Item[][] {
  return Array.from({ length: hands }, (_, hand) =>
    items.slice(Math.round((hand * items.length) / hands), Math.round(((hand + 1) * items.length) / hands)),
  );
}

/** Which campaigns start in each round: pairs evenly over all of them, and the second of a pair a round later. */
function dealCampaigns(campaigns: readonly PlannedCampaign[], rounds: number): PlannedCampaign[][] {
  const starts: PlannedCampaign[][] = Array.from({ length: rounds }, () => []);
  for (const [index, campaign] of campaigns.entries()) {
    const pair = Math.floor(index / 2);
    const first = Math.min(1, rounds - 1) + Math.floor((pair * (rounds - 1) * 2) / campaigns.length);
    starts[Math.min(rounds - 1, first + (index % 2))]?.push(campaign);
  }
  return starts;
}

/** PLAN-6: over the rounds in which no campaign starts, where there are some. */
function dealMessages(
  messages: readonly PlannedMessage[],
  starts: readonly (readonly PlannedCampaign[])[],
): PlannedMessage[][] {
  const free = starts.flatMap((campaigns, index) => (campaigns.length === 0 ? [index] : []));
  const rounds = free.length > 0 ? free : [...starts.keys()];
  const hands = deal(messages, rounds.length);
  return starts.map((_, index) => hands[rounds.indexOf(index)] ?? []);
}

/** PLAN-3 and PLAN-4: by turns a send and a notification go wrong in a round, but not the last send. */
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

/** Deals a shuffled deck, and shuffles it again when it is used up. */
function dealer<Card>(cards: readonly Card[], random: SeededRandom): () => Card {
  let deck: Card[] = [];
  return () => {
    if (deck.length === 0) deck = random.shuffled(cards);
    return deck.pop() as Card;
  };
}

/** PLAN-2, PLAN-4 and PLAN-6: half of the kills at least are at a named point. */
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

/** PLAN-6. About every sixth round has an outage; Temporal's and the gateway's take turns. */
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
