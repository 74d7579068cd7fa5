/**
 * The workflow of one occurrence, started by Temporal's schedule or an operator. Its only activity creates the
 * campaign or message, and is retried until that has ended or the run is skipped.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import {
  isRecord,
  isScheduleId,
  isSupportedTime,
  type ScheduleRunInput,
  type ScheduleRunResult,
} from '../contract/index.js';
import { occurring } from './activity-proxies.js';
import { checkFields, failingAsItself, refuse, required } from './refusals.js';
import { scheduleRunDetails, showInLists } from './web-ui.js';

/** The time of the occurrence, which Temporal's schedule sets. */
const startTimeAttribute = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

export async function scheduleRun(input: ScheduleRunInput): Promise<ScheduleRunResult> {
  const set = workflowInfo().typedSearchAttributes.get(startTimeAttribute)?.toISOString();
  const at = isRecord(input) ? (input.at ?? set ?? '') : '';
  refuse(
    'The run',
    checkFields(input, {
      scheduleId: required((id) => typeof id === 'string' && isScheduleId(id), 'is no id of a schedule'),
      at: required(
        () => typeof at === 'string' && isSupportedTime(Date.parse(at)),
        'is no time, and no schedule of Temporal started the run',
      ),
    }),
  );
  const { scheduleId } = input;
  setCurrentDetails(scheduleRunDetails(scheduleId, at, undefined));
  const result = await failingAsItself(() => occurring.runSchedule({ scheduleId, at }));
  showInLists({ EverpostState: result.state });
  setCurrentDetails(scheduleRunDetails(scheduleId, at, result));
  return result;
}
