import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Definition } from './definitions.js';

type InstrumentOf<Known extends Definition> = Known['type'] extends 'counter'
  ? Counter<Known['labels'][number]>
  : Known['type'] extends 'gauge'
    ? Gauge<Known['labels'][number]>
    : Histogram<Known['labels'][number]>;

/** Registers every metric of a table, under its key. */
export function instrumentsOf<Known extends Readonly<Record<string, Definition>>>(
  definitions: Known,
  registry: Registry,
): { readonly [Key in keyof Known]: InstrumentOf<Known[Key]> } {
  const made = Object.entries(definitions).map(([key, definition]) => [key, instrumentOf(definition, registry)]);
  return Object.fromEntries(made) as { readonly [Key in keyof Known]: InstrumentOf<Known[Key]> };
}

function instrumentOf({ name, type, labels, help, buckets = [] }: Definition, registry: Registry) {
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  switch (type) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return new Gauge(options);
    case 'histogram':
      return new Histogram({ ...options, buckets: [...buckets] });
  }
}
