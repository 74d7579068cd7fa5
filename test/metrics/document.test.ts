/** docs/metrics.md: its tables have every metric. test/deploy/monitoring.test.ts has the alert rules. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LEDGER_METRICS, PROCESS_METRICS, TEMPORAL_METRICS, type Definition } from '../../src/metrics/definitions.js';

const DOCUMENT = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
const DEFINED = new Map<string, Definition>(
  [LEDGER_METRICS, TEMPORAL_METRICS, PROCESS_METRICS]
    .flatMap((metrics) => Object.values<Definition>(metrics))
    .map((metric) => [metric.name, metric]),
);

it('docs/metrics.md has a row for every metric, with its type and labels, and no other', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `(everpost_\w+)`\s*\| (\w+)\s*\| (.*?)\s*\|/gm)];
  expect(rows.map(([, name]) => name)).toEqual([...DEFINED.keys()]);
  for (const [, name = '', type, labels] of rows) {
    const defined = DEFINED.get(name);
    expect([type, labels]).toEqual([defined?.type, defined?.labels.map((label) => `\`${label}\``).join(', ')]);
  }
});
