import type { Client } from '@temporalio/client';
import { readPayload } from '../../codec/index.js';
import { AppError } from '../../contract/index.js';

/** Sends a request to the server, with a limit of a few seconds. */
export type Ask = <Result>(question: () => Promise<Result>) => Promise<Result | Error>;

/** A task or activity of an open run that has failed several times in a row and is retried. */
export interface RunProblem {
  readonly workflowId: string;
  /** `the workflow task`, or `activity sendText`. */
  readonly what: string;
  readonly isTask: boolean;
  /** The failure's type: a code of docs/errors.md, or the name of an error's class. */
  readonly type: string;
  readonly message: string;
  readonly failures: number;
  /** ISO UTC; absent while a try is under way. */
  readonly nextAt?: string;
}

export type Asked = Pick<Client, 'workflowService' | 'options'>;
type WorkflowService = Client['workflowService'];
type Description = Awaited<ReturnType<WorkflowService['describeWorkflowExecution']>>;
type PendingActivity = NonNullable<Description['pendingActivities']>[number];
type Failure = NonNullable<PendingActivity['lastFailure']>;

interface Run {
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
}

/** Retries back off: five take at least half a minute. */
const ACTIVITY_FAILURES = 5;
/** One failure may be a killed worker's. */
const TASK_FAILURES = 2;
const HISTORY_END = 20;
const SHOWN_CHARACTERS = 240;
const GRPC_NOT_FOUND = 5;

/** @returns nothing for a run that has ended meanwhile; the error when the server does not answer */
export async function describedProblems(client: Asked, run: Run, ask: Ask): Promise<RunProblem[] | Error> {
  const { workflowService: service } = client;
  const { namespace, workflowId, runId } = run;
  const described = await ask(() => service.describeWorkflowExecution({ namespace, execution: { workflowId, runId } }));
  if (described instanceof Error) return hasEnded(described) ? [] : described;
  const problems: RunProblem[] = [];
  for (const activity of described.pendingActivities ?? []) {
    problems.push(...(await activityProblem(client, workflowId, activity)));
  }
  const failures = (described.pendingWorkflowTask?.attempt ?? 1) - 1;
  if (failures < TASK_FAILURES) return problems;
  return [
    { ...(await taskFailure(client, run, ask)), workflowId, what: 'the workflow task', isTask: true, failures },
    ...problems,
  ];
}

function hasEnded(error: Error): boolean {
  return 'code' in error && error.code === GRPC_NOT_FOUND;
}

async function activityProblem(client: Asked, workflowId: string, activity: PendingActivity): Promise<RunProblem[]> {
  const failures = (activity.attempt ?? 1) - 1;
  const { lastFailure, nextAttemptScheduleTime } = activity;
  if (failures < ACTIVITY_FAILURES || !lastFailure) return [];
  const nextSeconds = nextAttemptScheduleTime?.seconds;
  return [
    {
      workflowId,
      what: `activity ${activity.activityType?.name ?? activity.activityId ?? ''}`,
      isTask: false,
      type: typeOf(lastFailure),
      message: await messageOf(client, lastFailure),
      failures,
      ...(nextSeconds ? { nextAt: new Date(Number(nextSeconds) * 1_000).toISOString() } : {}),
    },
  ];
}

/** Only the first failure in a row is an event, among the last of the history. */
async function taskFailure(client: Asked, run: Run, ask: Ask): Promise<Pick<RunProblem, 'type' | 'message'>> {
  const { namespace, workflowId, runId } = run;
  const response = await ask(() =>
    client.workflowService.getWorkflowExecutionHistoryReverse({
      namespace,
      execution: { workflowId, runId },
      maximumPageSize: HISTORY_END,
    }),
  );
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

/** With encryption the message of a failure is a payload. */
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
