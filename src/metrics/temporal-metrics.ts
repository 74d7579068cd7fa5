import type { Registry } from 'prom-client';
import { TEMPORAL_METRICS, instrumentsOf } from './definitions.js';

/** The tasks of one type in one of Temporal's task queues. */
export interface WaitingTasks {
  readonly taskQueue: string;
  readonly tasks: 'workflow' | 'activity';
  readonly waiting: number;
  readonly oldestAgeMs: number;
}

export function createTemporalMetrics(registry: Registry) {
  const { up, waiting, oldestAge } = instrumentsOf(TEMPORAL_METRICS, registry);
  return {
    show(queues: readonly WaitingTasks[]): void {
      up.set(1);
      for (const queue of queues) {
        const of = { task_queue: queue.taskQueue, tasks: queue.tasks };
        waiting.set(of, queue.waiting);
        oldestAge.set(of, queue.oldestAgeMs / 1_000);
      }
    },
    /** Removes the numbers that could not be read, so that no stale number is served. */
    hide(): void {
      up.set(0);
      waiting.reset();
      oldestAge.reset();
    },
  };
}
