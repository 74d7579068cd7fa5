// Generates the table in docs/keys.md of the scope that each request requires, from the routes.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { ROUTES } from '../dist/starter/http/routes.js';

const FILE = fileURLToPath(new URL('../docs/keys.md', import.meta.url));
const rows = Object.values(ROUTES).flatMap(({ method, path, access }) =>
  typeof access === 'string' ? [] : [`| \`${method.toUpperCase()} ${path}\` | \`${access[0]}\` | ${access[1]} |`],
);
const table = ['| request | scope | reaches |', '| --- | --- | --- |', ...rows].join('\n');
const before = await readFile(FILE, 'utf8');
const text = before.replace(/(<!-- routes: .* -->\n)[\s\S]*(<!-- end of routes -->)/, `$1\n${table}\n\n$2`);
await writeFile(FILE, await prettier.format(text, { ...(await prettier.resolveConfig(FILE)), parser: 'markdown' }));
