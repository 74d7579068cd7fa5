/** What callers know of their schedules. */
import type { ScheduleId } from '../../../../src/contract/index.js';
import type { Since } from '../campaigns/reference.js';

export interface ModelSchedule {
  readonly id: ScheduleId;
  readonly name: string;
  readonly instance: string;
  readonly sends: 'campaign' | 'message';
  readonly catchupMs: number;
  /** Versions of its text; undefined while it is deleted. */
  readonly texts: readonly Since<number | undefined>[];
}
