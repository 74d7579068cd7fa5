/**
 * Finds open runs whose workflow task or activity fails repeatedly. Only Temporal records them.
 *
 * Measured on Temporal's dev server 1.32: the server marks a run whose workflow task failed five times in a row with
 * the search attribute TemporalReportedProblems, about a minute after the first failure. It marks neither activities
 * nor newer failures: only the description of a run shows them. The doctor therefore describes the marked runs first,
 * then those with pending work, then those that only wait for receipts.
 */
import type { Client } from '@temporalio/client';
import { readPayload } from '../codec/index.js';
import {
  AppError,
  ERROR_NEXT,
  type EditId,
  type Finding,
  SEND_ACTIVITY_ID,
  TASK_QUEUE,
  dispatchTaskQueue,
  editActivityId,
  forEachConcurrently,
  isErrorCode,
} from '../contract/index.js';
import { noResponseFinding } from './finding.js';

/** Describing a run costs a request of a few milliseconds. */
const DESCRIBED_AT_MOST = 200;
const AT_ONCE = 10;
/** The number of runs that a finding names. */
const NAMED_RUNS = 3;

const WAITS_FOR_RECEIPTS = `EverpostState IN ('accepted', 'sent', 'delivered', 'read')`;
/** Queried in this order. */
const QUERIES = [
  'TemporalReportedProblems IS NOT NULL',
  `(EverpostState IS NULL OR NOT (${WAITS_FOR_RECEIPTS}))`,
  WAITS_FOR_RECEIPTS,
];

export async function checkRuns(client: Asked, ask: Ask, taskQueue: string = TASK_QUEUE): Promise<Finding[]> {
  const subject = 'runs';
  const open = `TaskQueue IN ('${taskQueue}', '${dispatchTaskQueue(taskQueue)}') AND ExecutionStatus = 'Running'`;
  const { namespace } = client.options;
  const service = client.workflowService;
  const runs = new Map<string, string>();
  for (const query of QUERIES) {
    const pageSize = DESCRIBED_AT_MOST - runs.size;
    if (pageSize <= 0) break;
    const page = await ask(() =>
      service.listWorkflowExecutions({ namespace, query: `${open} AND ${query}`, pageSize }),
    );
    if (page instanceof Error) return [noResponseFinding(subject, `which runs are open (${query})`, page)];
    for (const { execution } of page.executions) {
      if (execution?.workflowId && execution.runId) runs.set(execution.workflowId, execution.runId);
    }
  }
  const counted = await ask(() => service.countWorkflowExecutions({ namespace, query: open }));
  if (counted instanceof Error) return [noResponseFinding(subject, 'how many runs are open', counted)];

  const problems: RunProblem[] = [];
  const unanswered: Error[] = [];
  await forEachConcurrently(AT_ONCE, runs, async ([workflowId, runId]) => {
    const found = await describedProblems(client, { namespace, workflowId, runId }, ask);
    if (found instanceof Error) unanswered.push(found);
    else problems.push(...found);
  });
  const described = `${runs.size - unanswered.length} of ${Math.max(Number(counted.count), runs.size)} open runs were described`;
  const findings = problemFindings(problems);
  const [noResponse] = unanswered;
  if (noResponse !== undefined) {
    findings.push(noResponseFinding(subject, `the description of ${unanswered.length} open runs`, noResponse));
  }
  if (findings.length > 0) return [...findings, { subject, verdict: 'advice', found: described }];
  return [{ subject, verdict: 'ok', found: `${described}; none of their tasks or activities fails repeatedly` }];
}

/** Groups the problems: one finding for each failure. */
function problemFindings(problems: readonly RunProblem[]): Finding[] {
  const alike = new Map<string, [RunProblem, ...RunProblem[]]>();
  for (const problem of problems) {
    const key = `${problem.what} ${problem.type}`;
    const group = alike.get(key);
    if (group === undefined) alike.set(key, [problem]);
    else group.push(problem);
  }
  return [...alike.values()].map((group) => {
    const [{ what, type, message }] = group;
    const shown = group.slice(0, NAMED_RUNS).map(({ workflowId, failures, nextAt }) => {
      const next = nextAt === undefined ? 'is retried by Temporal' : `next try ${nextAt}`;
      return `${workflowId} failed ${failures} times, ${next}`;
    });
    const more = group.length > shown.length ? `, and ${group.length - shown.length} more runs` : '';
    // everpost recovers from these: it retries, or determines the outcome.
    const isExpectedToPass = isErrorCode(type) && (ERROR_NEXT[type] === 'wait' || ERROR_NEXT[type] === 'ask');
    return {
      subject: 'runs',
      verdict: isExpectedToPass ? 'advice' : 'broken',
      found: `${what} fails repeatedly with ${type} (${message}): ${shown.join(', ')}${more}`,
      remedy: remedyFor(group[0]),
    };
  });
}

function remedyFor({ workflowId, type, message, isTask }: RunProblem): string {
  if (message.includes('EVERPOST_ENCRYPTION_KEYS')) {
    return 'Nothing is lost: the run continues once its workers have that key. docs/privacy.md describes the rotation of keys.';
  }
  if (isErrorCode(type) && ERROR_NEXT[type] !== 'bug') return `docs/errors.md has the remedy for ${type}.`;
  const command = `temporal workflow describe --workflow-id ${workflowId}`;
  return isTask
    ? `The run continues once a worker runs a compatible version: deploy the one that started it, or a corrected one. See: ${command}`
    : `It is an error of everpost or of its environment; the worker's log shows it in full. See: ${command}`;
}

/** Sends a request to the server, with a limit of a few seconds. */
export type Ask = <Result>(question: () => Promise<Result>) => Promise<Result | Error>;

/** A task or activity of an open run that has failed several times in a row and is retried. */
interface RunProblem {
  readonly workflowId: string;
  /** `the workflow task`, or `activity sendText`. */
  readonly what: string;
  readonly isTask: boolean;
  /** The failure's type: a code of docs/errors.md, or the name of an error's class. */
  readonly type: string;
  readonly message: string;
  readonly failures: number;
  /** ISO UTC; absent while an attempt is under way. */
  readonly nextAt?: string;
}

type Asked = Pick<Client, 'workflowService' | 'options'>;
type Description = Awaited<ReturnType<Client['workflowService']['describeWorkflowExecution']>>;
type PendingActivity = NonNullable<Description['pendingActivities']>[number];
type Failure = NonNullable<PendingActivity['lastFailure']>;

interface Run {
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
}

/** Retries back off: five take at least half a minute. */
const ACTIVITY_FAILURES = 5;
/** A killed worker causes one failure. */
const TASK_FAILURES = 2;
const HISTORY_END = 20;
const SHOWN_CHARACTERS = 240;
const GRPC_NOT_FOUND = 5;

/** @returns an empty list for a run that has ended; the error if the server does not respond */
async function describedProblems(client: Asked, run: Run, ask: Ask): Promise<RunProblem[] | Error> {
  const { workflowService: service } = client;
  const { namespace, ...execution } = run;
  const { workflowId } = execution;
  const described = await ask(() => service.describeWorkflowExecution({ namespace, execution }));
  if (described instanceof Error) return isNotFound(described) ? [] : described;
  const problems: RunProblem[] = [];
  const taskFailures = (described.pendingWorkflowTask?.attempt ?? 1) - 1;
  if (taskFailures >= TASK_FAILURES) {
    const failure = await taskFailure(client, run, ask);
    problems.push({ ...failure, workflowId, what: 'the workflow task', isTask: true, failures: taskFailures });
  }
  for (const activity of described.pendingActivities ?? []) {
    const { activityId, activityType, lastFailure, nextAttemptScheduleTime } = activity;
    const failures = (activity.attempt ?? 1) - 1;
    // An activity that waits for its row for days has a try a day.
    const isWait = Boolean(lastFailure?.timeoutFailureInfo) && isAwaiting(activity);
    if (failures < ACTIVITY_FAILURES || !lastFailure || isWait) continue;
    const nextSeconds = nextAttemptScheduleTime?.seconds;
    problems.push({
      workflowId,
      what: `activity ${activityType?.name ?? activityId ?? ''}`,
      isTask: false,
      type: typeOf(lastFailure),
      message: await messageOf(client, lastFailure),
      failures,
      ...(nextSeconds ? { nextAt: new Date(Number(nextSeconds) * 1_000).toISOString() } : {}),
    });
  }
  return problems;
}

export function isNotFound(error: Error): boolean {
  return 'code' in error && error.code === GRPC_NOT_FOUND;
}

function isAwaiting({ activityId, activityType }: PendingActivity): boolean {
  const isOfEdit = activityId?.startsWith(editActivityId('' as EditId)) ?? false;
  return activityId === SEND_ACTIVITY_ID || isOfEdit || activityType?.name === 'waitForState';
}

/** Temporal records only the first failure in a row as an event, near the end of the history. */
async function taskFailure(client: Asked, run: Run, ask: Ask): Promise<Pick<RunProblem, 'type' | 'message'>> {
  const { namespace, ...execution } = run;
  const last = { namespace, execution, maximumPageSize: HISTORY_END };
  const response = await ask(() => client.workflowService.getWorkflowExecutionHistoryReverse(last));
  const events = response instanceof Error ? [] : (response.history?.events ?? []);
  const failure = events.find((event) => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes
    ?.failure;
  if (!failure) return { type: 'an unknown failure', message: 'its history does not show it' };
  return { type: typeOf(failure), message: await messageOf(client, failure) };
}

function typeOf({ applicationFailureInfo, timeoutFailureInfo, cause }: Failure): string {
  if (applicationFailureInfo?.type) return applicationFailureInfo.type;
  if (timeoutFailureInfo) return 'a timeout';
  return cause ? typeOf(cause) : 'an error';
}

/** With encryption, the message of a failure is a payload. */
async function messageOf({ options }: Asked, { message, encodedAttributes }: Failure): Promise<string> {
  if (!encodedAttributes) return shortened(message);
  try {
    const read = await readPayload<{ readonly message?: string }>(options.loadedDataConverter, encodedAttributes);
    return shortened(read.message);
  } catch (error) {
    if (error instanceof AppError) return `it is encrypted: ${error.message}`;
    throw error;
  }
}

function shortened(message: string | null | undefined): string {
  const [line = ''] = (message ?? '').split('\n');
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
