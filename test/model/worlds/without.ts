/**
 * The rules without one condition each. A separate condition is left out of the list; a part of a condition is disabled
 * by false input, so that the code under test is unchanged.
 */
import {
  ABSENCE_CONDITIONS,
  CLOCK_MARGIN_MS,
  PRESUMPTION_CONDITIONS,
  RETRY_INTERVAL_MS,
  RESTART_WAIT_MS,
  type AbsenceEvidence,
  type ListedItem,
} from '../../../src/domain/index.js';
import { PRESUME, type Truth, type Variant } from './verdicts.js';
import { NEVER, settledAt } from './world.js';

const MARKER = 'no-such-message';

function withoutCondition(rule: string, more: Partial<Variant> = {}): Variant {
  return { name: rule, absence: ABSENCE_CONDITIONS.filter((condition) => condition.rule !== rule), ...more };
}

function withLie(name: string, lie: NonNullable<Variant['lie']>, more: Partial<Variant> = {}): Variant {
  return { name, lie, ...more };
}

/** Applies this to the items of every reading. */
function shown(evidence: AbsenceEvidence, as: (item: ListedItem) => ListedItem): AbsenceEvidence {
  const readings = evidence.readings.map((reading) => ({ ...reading, items: reading.items.map(as) }));
  return { ...evidence, readings };
}

const NOT_OURS = { kind: 'other' } as const;

/** A body that differs is claimed to be another message. Only the truth has the bodies of listed items. */
function onlyEqualBodies(evidence: AbsenceEvidence, { world, attempt }: Truth): AbsenceEvidence {
  const equal = new Set(
    world.items
      .filter(({ content, isReworded }) => content === attempt.content && !isReworded)
      .map(({ listed }) => listed),
  );
  return shown(evidence, (item) => (equal.has(item) ? item : { ...item, ...NOT_OURS }));
}

/** As first designed: a listing is complete when it shows our youngest id that has not been notified. */
function completeByYoungest(evidence: AbsenceEvidence, { world, at }: Truth): AbsenceEvidence {
  const own = world.items.filter(({ stored, notified }) => stored <= at && notified > at);
  const youngest = own.toSorted((one, other) => other.claimed - one.claimed)[0];
  const known = youngest && evidence.accounted.get(youngest.id)?.byResponse;
  if (youngest === undefined || known === undefined) return evidence;
  const byResponse = { ...known, claimedAtMs: NEVER };
  return {
    ...evidence,
    accounted: new Map([...evidence.accounted, [youngest.id, { ...evidence.accounted.get(youngest.id), byResponse }]]),
  };
}

export const ABSENCE_WITHOUT: readonly Variant[] = [
  withoutCondition('ABSENT-1'),
  withoutCondition('ABSENT-2', { asksEarly: true }),
  withLie(
    'ABSENT-2 margin for clocks',
    (evidence) => {
      const { attempt } = evidence;
      return { ...evidence, attempt: { ...attempt, settledAtMs: attempt.settledAtMs - CLOCK_MARGIN_MS } };
    },
    { asksEarly: true },
  ),
  withoutCondition('ABSENT-3'),
  withLie('ABSENT-3 as designed', completeByYoungest),
  withoutCondition('ABSENT-4'),
  withLie('ABSENT-4 whatever its body', onlyEqualBodies),
  withLie('ABSENT-4 a kind that we cannot read', (evidence) =>
    shown(evidence, (item) => (item.kind === 'unrecognised' ? { ...item, ...NOT_OURS } : item)),
  ),
  withLie('ABSENT-4 an item without an id', (evidence) =>
    shown(evidence, (item) => (item.ids.length === 0 ? { ...item, ...NOT_OURS } : item)),
  ),
  withLie('ABSENT-4 another form of chat', (evidence) =>
    shown(evidence, (item) => (item.chat.endsWith('@lid') ? { ...item, ...NOT_OURS } : item)),
  ),
  withoutCondition('ABSENT-5'),
  withLie('ABSENT-5 an interval, not a moment', (evidence, { world, attempt, at }) => ({
    ...evidence,
    isRestarted: world.restarts.some(({ knownFrom }) => knownFrom <= at && knownFrom >= attempt.claimed),
  })),
  // The wait is over at once, and restarts are checked at that moment.
  withLie('ABSENT-6', (evidence, { world, attempt, at }) => ({
    ...evidence,
    isRestarted: world.restarts.some(
      ({ knownFrom, knownUntil }) =>
        knownFrom <= at - RESTART_WAIT_MS - CLOCK_MARGIN_MS && Math.max(knownFrom, knownUntil) >= attempt.claimed,
    ),
  })),
  { name: 'ABSENT-7', comparesAndSets: false },
  withLie('PRECEDE-1 before the claim', (evidence) => ({
    ...evidence,
    accounted: new Map([...evidence.accounted].map(([id]) => [id, { acceptedSequence: -NEVER }])),
  })),
  withLie('PRECEDE-2 up to the first possible item', (evidence) => ({
    ...evidence,
    readings: evidence.readings.map((reading, place) =>
      place < evidence.readings.length - 1
        ? { ...reading, sequence: Math.min(reading.sequence, evidence.attempt.claimSequence - 1) }
        : reading,
    ),
  })),
  withLie('PRECEDE-3', (evidence) => ({
    ...evidence,
    accounted: new Map([...evidence.accounted, [MARKER, { acceptedSequence: -NEVER }]]),
    readings: evidence.readings.map((reading) => ({
      ...reading,
      items: [{ ids: [MARKER], kind: 'other', chat: '' }, ...reading.items],
    })),
  })),
  withoutCondition('PRECEDE-4'),
  {
    name: 'PRECEDE-4 and ABSENT-5',
    absence: ABSENCE_CONDITIONS.filter(({ rule }) => rule !== 'PRECEDE-4' && rule !== 'ABSENT-5'),
  },
];

export const PRESUMPTION_WITHOUT: readonly Variant[] = [
  ...PRESUMPTION_CONDITIONS.filter(({ rule }) => rule !== 'PRESUME-2').map(({ rule }): Variant => ({
    ...PRESUME,
    name: rule,
    presumption: PRESUMPTION_CONDITIONS.filter((condition) => condition.rule !== rule),
  })),
  // PRESUME-3 waits for it as well.
  {
    ...PRESUME,
    name: 'PRESUME-2',
    lieOfNotifications: (evidence) => {
      const { successor } = evidence.notifications;
      if (successor === undefined) return evidence;
      const notifiedAtMs = successor.notifiedAtMs - 2 * RETRY_INTERVAL_MS;
      return { ...evidence, notifications: { ...evidence.notifications, successor: { ...successor, notifiedAtMs } } };
    },
  },
  {
    ...PRESUME,
    name: 'PRESUME-1 claimed after the attempt was settled',
    presumption: PRESUMPTION_CONDITIONS,
    lieOfNotifications: (evidence, { world, attempt, at }) => {
      const before = world.items.find(
        ({ isOurs, claimed, stored, notified }) =>
          isOurs && claimed > attempt.claimed && stored <= at && notified <= at,
      );
      if (before === undefined) return evidence;
      const claimedAtMs = settledAt(attempt) + world.clock[attempt.worker]! + CLOCK_MARGIN_MS;
      const successor = { idMessage: before.id, claimedAtMs, notifiedAtMs: before.notified };
      return { ...evidence, notifications: { ...evidence.notifications, successor } };
    },
  },
];
