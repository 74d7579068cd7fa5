import type { InjectedSinks } from '@temporalio/worker';
import type { ReachedFaultPoint } from '../contract/index.js';
import type { FaultPointSinks } from '../workflows/index.js';

/** Every worker has them, since a workflow cannot know whether a sink listens. A replay does not report again. */
export function faultPointSinks(reached?: ReachedFaultPoint): InjectedSinks<FaultPointSinks> {
  return { faultPoints: { reached: { fn: (_run, point) => reached?.(point), callDuringReplay: false } } };
}
