#!/usr/bin/env node
// Committed, so that the command exists before the first build and can say what is missing.
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli/index.js', import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `everpost needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a newer one.\n`,
  );
  process.exitCode = 1;
} else if (!existsSync(program)) {
  process.stderr.write('everpost is not built yet. In its folder, run: npm ci\n');
  process.exitCode = 1;
} else {
  await import(program.href);
}
