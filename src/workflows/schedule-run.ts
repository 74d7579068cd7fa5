/**
 * The workflow of one occurrence, started by Temporal's schedule or an operator. Its only activity creates the
 * campaign, and is retried until the campaign has started or the run is skipped.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import {
  isRecord,
  isScheduleId,
  type Problem,
  type ScheduleRunInput,
  type ScheduleRunResult,
} from '../contract/index.js';
import { occurring } from './activity-proxies.js';
import { failingAsItself, inObject, refuse, unknownFields, unless } from './refusals.js';

/** The time of the occurrence, which Temporal's schedule sets. */
const startTimeAttribute = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

export async function scheduleRun(input: ScheduleRunInput): Promise<ScheduleRunResult> {
  const at = isRecord(input) && input.at === undefined ? scheduledTime() : input.at;
  refuse('The run', checkRun(input, at));
  return failingAsItself(() => occurring.runSchedule({ scheduleId: input.scheduleId, at: at ?? '' }));
}

function scheduledTime(): string | undefined {
  return workflowInfo().typedSearchAttributes.get(startTimeAttribute)?.toISOString();
}

function checkRun(input: unknown, at: string | undefined): Problem[] {
  return inObject(input, ({ scheduleId, at: _, ...others }) => [
    ...unless(typeof scheduleId === 'string' && isScheduleId(scheduleId), 'scheduleId', 'is no id of a schedule'),
    ...unless(
      typeof at === 'string' && !Number.isNaN(Date.parse(at)),
      'at',
      'is no time, and no schedule of Temporal started the run',
    ),
    ...unknownFields(others),
  ]);
}
