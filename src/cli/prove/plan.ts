/**
 * What a run will do, all of it decided by the seed before anything is started. Only time itself is not planned: which
 * request meets a fault, and what was under way when a kill came, differs from run to run.
 *
 * P1 Each round starts the product anew, asks for its messages, breaks something beside them, and ends with one kill.
 * P2 Every named fault point is killed at once before any is killed at twice.
 * P3 Every kind of fault is played once before any is played twice.
 * P4 A kill at a point has messages in its round that no fault is planned for, so that they reach it.
 * P5 The last messages come when nothing is broken any more: whatever still waits behind a fault is played to its end.
 */
import { FAULT_POINTS, type FaultPoint, type OnUnknown } from '../../contract/index.js';
import { GATEWAY_FAULTS, NOTIFICATION_FAULTS, type GatewayFault, type NotificationFault } from './faults.js';
import { seededRandom, type SeededRandom } from './seeded-random.js';

export interface PlanSize {
  /** Times that the product is killed. */
  readonly kills: number;
  readonly messages: number;
  readonly seed: number;
}

export interface Plan extends PlanSize {
  readonly rounds: readonly Round[];
  /** Asked for at the end. */
  readonly closing: readonly PlannedMessage[];
}

export interface Round {
  readonly messages: readonly PlannedMessage[];
  /** From its beginning on; a slow gateway keeps a queue in which what is missing can be seen to be missing. */
  readonly releaseEveryMs: number;
  readonly kill: Kill;
  readonly outage?: Outage;
}

export type Kill =
  | { readonly at: FaultPoint; /** Counted from 1. */ readonly hit: number }
  | { readonly at: 'random'; readonly while: 'starting' | 'running'; readonly afterMs: number };

/** Something beside the product goes away and comes back: Temporal's server by a kill, the gateway by refusing connections. */
export interface Outage {
  readonly of: 'temporal' | 'gateway';
  readonly afterMs: number;
  readonly forMs: number;
}

export interface PlannedMessage {
  /** From 1, unlike any other message's; a twin has its own. */
  readonly number: number;
  readonly idempotencyKey: string;
  /** Phone digits. */
  readonly to: string;
  /** No other message to this chat has it, twins apart. */
  readonly text: string;
  readonly onUnknown: OnUnknown;
  readonly edits: readonly PlannedEdit[];
  /** Since the message before it. */
  readonly afterMs: number;
  /** Goes wrong with the next send that reaches the gateway from then on. */
  readonly gatewayFault?: GatewayFault;
  /** Goes wrong with the next notification from then on. */
  readonly notificationFault?: NotificationFault;
}

export interface PlannedEdit {
  readonly idempotencyKey: string;
  readonly text: string;
  /** Since the message was acknowledged, or the edit before this one was. */
  readonly afterMs: number;
}

const PHONES = 25;
const CLOSING_SHARE = 0.1;
/** The gateway's shortest delay between two messages. */
export const RELEASE_MS = 500;
const SLOW_RELEASE_MS = 4_000;

export function makePlan({ kills, messages, seed }: PlanSize): Plan {
  const random = seededRandom(seed);
  const all = planMessages(messages, seed, random);
  const closingCount = Math.min(messages, Math.max(2, Math.round(messages * CLOSING_SHARE)));
  const inRounds = deal(all.slice(0, messages - closingCount), kills);
  const planned = withFaults(inRounds, random);
  const killAt = planKills(planned, random);
  const outages = planOutages(kills, random);
  const rounds = planned.map((round, index): Round => {
    const outage = outages.get(index);
    const releaseEveryMs = index % 4 < 2 ? SLOW_RELEASE_MS : RELEASE_MS;
    return {
      messages: round,
      releaseEveryMs,
      kill: killAt[index] ?? randomKill(random),
      ...(outage === undefined ? {} : { outage }),
    };
  });
  return { kills, messages, seed, rounds, closing: all.slice(messages - closingCount) };
}

function planMessages(count: number, seed: number, random: SeededRandom): PlannedMessage[] {
  const messages: PlannedMessage[] = [];
  for (let number = 1; number <= count; number += 1) {
    const before = messages.at(-1);
    const idempotencyKey = `prove-${seed}-${number}`;
    const afterMs = random.between(0, 400);
    const onUnknown: OnUnknown = random.between(1, 10) === 1 ? 'resend' : 'hold';
    // A twin's share in a doubled pair could not be told from its brother's: twins are neither edited nor sent again.
    if (before?.edits.length === 0 && before.onUnknown === 'hold' && random.between(1, 8) === 1) {
      messages.push({ ...before, number, idempotencyKey, afterMs: random.between(0, 50) });
      continue;
    }
    const text = `Order ${number} of run ${seed} is ready.`;
    const edits = random.between(1, 4) === 1 ? planEdits(text, idempotencyKey, random) : [];
    const to = `1555${String(random.between(1, PHONES)).padStart(7, '0')}`;
    messages.push({ number, idempotencyKey, to, text, onUnknown, edits, afterMs });
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

/** P3 and P4: at most every other message of a round has a fault before it, its last one never. */
function withFaults(rounds: readonly PlannedMessage[][], random: SeededRandom): PlannedMessage[][] {
  const gateway = dealer(GATEWAY_FAULTS, random);
  const notifications = dealer(NOTIFICATION_FAULTS, random);
  return rounds.map((messages) =>
    messages.map((message, index): PlannedMessage => {
      const isLast = index === messages.length - 1;
      if (isLast) return message;
      if (index % 2 === 0) return { ...message, gatewayFault: gateway() };
      return { ...message, notificationFault: notifications() };
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

/** P2 and P4: half of the kills at least are at a named point. */
function planKills(rounds: readonly PlannedMessage[][], random: SeededRandom): Kill[] {
  const points = dealer(FAULT_POINTS, random);
  const named = Math.max(Math.min(rounds.length, FAULT_POINTS.length), Math.ceil(rounds.length / 2));
  const withMessages = rounds.flatMap((messages, index) => (messages.length > 0 ? [index] : []));
  const killedAtPoint = new Set(random.shuffled(withMessages).slice(0, named));
  return rounds.map((messages, index) => {
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

/** About every sixth round has an outage; Temporal's and the gateway's take turns. */
function planOutages(rounds: number, random: SeededRandom): Map<number, Outage> {
  const count = Math.min(rounds, Math.max(2, Math.round(rounds / 6)));
  const chosen = random.shuffled(Array.from({ length: rounds }, (_, index) => index)).slice(0, count);
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
