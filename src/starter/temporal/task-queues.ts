import type { Client } from '@temporalio/client';
import { TASK_QUEUE, dispatchTaskQueue, type DeploymentVersion } from '../../contract/index.js';
import { callTemporal, type TemporalAccess } from './temporal-call.js';

/** Temporal's protocol numbers. */
const TYPES = { workflow: 1, activity: 2 } as const;

/** What Temporal knows about the tasks of one type in one task queue. */
export interface TaskQueueReading {
  readonly taskQueue: string;
  readonly tasks: keyof typeof TYPES;
  /** When each worker polled last, in milliseconds since the epoch. Temporal lists a worker for some minutes. */
  readonly polledAtMs: readonly number[];
  /** About how many tasks wait for a worker, without those that wait for the worker that has their run in memory. */
  readonly waiting: number;
  /** About how long the oldest of them has waited; 0 without one. */
  readonly oldestAgeMs: number;
  /** The versions of workers that poll and get no tasks, since another version is the current one. */
  readonly idleVersions: readonly DeploymentVersion[];
}

/**
 * Reads the task queues of all everpost workers.
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export function readTaskQueues(access: TemporalAccess): Promise<TaskQueueReading[]> {
  const { client, taskQueue: own = TASK_QUEUE } = access;
  const { namespace } = client.options;
  const read = async (taskQueue: string, tasks: TaskQueueReading['tasks']): Promise<TaskQueueReading> => {
    const { pollers, stats, versioningInfo } = await client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TYPES[tasks],
      reportStats: true,
    });
    return {
      taskQueue,
      tasks,
      polledAtMs: pollers.map(({ lastAccessTime }) => msOf(lastAccessTime)),
      waiting: Number(stats?.approximateBacklogCount ?? 0),
      oldestAgeMs: msOf(stats?.approximateBacklogAge),
      idleVersions: idleVersionsOf(namespace, pollers, versioningInfo),
    };
  };
  const queues = [own, dispatchTaskQueue(own)];
  return callTemporal(access, 'reading of its task queues', () =>
    Promise.all(queues.flatMap((queue) => [read(queue, 'workflow'), read(queue, 'activity')])),
  );
}

/** Temporal's protocol number of a worker that takes only the tasks of its version. */
const VERSIONED = 2;

type Description = Awaited<ReturnType<Client['workflowService']['describeTaskQueue']>>;

function idleVersionsOf(
  namespace: string,
  pollers: Description['pollers'],
  serving: Description['versioningInfo'],
): DeploymentVersion[] {
  const served = [serving?.currentDeploymentVersion, serving?.rampingDeploymentVersion].map(
    (version) => `${version?.deploymentName}:${version?.buildId}`,
  );
  return pollers.flatMap(({ deploymentOptions }) => {
    const { workerVersioningMode: mode, deploymentName, buildId } = deploymentOptions ?? {};
    const isServed = served.includes(`${deploymentName}:${buildId}`);
    const isIdle = Number(mode) === VERSIONED && deploymentName && buildId && !isServed;
    return isIdle ? [{ namespace, deploymentName, buildId }] : [];
  });
}

function msOf(time: { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6;
}
