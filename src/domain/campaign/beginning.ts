/** When a campaign begins, for all that begins one (CAMPLIFE-3). */
import {
  DEFAULT_GRACE_TIME,
  DEFAULT_MISSED_START,
  parseDurationMs,
  type MissedStart,
  type Problem,
} from '../../contract/index.js';

/** `request`: an operator starts it. `time`: its start time came. `again`: an operator resumes or retries it. */
export type BegunBy = 'request' | 'time' | 'again';

export interface BeginningFacts {
  readonly startAt: Date | null;
  readonly deadlineAt: Date | null;
  readonly missedStart?: MissedStart | undefined;
  readonly graceTime?: string | undefined;
}

export interface Beginning {
  /** `paused`: it waits for an operator. `cancelling`: it is skipped. */
  readonly to: 'running' | 'scheduled' | 'paused' | 'cancelling';
  /** Whether it is later than its grace time. */
  readonly isMissed: boolean;
}

const MISSED = { run: 'running', skip: 'cancelling', hold: 'paused' } as const satisfies Record<MissedStart, string>;

/** @returns the problem if an operator has to change something first */
export function beginning(facts: BeginningFacts, by: BegunBy, nowMs: number): Beginning | Problem {
  const { startAt, deadlineAt, missedStart = DEFAULT_MISSED_START, graceTime = DEFAULT_GRACE_TIME } = facts;
  const startMs = startAt?.getTime() ?? nowMs;
  const isLate = startAt !== null && startMs + parseDurationMs(graceTime) < nowMs;
  if (by === 'request' && isLate)
    return { path: 'startAt', message: "has passed by more than the campaign's grace time" };
  if (by !== 'time' && deadlineAt !== null && deadlineAt.getTime() <= Math.max(startMs, nowMs)) {
    return { path: 'deadline', message: deadlineAt.getTime() <= nowMs ? 'has passed' : 'is not after the start' };
  }
  if (startMs > nowMs) return { to: 'scheduled', isMissed: false };
  if (by !== 'time' || !isLate) return { to: 'running', isMissed: false };
  return { to: MISSED[missedStart], isMissed: true };
}
