// Copies the console's files for browsers, which the compiler ignores, beside the compiled console.
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [from, to] = ['../src/console/files/', '../dist/console/files/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
cpSync(from ?? '', to ?? '', { recursive: true, filter: (file) => !file.endsWith('tsconfig.json') });
