/** Which metrics and labels an expression of Prometheus may use: those that everpost exports, and a few of others. */
import { expect } from 'vitest';
import { LEDGER_METRICS, PROCESS_METRICS, TEMPORAL_METRICS, type Definition } from '../../src/metrics/definitions.js';

export const DEFINED = new Map<string, Definition>(
  [LEDGER_METRICS, TEMPORAL_METRICS, PROCESS_METRICS]
    .flatMap((metrics) => Object.values<Definition>(metrics))
    .flatMap((metric) => [
      [metric.name, metric] as const,
      ...(metric.type === 'histogram' ? [[`${metric.name}_bucket`, metric] as const] : []),
    ]),
);
/** Prometheus adds them to what it scrapes; `le` is a histogram's. */
export const OF_PROMETHEUS = ['job', 'instance', 'le'];
/** Metrics that everpost does not define: of Prometheus, of prom-client and of Temporal's SDK, with their labels. */
const OTHERS = new Map<string, readonly string[]>([
  ['up', []],
  ['process_cpu_seconds_total', []],
  ['process_resident_memory_bytes', []],
  ['nodejs_eventloop_lag_seconds', []],
  ['temporal_workflow_task_schedule_to_start_latency_seconds_bucket', ['task_queue']],
  ['temporal_activity_schedule_to_start_latency_seconds_bucket', ['task_queue']],
  ['temporal_activity_execution_failed_total', ['activity_type']],
  ['temporal_worker_task_slots_available', ['task_queue', 'worker_type']],
]);

/** Every metric of an expression with the labels that it selects by. */
export function used(expr: string): { readonly name: string; readonly labels: readonly string[] }[] {
  const withoutGroups = expr.replaceAll(/\bby \([^)]*\)/g, '');
  return [...withoutGroups.matchAll(/\b((?:everpost|process|nodejs|temporal)_\w+|up)\b(?!=)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label),
    }),
  );
}

/** Every label by which an expression groups, or that a legend or summary shows. */
function shown(expr: string, text: string): string[] {
  const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, */));
  const inText = [...text.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)].map(([, label = '']) => label);
  return [...groups, ...inText];
}

/** Fails if the expression, or a text that shows labels of it, uses what is not exported. */
export function check(where: string, expr: string, text: string): void {
  const metrics = used(expr);
  expect(metrics, where).not.toEqual([]);
  for (const { name, labels } of metrics) {
    if (OTHERS.has(name)) continue;
    expect([...DEFINED.keys()], `${where} uses ${name}`).toContain(name);
    const known = [...(DEFINED.get(name)?.labels ?? []), ...OF_PROMETHEUS];
    expect(known, `${where}: labels of ${name}`).toEqual(expect.arrayContaining([...labels]));
  }
  const ofMetrics = metrics.flatMap(({ name }) => OTHERS.get(name) ?? DEFINED.get(name)?.labels ?? []);
  const known = [...ofMetrics, ...OF_PROMETHEUS];
  expect(known, `${where}: what it groups by and shows`).toEqual(expect.arrayContaining(shown(expr, text)));
}
