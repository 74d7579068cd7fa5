import { proxySinks, type Sinks } from '@temporalio/workflow';
import type { FaultPoint } from '../contract/index.js';

/**
 * How a workflow tells its worker of a fault point: outside of the history, and before what it decided is sent to the
 * server.
 */
export interface FaultPointSinks extends Sinks {
  faultPoints: { reached(point: FaultPoint): void };
}

export const { faultPoints } = proxySinks<FaultPointSinks>();
