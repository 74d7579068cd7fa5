// Generates the tables of metrics in docs/metrics.md from their definitions.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { LEDGER_METRICS, PROCESS_METRICS, TEMPORAL_METRICS } from '../dist/metrics/definitions.js';

const FILE = fileURLToPath(new URL('../docs/metrics.md', import.meta.url));
/** @param {readonly string[]} labels @returns {string} */
const listed = (labels) => labels.map((label) => `\`${label}\``).join(', ');

let text = await readFile(FILE, 'utf8');
for (const [name, metrics] of Object.entries({
  'the ledger': LEDGER_METRICS,
  Temporal: TEMPORAL_METRICS,
  'the process': PROCESS_METRICS,
})) {
  const rows = Object.values(metrics).map(
    ({ name: metric, type, labels, help }) => `| \`${metric}\` | ${type} | ${listed(labels)} | ${help} |`,
  );
  const table = ['| metric | type | labels | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const part = new RegExp(`(<!-- metrics of ${name}: .* -->\n)[\\s\\S]*?(<!-- end of metrics -->)`);
  text = text.replace(part, `$1\n${table}\n\n$2`);
}
await writeFile(FILE, await prettier.format(text, { ...(await prettier.resolveConfig(FILE)), parser: 'markdown' }));
