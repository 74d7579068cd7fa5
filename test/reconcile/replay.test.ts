/**
 * The last questions of a chaos run to the rules (`everpost prove --kills 8 --messages 60 --seed 1`), and the rule that
 * decides each. The gateway accepted none of the open ones.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  LEAST_NOTIFIED,
  RESTART_WAIT_MS,
  RETRY_INTERVAL_MS,
  decide,
  type AccountedId,
  type Decision,
  type DecisionInput,
  type RecordedReading,
} from '../../src/domain/index.js';

interface Recorded {
  readonly question: Omit<DecisionInput, 'accounted'> & {
    readonly accounted: readonly (readonly [string, AccountedId])[];
  };
  readonly decided: Partial<Decision>;
}

const RECORDED = JSON.parse(readFileSync(new URL('recorded-questions.json', import.meta.url), 'utf8')) as Recorded[];
const CASES = RECORDED.map(({ question, decided }, place) => ({
  name: `${place + 1}: ${Object.values(decided).join(', ')}`,
  question: { ...question, accounted: new Map(question.accounted) } satisfies DecisionInput,
  decided,
}));
const OPEN = CASES.filter(({ decided }) => decided.kind === 'undecided');

test.each(CASES)('the rules decide question $name', ({ question, decided }) => {
  expect(decide(question)).toMatchObject(decided);
});

describe.each(OPEN)('question $name, open since the queue had drained,', ({ question }) => {
  const { settledAtMs } = question.attempt;
  const begunAtMs = settledAtMs + 3 * RETRY_INTERVAL_MS;
  const lastSequence = Math.max(...question.readings.map(({ sequence }) => sequence), question.attempt.claimSequence);
  const reading = (items: RecordedReading['items']): RecordedReading => ({
    sequence: lastSequence + 1,
    begunAtMs,
    endedAtMs: begunAtMs + 50,
    items,
  });
  const later = { ...question, nowMs: begunAtMs + 50 + RESTART_WAIT_MS };

  test('is proved absent by a message that was accepted before it and is still queued', () => {
    const older: AccountedId = { acceptedSequence: question.attempt.claimSequence - 1 };
    const kept = reading([{ ids: ['OLDER'], kind: 'text', chat: '15550000001@c.us' }]);
    const accounted = new Map([...question.accounted, ['OLDER', older] as const]);
    const { notifications: _, ...manual } = later;
    expect(decide({ ...manual, readings: [...question.readings, kept], longestListing: 4, accounted })).toMatchObject({
      kind: 'absent',
      link: ['OLDER'],
    });
  });

  test('is presumed absent on a day whose notifications are complete', () => {
    const notifications = {
      successor: { idMessage: 'AFTER', claimedAtMs: settledAtMs + 1_000, notifiedAtMs: settledAtMs + 2_000 },
      hasUnexplained: false,
      isOn: true,
      wasAlwaysAuthorized: true,
      notifiedWithinDay: LEAST_NOTIFIED,
      missingWithinDay: 0,
      isOutOfOrder: false,
      isKindNotified: true,
    };
    const readings = [...question.readings, reading([])];
    expect(decide({ ...later, readings, notifications })).toEqual({ kind: 'presumed_absent', successor: 'AFTER' });
    const few = { ...notifications, notifiedWithinDay: LEAST_NOTIFIED - 1 };
    expect(decide({ ...later, readings, notifications: few })).toMatchObject({
      notPresumed: 'notifications_incomplete',
    });
  });
});
