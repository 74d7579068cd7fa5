// Generates the table of operation ids in docs/http-api.md from the routes.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { ROUTES } from '../dist/api/routes/routes.js';

const FILE = fileURLToPath(new URL('../docs/http-api.md', import.meta.url));
const rows = Object.entries(ROUTES).map(
  ([operationId, { method, path }]) => `| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` |`,
);
const table = ['| operation id | request |', '| --- | --- |', ...rows].join('\n');
const part = /(<!-- operation ids: .* -->\n)[\s\S]*?(<!-- end of operation ids -->)/;
const text = (await readFile(FILE, 'utf8')).replace(part, `$1\n${table}\n\n$2`);
await writeFile(FILE, await prettier.format(text, { ...(await prettier.resolveConfig(FILE)), parser: 'markdown' }));
