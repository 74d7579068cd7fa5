import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The packages from which a built file loads a module. */
function packagesLoadedBy(file: string): string[] {
  const program = new URL(`../../../dist/${file}`, import.meta.url).href;
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
    await import(${JSON.stringify(program)});`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    encoding: 'utf8',
  });
  return [...new Set(output.split('\n').filter((name) => name !== ''))];
}

it('a command that only calls the API loads neither server, ledger nor Temporal’s client', () => {
  const loaded = packagesLoadedBy('cli/commands/run-cli.js');
  expect(loaded).toContain('undici');
  for (const heavy of ['@temporalio/client', '@temporalio/worker', 'hono', 'kysely', 'pg', '@electric-sql/pglite']) {
    expect(loaded).not.toContain(heavy);
  }
});

it('a process without a collector loads neither SDK nor exporter of OpenTelemetry', () => {
  const loaded = packagesLoadedBy('compose/services.js');
  expect(loaded).toContain('@temporalio/worker');
  expect(loaded.filter((name) => name.startsWith('@opentelemetry/'))).toEqual([]);
});

it('@everpost/testing and @everpost/client load no package', () => {
  expect(packagesLoadedBy('testing/index.js')).toEqual([]);
  expect(packagesLoadedBy('http-client/index.js')).toEqual([]);
});
