/** The alert rules and the dashboard: they use metrics and labels that everpost exports. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, composeWith, readSource } from './compose-file.js';
import { DEFINED, OF_PROMETHEUS, check, used } from './exported-metrics.js';

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

const group = (parse(await readSource('deploy/prometheus/everpost.rules.yml')) as Rules).groups[0];
const rules = group?.rules ?? [];
const dashboard = JSON.parse(await readSource('deploy/grafana/everpost.json')) as { panels: readonly Panel[] };
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) => all.map((target) => ({ title, ...target })));

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
