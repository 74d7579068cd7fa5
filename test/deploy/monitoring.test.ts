/** The alert rules and the dashboard: they use metrics and labels that everpost exports. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LEDGER_METRICS, PROCESS_METRICS, TEMPORAL_METRICS, type Definition } from '../../src/metrics/definitions.js';
import { ROOT, composeWith, readSource } from './compose-file.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Rules {
  readonly groups: readonly { readonly interval: string; readonly rules: readonly Rule[] }[];
}
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const DEFINED = new Map<string, Definition>(
  [LEDGER_METRICS, TEMPORAL_METRICS, PROCESS_METRICS]
    .flatMap((metrics) => Object.values<Definition>(metrics))
    .flatMap((metric) => [
      [metric.name, metric] as const,
      ...(metric.type === 'histogram' ? [[`${metric.name}_bucket`, metric] as const] : []),
    ]),
);
/** Prometheus adds them to what it scrapes; `le` is a histogram's. */
const OF_PROMETHEUS = ['job', 'instance', 'le'];
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

const group = (parse(await readSource('deploy/prometheus/everpost.rules.yml')) as Rules).groups[0];
const rules = group?.rules ?? [];
const dashboard = JSON.parse(await readSource('deploy/grafana/everpost.json')) as { panels: readonly Panel[] };
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) => all.map((target) => ({ title, ...target })));

/** Every metric of an expression with the labels that it selects by. */
function used(expr: string): { readonly name: string; readonly labels: readonly string[] }[] {
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

function check(where: string, expr: string, text: string): void {
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

describe('the alert rules', () => {
  it.each(rules)('$alert uses metrics and labels that are exported', ({ alert, expr, annotations, labels }) => {
    check(alert, expr, annotations.summary);
    expect(labels.severity).toMatch(/^(critical|warning)$/);
  });

  it('are evaluated so often that a missing worker is noticed within two minutes', async () => {
    const prometheus = parse(await readSource('deploy/prometheus/prometheus.yml')) as {
      global: { scrape_interval: string };
      rule_files: string[];
    };
    expect([group?.interval, prometheus.global.scrape_interval]).toEqual(['15s', '15s']);
    expect(prometheus.rule_files).toEqual(['everpost.rules.yml']);
  });

  it('have a test of promtool each, and a row in docs/metrics.md', async () => {
    const names = rules.map(({ alert }) => alert);
    expect(names.length).toBeGreaterThan(10);
    const tests = await readSource('deploy/prometheus/everpost.rules.test.yml');
    const fired = [...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name = '']) => name);
    expect([...new Set(fired)].toSorted()).toEqual(names.toSorted());
    const document = await readSource('docs/metrics.md');
    expect([...document.matchAll(/^\| `(Everpost\w+)`/gm)].map(([, name]) => name)).toEqual(names);
  });

  it('are scraped from the ports of compose', async () => {
    const { services } = await composeWith();
    const config = await readSource('deploy/prometheus/prometheus.yml');
    expect(config).toContain(`api:${services['api']?.environment?.['EVERPOST_HTTP_PORT']}`);
    expect(config).toContain(`port: ${services['worker']?.environment?.['EVERPOST_METRICS_PORT']},`);
  });

  const promtool = versionOf('promtool');
  it.skipIf(promtool === undefined)(
    `pass promtool's check and tests${promtool === undefined ? ' (promtool is not on PATH: go install github.com/prometheus/prometheus/cmd/promtool@v0.316.0)' : ''}`,
    () => {
      const cwd = `${ROOT}/deploy/prometheus`;
      expect(execFileSync('promtool', ['check', 'rules', 'everpost.rules.yml'], { cwd, encoding: 'utf8' })).toContain(
        `SUCCESS: ${rules.length} rules found`,
      );
      expect(
        execFileSync('promtool', ['test', 'rules', 'everpost.rules.test.yml'], { cwd, encoding: 'utf8' }),
      ).toContain('SUCCESS');
    },
  );
});

describe('the dashboard', () => {
  it.each(targets)('$title uses metrics and labels that are exported: $expr', ({ title, expr, legendFormat }) => {
    check(title, expr, legendFormat);
  });

  it('shows every metric of everpost', () => {
    const names = targets.flatMap(({ expr }) => used(expr).map(({ name }) => name.replace(/_bucket$/, '')));
    expect([...new Set(names)].filter((name) => name.startsWith('everpost_')).toSorted()).toEqual(
      [...new Set([...DEFINED.values()].map(({ name }) => name))].toSorted(),
    );
  });
});

it("no metric has a label that Prometheus overwrites with the scraped process's own", () => {
  for (const { name, labels } of DEFINED.values()) {
    expect(
      labels.filter((label) => OF_PROMETHEUS.includes(label)),
      name,
    ).toEqual([]);
  }
});

function versionOf(program: string): string | undefined {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
