/**
 * What a process tells Prometheus.
 *
 * METRICS-3 Labels hold names of configured instances and words of fixed sets: never a chat id, a text, a URL, a token,
 *    a key or the path of a request. The number of series is bounded by the number of instances.
 * METRICS-4 Without the ledger a process still shows what it counted itself, and that the ledger is away.
 */
import { Registry, collectDefaultMetrics } from 'prom-client';
import { AppError, ErrorNext, type Clock, type InstanceDirectory, type MetricsText } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import { createLedgerMetrics } from './ledger-metrics.js';
import { createProcessMetrics, type ProcessMetrics } from './process-metrics.js';

export interface Metrics extends ProcessMetrics {
  /** What this process counted itself. */
  ofProcess(): Promise<MetricsText>;
  /** That, and what the ledger knows of all instances: one process of several is enough to tell it. */
  ofLedger(): Promise<MetricsText>;
}

export interface MetricsDependencies {
  readonly ledger: Pick<Ledger, 'metrics'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
}

export function createMetrics({ ledger, instances, clock }: MetricsDependencies): Metrics {
  const ownRegistry = new Registry();
  const ledgerRegistry = new Registry();
  collectDefaultMetrics({ register: ownRegistry });
  const processMetrics = createProcessMetrics(ownRegistry);
  const ledgerMetrics = createLedgerMetrics(ledgerRegistry);
  // It has the metrics that are there by now.
  const both = Registry.merge([ownRegistry, ledgerRegistry]);

  async function readLedger(): Promise<void> {
    const names = instances.names();
    try {
      ledgerMetrics.show(names, await ledger.metrics.read(names, clock.nowMs()));
    } catch (error) {
      if (!(error instanceof AppError) || error.next !== ErrorNext.wait) throw error;
      ledgerMetrics.hide();
    }
  }

  return {
    ...processMetrics,
    ofProcess: () => textOf(ownRegistry),
    async ofLedger() {
      await readLedger();
      return textOf(both);
    },
  };
}

async function textOf(registry: Registry): Promise<MetricsText> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}
