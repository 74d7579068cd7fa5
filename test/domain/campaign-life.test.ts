import { describe, expect, it } from 'vitest';
import { CAMPAIGN_END_STATES, CAMPAIGN_STATES, type CampaignState } from '../../src/contract/index.js';
import { beginning, type BegunBy, CAMPAIGN_LIFE, type CampaignCommand, campaignEntry } from '../../src/domain/index.js';

const COMMANDS = Object.keys(CAMPAIGN_LIFE) as CampaignCommand[];
const OVER: readonly CampaignState[] = ['cancelling', ...CAMPAIGN_END_STATES];

/** `=`: the state stays; `~`: it is so already; `-`: ignored; `!`: refused. */
function cell(command: CampaignCommand, state: CampaignState): string {
  const entry = campaignEntry(command, state);
  if (entry === 'same') return '~';
  if (entry === 'ignored') return '-';
  return 'refused' in entry ? '!' : (entry.to ?? '=');
}

/** The states that may follow; none: the campaign was removed. */
function after(command: CampaignCommand, state: CampaignState): readonly CampaignState[] {
  const to = cell(command, state);
  if (to === 'removed') return [];
  if (to === 'ends') return [state, ...CAMPAIGN_END_STATES];
  if (to !== 'begins') return CAMPAIGN_STATES.filter((one) => one === (/^[=~!-]$/.test(to) ? state : to));
  if (command === 'startTimeCame') return ['running', 'paused', 'cancelling'];
  return ['running', 'scheduled'];
}

const pairs = CAMPAIGN_STATES.flatMap((state) => COMMANDS.map((command) => [state, command] as const));
const triples = pairs.flatMap(([state, first]) => COMMANDS.map((second) => [state, first, second] as const));

describe('the life of a campaign', () => {
  it('CAMPLIFE-1 has one row for each command, with an entry for each state', () => {
    const table = COMMANDS.map(
      (command) => `${command}: ${CAMPAIGN_STATES.map((state) => cell(command, state)).join(' ')}`,
    );
    expect([`states: ${CAMPAIGN_STATES.join(' ')}`, ...table]).toEqual([
      'states: draft scheduled running paused cancelling completed completed_with_failures cancelled expired',
      'define: = ! ! ! ! ! ! ! !',
      'delete: removed ! ! ! ! ! ! removed !',
      'start: begins ~ ~ ~ ! ~ ~ ! ~',
      'pause: ! paused paused ~ ! ! ! ! !',
      'resume: ! ~ ~ begins ! ! ! ! !',
      'cancel: cancelled cancelling cancelling cancelling ~ ! ! ~ !',
      'update: = = = = = = = = =',
      'reschedule: = = ! = ! ! ! ! !',
      'retry: ! = = = begins begins begins begins begins',
      'amend: ! = = = = = = = =',
      'amendAndStop: ! cancelling cancelling cancelling = = = = =',
      'startTimeCame: - begins - - - - - - -',
      'tooManyFailures: - - paused - - - - - -',
      'lastEnded: - - ends ends ends - - - -',
      'pendingAgain: - - - - - running running - running',
    ]);
  });

  it('CAMPLIFE-2 is not changed by the same command a second time, and does not refuse it', () => {
    const repeated = triples.filter(([state, first, second]) => first === second && cell(first, state) !== '!');
    for (const [state, command] of repeated) {
      for (const next of after(command, state)) {
        expect([state, command, next, cell(command, next)]).not.toContain('!');
        if (next !== state) expect(after(command, next)).toContain(next);
      }
    }
    expect(repeated).toHaveLength(94);
  });

  it('CAMPLIFE-3 comes from a state in which nothing was posted only by a beginning', () => {
    const unbegun = pairs.filter(([state]) => state === 'draft' || state === 'scheduled');
    const begun = unbegun.filter(
      ([state, command]) => after(command, state).includes('running') && cell(command, state) !== '=',
    );
    expect(begun.map(([state, command]) => `${state} ${command} ${cell(command, state)}`)).toEqual([
      'draft start begins',
      'scheduled startTimeCame begins',
    ]);
  });

  it('CAMPLIFE-4 comes back from its end by a retry or a recipient who is pending again, in any two commands', () => {
    const back = triples.flatMap(([state, first, second]) =>
      after(first, state)
        .filter((between) => OVER.includes(between) && after(second, between).some((next) => !OVER.includes(next)))
        .map(() => second),
    );
    expect(new Set(back)).toEqual(new Set(['retry', 'pendingAgain']));
    const cancelled = COMMANDS.filter((command) =>
      (['cancelling', 'cancelled'] as const).some((state) =>
        after(command, state).some((next) => !OVER.includes(next)),
      ),
    );
    expect(cancelled).toEqual(['retry']);
  });

  it('never becomes a draft again, in any two commands', () => {
    const again = triples.filter(([state, first, second]) =>
      after(first, state).some((between) => between !== 'draft' && after(second, between).includes('draft')),
    );
    expect([triples.length, again]).toEqual([2025, []]);
  });
});

const HOUR = 60 * 60_000;
const NOW = Date.parse('2026-03-01T10:00:00Z');
const at = (ms: number) => new Date(ms);

describe('the beginning of a campaign', () => {
  const facts = { startAt: null, deadlineAt: null };
  const start = { ...facts, startAt: at(NOW) };

  it.each([
    ['without a start time', facts, NOW, 'running'],
    ['before its start time', start, NOW - 1, 'scheduled'],
    ['within its grace time', start, NOW + HOUR, 'running'],
  ] as const)('is the same by every command: %s', (_, given, nowMs, to) => {
    for (const by of ['request', 'time', 'again'] as const) {
      expect(beginning(given, by, nowMs)).toEqual({ to, isMissed: false });
    }
  });

  it('is refused after its grace time for a start, and happens when an operator resumes or retries it', () => {
    expect(beginning(start, 'request', NOW + HOUR + 1)).toMatchObject({ path: 'startAt' });
    expect(beginning(start, 'again', NOW + HOUR + 1)).toEqual({ to: 'running', isMissed: false });
  });

  it.each([
    ['run', 'running'],
    ['skip', 'cancelling'],
    ['hold', 'paused'],
  ] as const)('is what the definition says after its grace time: %s', (missedStart, to) => {
    expect(beginning({ ...start, missedStart }, 'time', NOW + HOUR + 1)).toEqual({ to, isMissed: true });
  });

  it('is refused to an operator if its deadline leaves no time', () => {
    const tight = { startAt: at(NOW + HOUR), deadlineAt: at(NOW + HOUR) };
    for (const by of ['request', 'again'] satisfies BegunBy[]) {
      expect(beginning(tight, by, NOW)).toEqual({ path: 'deadline', message: 'is not after the start' });
      expect(beginning(tight, by, NOW + HOUR)).toEqual({ path: 'deadline', message: 'has passed' });
    }
    expect(beginning({ ...tight, deadlineAt: at(NOW + HOUR + 1) }, 'again', NOW)).toMatchObject({ to: 'scheduled' });
  });
});
