/** Whether workers take the tasks of Temporal, and whether the tasks wait for them. */
import type { Client } from '@temporalio/client';
import { TASK_QUEUE, dispatchTaskQueue, makeCurrentCommand, type Finding } from '../contract/index.js';
import { readTaskQueues, type TaskQueueReading } from '../starter/index.js';
import type { Ask } from './check-runs.js';
import { noResponseFinding } from './finding.js';

/** A worker's poll returns within a minute and is repeated immediately. The server lists a poller for longer. */
const POLLED_WITHIN_MS = 90_000;
/** No due message waits longer than this for its shift. */
const DISPATCH_WAITS_AT_MOST_MS = 15_000;
/** After a restart, the runs of thousands of messages wait for minutes, and delay nothing (TASKS-1, TASKS-2). */
const RUNS_WAIT_AT_MOST_MS = 60_000;

export async function checkTaskQueues(client: Client, ask: Ask, taskQueue: string = TASK_QUEUE): Promise<Finding[]> {
  const readings = await ask(() => readTaskQueues({ client, taskQueue }));
  if (readings instanceof Error) {
    return [noResponseFinding('worker', `which workers poll task queue "${taskQueue}"`, readings)];
  }
  const dispatchQueue = dispatchTaskQueue(taskQueue);
  const of = (queue: string) => readings.filter((reading) => reading.taskQueue === queue);
  return [
    ...queueFindings(of(dispatchQueue), {
      unpolled: 'messages are stored, and wait',
      waits: { longerThanMs: DISPATCH_WAITS_AT_MOST_MS, verdict: 'broken', effect: 'messages wait for them' },
    }),
    ...queueFindings(of(taskQueue), {
      unpolled: 'workflows wait, and so do messages that they send',
      waits: {
        longerThanMs: RUNS_WAIT_AT_MOST_MS,
        verdict: 'advice',
        effect: 'workflows show states late; messages over HTTP do not wait for them',
      },
    }),
  ];
}

interface Limits {
  readonly unpolled: string;
  readonly waits: { readonly longerThanMs: number; readonly verdict: 'broken' | 'advice'; readonly effect: string };
}

/** @param readings  of one task queue */
export function queueFindings(readings: readonly TaskQueueReading[], { unpolled, waits }: Limits): Finding[] {
  const subject = 'worker';
  const [{ taskQueue } = { taskQueue: '' }] = readings;
  const ofRuns = readings.filter(({ tasks }) => tasks === 'workflow').flatMap(({ polledAtMs }) => polledAtMs);
  const recent = ofRuns.filter((atMs) => Date.now() - atMs < POLLED_WITHIN_MS);
  if (recent.length === 0) {
    const last = ofRuns.length === 0 ? '' : `; the last poll was ${new Date(Math.max(...ofRuns)).toISOString()}`;
    const found = `no worker polls task queue "${taskQueue}": ${unpolled}${last}`;
    return [{ subject, verdict: 'broken', found, remedy: 'Start one: everpost worker (or everpost dev).' }];
  }
  // Temporal lists a worker for minutes after its end, so its version may be idle while another one seems to poll.
  const [idle] = readings.flatMap(({ idleVersions }) => idleVersions);
  const areAllIdle = readings.every(({ polledAtMs, idleVersions }) => idleVersions.length === polledAtMs.length);
  if (idle !== undefined && areAllIdle) {
    const found = `task queue "${taskQueue}" is polled by version ${idle.deploymentName}:${idle.buildId}, which is not the current one: ${unpolled}`;
    return [{ subject, verdict: 'broken', found, remedy: `Run: ${makeCurrentCommand(idle)}` }];
  }
  const oldestMs = Math.max(...readings.map(({ oldestAgeMs }) => oldestAgeMs));
  const waiting = readings.reduce((sum, reading) => sum + reading.waiting, 0);
  if (oldestMs > waits.longerThanMs) {
    const found = `about ${waiting} tasks wait in task queue "${taskQueue}", the oldest for ${Math.round(oldestMs / 1_000)} s: ${waits.effect}`;
    const ofIdle =
      idle && `If ${idle.deploymentName}:${idle.buildId} has to take them, run: ${makeCurrentCommand(idle)}`;
    const remedy =
      ofIdle ??
      'After a restart it passes by itself. If it grows, the workers are too few or too busy: start another one (everpost worker).';
    return [{ subject, verdict: waits.verdict, found, remedy }];
  }
  return [{ subject, verdict: 'ok', found: `${recent.length} polling task queue "${taskQueue}"` }];
}
