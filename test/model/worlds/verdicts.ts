/**
 * Plays what our workers know of a world: they record each reading, adopt ids, and ask every variant of the real rules
 * whether an unknown attempt is absent.
 */
import {
  ABSENCE_CONDITIONS,
  CLOCK_MARGIN_MS,
  PRESUMPTION_CONDITIONS,
  RESTART_WAIT_MS,
  RETRY_INTERVAL_MS,
  absence,
  adoption,
  idsSeenBefore,
  isSurelyAnotherChat,
  decidableFrom,
  presumption,
  type AbsenceCondition,
  type AbsenceEvidence,
  type AccountedId,
  type NotificationHistory,
  type Observation,
  type PresumptionCondition,
  type PresumptionEvidence,
  type RecordedReading,
} from '../../../src/domain/index.js';
import type { MessageContent } from '../../../src/contract/index.js';
import { NEVER, NOTIFIED_BEFORE, chatOf, settledAt, type Item, type Reading, type World } from './world.js';

/** The truth of the world, which no worker knows, as input for false data. */
export interface Truth {
  readonly world: World;
  readonly attempt: Item;
  readonly at: number;
}

/** The rules, or the rules without one condition: it is left out of the list, or its input is false. */
export interface Variant {
  readonly name: string;
  readonly absence?: readonly AbsenceCondition[] | null;
  readonly presumption?: readonly PresumptionCondition[];
  readonly lie?: (evidence: AbsenceEvidence, truth: Truth) => AbsenceEvidence;
  readonly lieOfNotifications?: (evidence: PresumptionEvidence, truth: Truth) => PresumptionEvidence;
  /** Asks before the attempt is settled, which `decide` never does. @default false */
  readonly asksEarly?: boolean;
  /** ABSENT-7: false concludes although the response was stored meanwhile. @default true */
  readonly comparesAndSets?: boolean;
}

export const PRECEDE: Variant = { name: 'precede', absence: ABSENCE_CONDITIONS };
export const PRESUME: Variant = { name: 'presume', absence: null, presumption: PRESUMPTION_CONDITIONS };

export interface Verdict {
  readonly attempt: Item;
  adopted: Item | null;
  /** When each variant concluded absence; 0 for never. */
  readonly concludedAt: number[];
}

interface Options {
  /** False omits ADOPT-4. @default true */
  readonly remembersReadings?: boolean;
}

/** The margin of the longest wait: a worker's clock may be behind. */
const ASKED_AFTER_MS = RESTART_WAIT_MS + CLOCK_MARGIN_MS;

export function verdictsOf(world: World, variants: readonly Variant[], options: Options = {}): Verdict[] {
  return new Classifier(world, variants, options).verdicts();
}

interface Recorded {
  readonly reading: Reading;
  readonly record: RecordedReading;
}

class Classifier {
  readonly #world: World;
  readonly #variants: readonly Variant[];
  readonly #options: Options;
  readonly #verdicts: Verdict[];
  readonly #recorded: Recorded[] = [];
  readonly #accounted = new Map<string, AccountedId>();
  readonly #stored: Item[];
  readonly #equal = new Map<Item, Item[]>();
  #storedUntil = 0;

  constructor(world: World, variants: readonly Variant[], options: Options) {
    this.#world = world;
    this.#variants = variants;
    this.#options = options;
    this.#verdicts = world.items
      .filter(({ isInDoubt }) => isInDoubt)
      .map((attempt) => ({ attempt, adopted: null, concludedAt: variants.map(() => 0) }));
    for (const { attempt } of this.#verdicts) {
      this.#equal.set(
        attempt,
        world.items.filter(
          ({ content, isReworded, hasOtherChatForm, hasId, shownAs }) =>
            content === attempt.content && !isReworded && !hasOtherChatForm && hasId && shownAs === attempt.kind,
        ),
      );
    }
    this.#stored = world.items
      .filter(({ stored }) => stored < NEVER)
      .toSorted((one, other) => one.stored - other.stored);
  }

  verdicts(): Verdict[] {
    const readings = this.#world.readings.toSorted((one, other) => one.ended - other.ended);
    const asking = readings.map((reading) => ({ reading, at: reading.ended + ASKED_AFTER_MS }));
    let next = 0;
    for (const reading of readings) {
      for (; asking[next]!.at < reading.ended; next += 1) this.#ask(asking[next]!);
      this.#record(reading);
    }
    for (; next < asking.length; next += 1) this.#ask(asking[next]!);
    return this.#verdicts;
  }

  #record(reading: Reading): void {
    const at = reading.ended;
    this.#accountUntil(at);
    const skew = this.#world.clock[reading.worker]!;
    this.#recorded.push({
      reading,
      record: {
        sequence: at,
        begunAtMs: reading.begun + skew,
        endedAtMs: at + skew,
        items: reading.list.map(({ listed }) => listed),
      },
    });
    for (const verdict of this.#verdicts) if (this.#isOpen(verdict, at)) this.#adopt(verdict, reading);
  }

  #isOpen({ attempt, adopted }: Verdict, at: number): boolean {
    return attempt.claimed < at && adopted === null && attempt.stored > at;
  }

  /** The rule gets only items that equal the attempt: no other is ever adopted. */
  #adopt(verdict: Verdict, reading: Reading): void {
    const { attempt } = verdict;
    const at = reading.ended;
    const shown: { item: Item; observation: Observation }[] = [];
    for (const item of this.#equal.get(attempt) ?? []) {
      const isNotified = item.notified <= at && !item.isUnparsed;
      if (isNotified || reading.list.includes(item)) shown.push({ item, observation: this.#seen(item, isNotified) });
    }
    if (shown.length === 0) return;
    const skew = this.#world.clock[attempt.worker]!;
    const { gatewayClock } = this.#world;
    const readings = this.#readingsOf(reading.worker).map(({ record }) => record);
    const adopted = adoption({
      attempt: { claimedAtMs: attempt.claimed + skew, chatId: chatOf(attempt), content: contentOf(attempt) },
      observations: shown.map(({ observation }) => observation),
      accounted: this.#accounted,
      seenBefore: this.#options.remembersReadings === false ? new Set() : idsSeenBefore(attempt.claimed, readings),
      gatewayOffset: { lowestMs: gatewayClock - 1_000, highestMs: gatewayClock + 1_000 },
    });
    if (adopted === undefined) return;
    verdict.adopted = shown.find(({ item }) => item.id === adopted.idMessage)?.item ?? null;
    this.#accounted.set(adopted.idMessage, { acceptedSequence: at });
  }

  #seen(item: Item, isNotified: boolean): Observation {
    const kind = item.kind;
    const comparable = { chat: chatOf(item), kind, body: bodyOf(item), quotedMessageId: '' };
    const shown = kind === 'status' ? { ...comparable, chat: 'status@broadcast' } : comparable;
    if (!isNotified) return { witness: 'showMessagesQueue', ids: [item.id], kind, comparable: shown };
    const atMs = item.left + this.#world.gatewayClock;
    return { witness: 'outgoingAPIMessageReceived', ids: [item.id], kind, comparable: shown, atMs };
  }

  /**
   * The deciding worker reads the recorded data, asks for restarts, and writes its conclusion if nothing came between.
   */
  #ask({ reading, at }: { readonly reading: Reading; readonly at: number }): void {
    const world = this.#world;
    this.#accountUntil(at);
    const readings = this.#readingsOf(reading.worker).map(({ record }) => record);
    const longest = Math.max(...readings.map(({ items }) => items.length), Math.min(world.longest, world.cut));
    for (const verdict of this.#verdicts) {
      const { attempt, concludedAt } = verdict;
      if (verdict.adopted !== null || attempt.claimed >= reading.ended) continue;
      const evidence: AbsenceEvidence = {
        attempt: {
          claimSequence: attempt.claimed,
          claimedAtMs: attempt.claimed + world.clock[attempt.worker]!,
          settledAtMs: settledAt(attempt) + world.clock[attempt.worker]!,
          chatId: chatOf(attempt),
          content: contentOf(attempt),
        },
        nowMs: at + world.clock[reading.worker]!,
        readings,
        accounted: this.#accounted,
        isRestarted: isRestarted(world, attempt, at),
        longestListing: longest,
      };
      const truth: Truth = { world, attempt, at };
      const isEarly = evidence.nowMs < decidableFrom(evidence.attempt);
      for (const [number, variant] of this.#variants.entries()) {
        if (isEarly && variant.asksEarly !== true) continue;
        if (concludedAt[number] !== 0 || (variant.comparesAndSets !== false && attempt.stored <= at)) continue;
        if (concludes(variant, evidence, truth)) concludedAt[number] = at;
      }
    }
  }

  #accountUntil(at: number): void {
    for (; this.#storedUntil < this.#stored.length; this.#storedUntil += 1) {
      const item = this.#stored[this.#storedUntil]!;
      if (item.stored > at) return;
      if (!item.hasId) continue;
      const skew = this.#world.clock[item.worker]!;
      this.#accounted.set(item.id, {
        acceptedSequence: item.stored,
        byResponse: {
          claimSequence: item.claimed,
          claimedAtMs: item.claimed + skew,
          storedAtMs: item.stored + skew,
          kind: item.kind,
        },
      });
    }
  }

  /** Readings are durable, except in worlds where a takeover lost the earlier ones. */
  #readingsOf(worker: number): readonly Recorded[] {
    const { takeover } = this.#world;
    if (takeover === null || takeover.isDurable || worker === 0) return this.#recorded;
    return this.#recorded.filter(({ reading }) => reading.worker === worker);
  }
}

function concludes(variant: Variant, evidence: AbsenceEvidence, truth: Truth): boolean {
  const { absence: conditions = ABSENCE_CONDITIONS, presumption: presumed, lie, lieOfNotifications } = variant;
  if (conditions !== null && absence(lie?.(evidence, truth) ?? evidence, conditions).kind === 'absent') return true;
  if (presumed === undefined) return false;
  const whole = { ...evidence, notifications: notificationsOf(truth, evidence) };
  return presumption(lieOfNotifications?.(whole, truth) ?? whole, presumed).kind === 'presumed_absent';
}

/** ABSENT-5: an interval, from its request or announcement to its announced end. */
function isRestarted({ restarts }: World, { claimed }: Item, at: number): boolean {
  return restarts.some(({ knownFrom, knownUntil }) => knownFrom <= at && Math.max(knownFrom, knownUntil) >= claimed);
}

/** The data that a worker has from receipts and from the times of notifications are read from the world here. */
function notificationsOf({ world, attempt, at }: Truth, { accounted, attempt: { settledAtMs } }: AbsenceEvidence) {
  const own = world.items.filter(({ isOurs, stored, kind }) => isOurs && stored <= at && kind !== 'status');
  const isIn = ({ notified, isUnparsed }: Item): boolean => notified <= at && !isUnparsed;
  const came = own.filter(isIn).toSorted((one, other) => one.notified - other.notified || one.left - other.left);
  let latest = -NEVER;
  let isOutOfOrder = false;
  for (const { left } of came) {
    isOutOfOrder ||= left + 1_000 < latest;
    latest = Math.max(latest, left);
  }
  const successor = came.find(({ claimed, worker }) => claimed + world.clock[worker]! >= settledAtMs + CLOCK_MARGIN_MS);
  const isOff = (when: number): boolean =>
    world.notificationsOff !== null && when >= world.notificationsOff[0] && when < world.notificationsOff[1];
  const history: NotificationHistory = {
    hasUnexplained: world.items.some(
      (item) =>
        item.notified <= at &&
        item.notified >= attempt.claimed &&
        (item.isUnparsed || (!accounted.has(item.id) && !isSurelyAnotherChat(chatOf(attempt), chatOf(item)))),
    ),
    isOn: !isOff(attempt.claimed) && !isOff(at),
    wasAlwaysAuthorized: true,
    notifiedWithinDay: NOTIFIED_BEFORE + came.length,
    missingWithinDay: own.filter(
      (item) => !isIn(item) && item.how === 'released' && item.left + 2 * RETRY_INTERVAL_MS <= at,
    ).length,
    isOutOfOrder,
    isKindNotified: came.some(({ kind }) => kind === attempt.kind),
    ...(successor === undefined
      ? {}
      : {
          successor: {
            idMessage: successor.id,
            claimedAtMs: successor.claimed + world.clock[successor.worker]!,
            notifiedAtMs: successor.notified,
          },
        }),
  };
  return history;
}

function bodyOf({ content }: Item): string {
  return `content ${content}`;
}

function contentOf(item: Item): MessageContent {
  const body = bodyOf(item);
  if (item.kind === 'file') return { kind: 'file', url: 'http://files.test/a', fileName: body };
  return { kind: item.kind, text: body };
}
