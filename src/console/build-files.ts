/** Run by `npm run build`: copies the files for browsers, which the compiler ignores, beside the compiled console. */
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const from = fileURLToPath(new URL('../../src/console/files/', import.meta.url));
const to = fileURLToPath(new URL('files/', import.meta.url));
cpSync(from, to, { recursive: true, filter: (file) => !file.endsWith('tsconfig.json') });
