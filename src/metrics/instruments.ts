import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Definition } from './definitions.js';

type LabelOf<Known extends Definition> = Known['labels'][number];

export function counterOf<Known extends Definition>(known: Known, registry: Registry): Counter<LabelOf<Known>> {
  return new Counter({ name: known.name, help: known.help, labelNames: [...known.labels], registers: [registry] });
}

export function gaugeOf<Known extends Definition>(known: Known, registry: Registry): Gauge<LabelOf<Known>> {
  return new Gauge({ name: known.name, help: known.help, labelNames: [...known.labels], registers: [registry] });
}

export function histogramOf<Known extends Definition>(
  known: Known,
  buckets: readonly number[],
  registry: Registry,
): Histogram<LabelOf<Known>> {
  const { name, help, labels } = known;
  return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] });
}
