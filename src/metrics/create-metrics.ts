/**
 * The metrics of a process, for Prometheus.
 *
 * METRICS-3 Labels are names of configured instances and words of fixed sets: never a chat id, a text, a URL, a token,
 *    a key or the path of a request. The number of series is bounded by the number of instances.
 * METRICS-4 Without the ledger or Temporal, a process still serves everything else, and reports which one is
 *    unavailable.
 */
import { Registry, collectDefaultMetrics } from 'prom-client';
import {
  AppError,
  ErrorNext,
  type ApiRequest,
  type Clock,
  type DeliveryAttempt,
  type ErrorCode,
  type InstanceDirectory,
  type MetricsText,
  WORKER_PARTS,
  type OperationName,
  type WorkerPart,
} from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import { PROCESS_METRICS, instrumentsOf } from './definitions.js';
import { createLedgerMetrics } from './ledger-metrics.js';
import { createTemporalMetrics, type WaitingTasks } from './temporal-metrics.js';

/** The longest time that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;
const LAG = 'nodejs_eventloop_lag_';
const UNSAMPLED_LAG = `${LAG}seconds`;

const NO_WORKER: WorkerMetrics = { missing: () => Promise.resolve(undefined), ofSdk: () => Promise.resolve('') };

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsDependencies {
  readonly ledger: Pick<Ledger, 'metrics'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  /** @throws AppError with `next` wait: Temporal is unavailable */
  readonly taskQueues: () => Promise<readonly WaitingTasks[]>;
  /** @default this process has no worker */
  readonly worker?: WorkerMetrics;
}

interface WorkerMetrics {
  /** What the worker of this process lacks, by part; undefined without a worker. */
  missing(): Promise<ReadonlyMap<WorkerPart, string> | undefined>;
  /** The metrics of Temporal's SDK as text; empty without them. */
  ofSdk(): Promise<string>;
}

export function createMetrics({ ledger, instances, clock, taskQueues, worker = NO_WORKER }: MetricsDependencies) {
  const ownRegistry = new Registry();
  const ledgerRegistry = new Registry();
  const temporalRegistry = new Registry();
  collectProcessMetrics(ownRegistry);
  const own = instrumentsOf(PROCESS_METRICS, ownRegistry);
  const ledgerMetrics = createLedgerMetrics(ledgerRegistry);
  const temporalMetrics = createTemporalMetrics(temporalRegistry);
  // It contains only metrics that are already registered.
  const all = Registry.merge([ownRegistry, ledgerRegistry, temporalRegistry]);

  const readLedger = () =>
    unlessAway(ledgerMetrics, async () => {
      const names = instances.names();
      ledgerMetrics.show(names, await ledger.metrics.read(names, clock.nowMs()));
    });
  async function readWorker(): Promise<void> {
    const missing = await worker.missing();
    if (missing === undefined) return;
    for (const part of WORKER_PARTS) own.workerReady.set({ part }, missing.has(part) ? 0 : 1);
  }
  const readTemporal = () => unlessAway(temporalMetrics, async () => temporalMetrics.show(await taskQueues()));

  return {
    gatewayCalled: (instance: string, operation: OperationName, outcome: ErrorCode | 'ok') =>
      own.gatewayRequests.inc({ everpost_instance: instance, operation, outcome }),
    gatewayExchanged: (operation: OperationName, durationMs: number) =>
      own.gatewayDuration.observe({ operation }, durationMs / 1_000),
    notificationReceived: (instance: string) => own.notificationsReceived.inc({ everpost_instance: instance }),
    deliveryAttempted: (instance: string, outcome: DeliveryAttempt) =>
      own.deliveries.inc({ everpost_instance: instance, outcome }),
    jobRan(job: string, outcome: 'worked' | 'failed', durationMs: number): void {
      own.jobRounds.inc({ everpost_job: job, outcome });
      own.jobSeconds.inc({ everpost_job: job }, durationMs / 1_000);
    },
    apiRequested({ method, route, status, durationMs }: ApiRequest): void {
      own.apiRequests.inc({ method, route, status });
      own.apiDuration.observe({ method, route }, durationMs / 1_000);
    },
    keyRateRefused: () => own.keyRateRefusals.inc(),
    /** The metrics that this process counts itself. */
    async ofProcess(): Promise<MetricsText> {
      await readWorker();
      return textOf(ownRegistry, await worker.ofSdk());
    },
    /** The same, and those of the ledger and of Temporal: one scraped process of several is enough. */
    async ofService(): Promise<MetricsText> {
      const [ofSdk] = await Promise.all([worker.ofSdk(), readLedger(), readTemporal(), readWorker()]);
      return textOf(all, ofSdk);
    },
  };
}

/** METRICS-4: hides the metrics of a server that is unavailable. */
async function unlessAway(metrics: { hide(): void }, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.next !== ErrorNext.wait) throw error;
    metrics.hide();
  }
}

async function textOf(registry: Registry, ofSdk: string): Promise<MetricsText> {
  return { contentType: registry.contentType, text: `${await registry.metrics()}${ofSdk}` };
}

/**
 * prom-client's own, without the seven that are sampled a hundred times a second: sampling took 0.4 % of a core of an
 * idle process. `nodejs_eventloop_lag_seconds` stays; it is measured when the metrics are read.
 */
function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of register.getMetricsAsArray())
    if (name.startsWith(LAG) && name !== UNSAMPLED_LAG) register.removeSingleMetric(name);
}
