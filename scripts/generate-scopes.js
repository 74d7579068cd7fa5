// Generates the tables in docs/keys.md of the scopes that requests and gateway operations require.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { OPERATIONS } from '../dist/contract/index.js';
import { ROUTES } from '../dist/api/routes/routes.js';

const FILE = fileURLToPath(new URL('../docs/keys.md', import.meta.url));

/** @param {string} page  @param {string} name  @param {string[]} lines */
function withTable(page, name, lines) {
  const place = new RegExp(`(<!-- ${name}: .* -->\\n)[\\s\\S]*(<!-- end of ${name} -->)`);
  return page.replace(place, `$1\n${lines.join('\n')}\n\n$2`);
}

/** @param {readonly string[]} words */
const code = (words) => words.map((word) => `\`${word}\``).join(', ');

const routes = Object.values(ROUTES).flatMap((route) => {
  const { method, path, access } = route;
  if (typeof access === 'string') return [];
  const scopes = code('alsoNeeds' in route ? [access[0], route.alsoNeeds] : [access[0]]);
  return [`| \`${method.toUpperCase()} ${path}\` | ${scopes} | ${access[1]} |`];
});
const operations = Object.entries(OPERATIONS).flatMap(([name, { scopes }]) =>
  scopes.length === 1 ? [] : [`| \`${name}\` | ${code(scopes)} |`],
);
let text = await readFile(FILE, 'utf8');
text = withTable(text, 'routes', ['| request | scopes | reaches |', '| --- | --- | --- |', ...routes]);
text = withTable(text, 'operations', ['| operation | scopes |', '| --- | --- |', ...operations]);
await writeFile(FILE, await prettier.format(text, { ...(await prettier.resolveConfig(FILE)), parser: 'markdown' }));
