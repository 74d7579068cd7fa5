import { proxySinks, type Sinks } from '@temporalio/workflow';
import type { FaultPoint } from '../contract/index.js';

/**
 * How a workflow reports a fault point to its worker: outside of the history, and before its decisions are sent to the
 * server.
 */
export interface FaultPointSinks extends Sinks {
  faultPoints: { reached(point: FaultPoint): void };
}

export const { faultPoints } = proxySinks<FaultPointSinks>();
