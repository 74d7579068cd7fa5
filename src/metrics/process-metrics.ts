import type { Registry } from 'prom-client';
import type { ApiRequest, DeliveryAttempt, ErrorCode, OperationName } from '../contract/index.js';
import { PROCESS_METRICS } from './definitions.js';
import { counterOf, histogramOf } from './instruments.js';

/** A gateway answers in tenths of a second, and is given up after 15 seconds by default. */
const GATEWAY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30] as const;
/** The longest wait that a caller may ask for is a minute. */
const API_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60] as const;

/** Where the parts of a process report what they did. */
export interface ProcessMetrics {
  gatewayCalled(instance: string, operation: OperationName, outcome: ErrorCode | 'ok'): void;
  gatewayExchanged(operation: OperationName, durationMs: number): void;
  notificationReceived(instance: string): void;
  deliveryAttempted(instance: string, outcome: DeliveryAttempt): void;
  apiRequested(request: ApiRequest): void;
  keyRateRefused(): void;
}

export function createProcessMetrics(registry: Registry): ProcessMetrics {
  const gatewayRequests = counterOf(PROCESS_METRICS.gatewayRequests, registry);
  const gatewayDuration = histogramOf(PROCESS_METRICS.gatewayDuration, GATEWAY_SECONDS, registry);
  const notificationsReceived = counterOf(PROCESS_METRICS.notificationsReceived, registry);
  const deliveries = counterOf(PROCESS_METRICS.deliveries, registry);
  const apiRequests = counterOf(PROCESS_METRICS.apiRequests, registry);
  const apiDuration = histogramOf(PROCESS_METRICS.apiDuration, API_SECONDS, registry);
  const keyRateRefusals = counterOf(PROCESS_METRICS.keyRateRefusals, registry);
  return {
    gatewayCalled: (instance, operation, outcome) =>
      gatewayRequests.inc({ everpost_instance: instance, operation, outcome }),
    gatewayExchanged: (operation, durationMs) => gatewayDuration.observe({ operation }, durationMs / 1_000),
    notificationReceived: (instance) => notificationsReceived.inc({ everpost_instance: instance }),
    deliveryAttempted: (instance, outcome) => deliveries.inc({ everpost_instance: instance, outcome }),
    apiRequested({ method, route, status, durationMs }) {
      apiRequests.inc({ method, route, status });
      apiDuration.observe({ method, route }, durationMs / 1_000);
    },
    keyRateRefused: () => keyRateRefusals.inc(),
  };
}
