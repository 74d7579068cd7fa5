export { createMetrics, type Metrics } from './create-metrics.js';
export type { DeliveryAttempt } from './process-metrics.js';
