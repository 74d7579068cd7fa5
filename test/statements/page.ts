/** The table of docs/statements.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { reasonOf } from './limits.js';
import type { RanStatement } from './plans.js';
import type { StoreName } from './stores.js';

const FILE = fileURLToPath(new URL('../../docs/statements.md', import.meta.url));
const TABLE = /(<!-- statements: .* -->\n)[\s\S]*?(<!-- end of statements -->)/;
const ROW = /^\| `(\w+)`/gm;

type Measured = Readonly<Record<StoreName, readonly RanStatement[]>>;

/** The names in the table of the page. */
export async function namesOnPage(): Promise<string[]> {
  const [table = ''] = TABLE.exec(await readFile(FILE, 'utf8')) ?? [];
  return [...table.matchAll(ROW)].map(([, name = '']) => name);
}

/** @param places  the file of each statement, by its name */
export async function writePage(places: ReadonlyMap<string, string>, measured: Measured): Promise<void> {
  const rows = [...places]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, file]) => {
      const onPostgres = worst(measured.postgres, name);
      const cells = [onPostgres, worst(measured.embedded, name)].flatMap((ran) => [
        ran?.blocks ?? '',
        ran?.ms.toFixed(1) ?? '',
      ]);
      const why = onPostgres === undefined ? undefined : reasonOf(onPostgres);
      return `| \`${name}\` | ${file} | ${cells.join(' | ')} | ${why ?? ''} |`;
    });
  const head =
    '| statement | in src/ledger | blocks, PostgreSQL | ms | blocks, embedded | ms | reads more, because it |';
  const table = [head, '| --- | --- | --: | --: | --: | --: | --- |', ...rows].join('\n');
  const text = (await readFile(FILE, 'utf8')).replace(TABLE, `$1\n${table}\n\n$2`);
  await writeFile(FILE, await prettier.format(text, { ...(await prettier.resolveConfig(FILE)), parser: 'markdown' }));
}

function worst(statements: readonly RanStatement[], name: string): RanStatement | undefined {
  return statements.filter((one) => one.name === name).toSorted((one, other) => other.blocks - one.blocks)[0];
}
