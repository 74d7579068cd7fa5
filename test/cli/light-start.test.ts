import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = new URL('../../dist/cli/run-cli.js', import.meta.url).href;

/** Packages of which a command has loaded something before it does anything. */
function loadedPackages(): string[] {
  const script = `
    const { register } = await import('node:module');
    register('data:text/javascript,' + encodeURIComponent(\`
      import { writeSync } from 'node:fs';
      export async function resolve(specifier, context, next) {
        const found = await next(specifier, context);
        const [, name] = /.*node_modules[/]((?:@[^/]+[/])?[^/]+)/.exec(found.url) ?? [];
        if (name !== undefined) writeSync(1, name + '\\\\n');
        return found;
      }\`), import.meta.url);
    await import(${JSON.stringify(PROGRAM)});`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
  return [...new Set(output.split('\n').filter((name) => name !== ''))];
}

it('a command that asks the API loads neither server, ledger nor Temporal’s client', () => {
  const loaded = loadedPackages();
  expect(loaded).toContain('undici');
  for (const heavy of ['@temporalio/client', '@temporalio/worker', 'hono', 'kysely', 'pg', '@electric-sql/pglite']) {
    expect(loaded).not.toContain(heavy);
  }
});
