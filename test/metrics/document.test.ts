/** docs/metrics.md: its tables have every metric, and its alert rules use existing metrics and labels. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { LEDGER_METRICS, PROCESS_METRICS, TEMPORAL_METRICS, type Definition } from '../../src/metrics/definitions.js';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const DOCUMENT = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
const DEFINED = new Map<string, Definition>(
  [LEDGER_METRICS, TEMPORAL_METRICS, PROCESS_METRICS]
    .flatMap((metrics) => Object.values<Definition>(metrics))
    .map((metric) => [metric.name, metric]),
);

function alertRules() {
  const [, block = ''] = /```yaml\n(groups:\n[\s\S]*?)```/.exec(DOCUMENT) ?? [];
  return (parse(block) as Rules).groups.flatMap(({ rules }) => rules);
}

/** A metric with the labels that a rule uses, e.g. `name{state="unresolved"}`. */
function asked(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b(everpost_\w+)(?:\{([^}]*)\})?/g)]
    .map(([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label),
    }))
    .filter(({ name }) => name !== 'everpost_instance');
}

it('docs/metrics.md has a row for every metric, with its type and labels, and no other', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `(everpost_\w+)`\s*\| (\w+)\s*\| (.*?)\s*\|/gm)];
  expect(rows.map(([, name]) => name)).toEqual([...DEFINED.keys()]);
  for (const [, name = '', type, labels] of rows) {
    const defined = DEFINED.get(name);
    expect([type, labels]).toEqual([defined?.type, defined?.labels.map((label) => `\`${label}\``).join(', ')]);
  }
});

it('docs/metrics.md has six alert rules with existing metrics and labels', () => {
  const rules = alertRules();
  expect(rules.map(({ alert }) => alert)).toHaveLength(6);
  for (const { alert, expr } of rules) {
    const metrics = asked(expr);
    expect(metrics, alert).not.toEqual([]);
    for (const { name, labels } of metrics) {
      expect([...DEFINED.keys()], `${alert} asks for ${name}`).toContain(name);
      expect(DEFINED.get(name)?.labels, `${alert} asks ${name} for its labels`).toEqual(expect.arrayContaining(labels));
    }
  }
});
