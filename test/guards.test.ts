import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/*
 * Each guard of the linter works: a forbidden line is refused, with a message that names the alternative. The lines are
 * in a tree outside this one, with this project's lint and compiler settings.
 */
interface Bite {
  readonly title: string;
  readonly file: string;
  readonly code: string;
  readonly rule: string;
  readonly message: RegExp;
}

/** Where the import must not stand, what it imports, and what the linter has to say. */
type ForbiddenImport = readonly [folder: string, from: string, message: RegExp, kind?: 'type'];

const FORBIDDEN_IMPORTS: readonly ForbiddenImport[] = [
  ['src/http-client', 'node:crypto', /for browsers too/],
  ['src/testing', '../contract/index.js', /no package besides/],
  ['src/workflows', 'zod', /runs in a sandbox.*belongs in an activity/],
  ['src/workflows', '../contract/schemas.js', /validate in the client or in an activity/],
  ['src/workflows', '../contract/workflow-schemas.js', /validate in the client or in an activity/],
  ['src/workflows', 'node:crypto', /runs in a sandbox/],
  ['src/workflows', '../activities/index.js', /import type \{ Activities \}/],
  ['src/contract', 'zod', /zod belongs in schemas\.ts/],
  ['src/worker', '../gateway/client.js', /entered by its index only/],
  ['src/cli/commands', '../../gateway/client.js', /entered by its index only/],
  ['src/gateway', '../ledger/index.js', /belongs in src\/activities/],
  ['src/gateway', '@temporalio/common', /throw an AppError/],
  ['src/metrics', '../gateway/index.js', /told by callbacks what happened/],
  ['src/tracing', '../gateway/index.js', /what modules tell it by the contract/],
  ['src/ledger', '../gateway/index.js', /belongs in src\/activities/],
  ['src/domain/reconcile', '../../ledger/index.js', /pure rules over the contract/],
  ['src/domain', 'node:crypto', /belongs to its caller/],
  ['src/activities', '../webhooks/index.js', /createActivities\(deps\)/],
  ['src/dispatch', '@temporalio/common', /a shift returns its result/],
  ['src/dispatch', '../activities/index.js', /createDispatcher\(deps\)/],
  ['src/webhooks', '../starter/index.js', /is injected/],
  ['src/doctor', '../api/index.js', /checks what it is given/],
  ['src/starter', '../gateway/index.js', /Doing belongs in src\/activities/],
  ['src/starter', '../api/index.js', /Doing belongs in src\/activities/],
  ['src/api', '../gateway/index.js', /Doing belongs in src\/activities/],
  ['src/cli/commands', '../../api/index.js', /import type only/],
  ['src/audience', '../ledger/index.js', /verdict|classifies their lines/],
  ['src/activities', '../audience/index.js', /createActivities\(deps\)/],
  ['src/worker', '../simulator/index.js', /belongs in src\/compose/],
  ['src/compose', '../simulator/index.js', /belongs in src\/tools/],
  ['src/tools/prove', '../../cli/index.js', /commands of src\/cli use the tools/],
  ['src/tools/prove', '../dev/dev-record.js', /entered by its index only/],
  ['src/cli/commands', '../../tools/dev/dev-record.js', /entered by its index only/],
  ['src/worker', '../compose/index.js', /belongs in src\/compose/],
  ['src/codec', '../ledger/index.js', /by the contract's keys alone/],
  ['src/ledger', '../codec/index.js', /src\/ledger knows the database/],
  ['src/config', '../ledger/index.js', /knows only the contract/],
  ['src/console', '../ledger/index.js', /added to the API/],
  ['src/console', '../api/index.js', /import type only/],
  ['src/api', '../console/index.js', /Doing belongs in src\/activities/],
  ['src/simulator', '../gateway/index.js', /cannot share one mistake/, 'type'],
  ['src/simulator', '../contract/index.js', /import type only/],
];

const BITES: readonly Bite[] = [
  ...FORBIDDEN_IMPORTS.map(([folder, from, message, kind], at) => ({
    title: `${folder} must not import ${kind === 'type' ? 'types of ' : ''}${from}`,
    file: `${folder}/forbidden-${at}.ts`,
    code:
      kind === 'type'
        ? `import type { Thing } from '${from}';\nexport type Mine = Thing;`
        : `import { thing } from '${from}';\nexport const mine = thing;`,
    rule: 'eslint(no-restricted-imports)',
    message,
  })),
  {
    title: 'a test must not set a patience of its own',
    file: 'test/own-patience.test.ts',
    code: `import { vi } from 'vitest';\nexport const seen = vi.waitFor(() => 1, { timeout: 10 });`,
    rule: 'eslint(no-restricted-properties)',
    message: /eventually\(\)/,
  },
  {
    title: 'nothing in src prints by console',
    file: 'src/cli/printing.ts',
    code: `console.log('hello');`,
    rule: 'eslint(no-console)',
    message: /console/,
  },
  ...(['stdout', 'stderr'] as const).map((stream) => ({
    title: `nothing in src writes to process.${stream} but the terminal`,
    file: `src/tools/dev/writing-${stream}.ts`,
    code: `process.${stream}.write('hello');`,
    rule: 'eslint(no-restricted-properties)',
    message: /src\/cli\/terminal\.ts/,
  })),
  {
    title: 'the environment is read in src/config only',
    file: 'src/worker/environment.ts',
    code: `export const home = process.env['HOME'];`,
    rule: 'node(no-process-env)',
    message: /process\.env/,
  },
  {
    title: 'an earlier folder of the ledger must not import a later one',
    file: 'src/ledger/storage/later.ts',
    code: `import { thing } from '../messages/thing.js';\nexport const mine = thing;`,
    rule: 'everpost(folder-order)',
    message: /storage stands before messages/,
  },
  {
    title: 'nor its types',
    file: 'src/ledger/messages/later.ts',
    code: `import type { Thing } from '../campaigns/thing.js';\nexport type Mine = Thing;`,
    rule: 'everpost(folder-order)',
    message: /messages stands before campaigns/,
  },
  {
    title: 'nor pass on what a later one exports',
    file: 'src/ledger/streams/later.ts',
    code: `export * from '../dispatch/thing.js';`,
    rule: 'everpost(folder-order)',
    message: /streams stands before dispatch/,
  },
  {
    title: 'every folder and file of the ledger has a place in the order',
    file: 'src/ledger/another/thing.ts',
    code: `export const mine = 1;`,
    rule: 'everpost(folder-order)',
    message: /another has no place/,
  },
  ...[
    'sql`update messages m set state = 1`',
    "db.updateTable('messages').set({})",
    'sql`insert into\n  messages (id)`',
  ].map((statement, no) => ({
    title: `only the writer writes messages: ${statement}`,
    file: `src/ledger/campaigns/writes-${no}.ts`,
    code: `declare const db: { updateTable(name: string): { set(change: object): unknown } };\ndeclare function sql(parts: TemplateStringsArray): unknown;\nexport const written = [db, sql, ${statement}];`,
    rule: 'everpost(one-writer)',
    message: /1 statements write messages here, 0 may/,
  })),
  {
    title: 'the list of writers shrinks with them',
    file: 'src/ledger/retention.ts',
    code: `export const none = 0;`,
    rule: 'everpost(one-writer)',
    message: /lower the 1 in/,
  },
  {
    title: 'a promise must not be forgotten',
    file: 'src/worker/forgotten.ts',
    code: `async function work(): Promise<void> {}\nexport function start(): void {\n  work();\n}`,
    rule: 'typescript(no-floating-promises)',
    message: /[Pp]romises? must be awaited/,
  },
  {
    title: 'a promise must not stand where a condition is meant',
    file: 'src/worker/condition.ts',
    code: `async function ready(): Promise<boolean> {\n  return false;\n}\nexport const response = ready() ? 1 : 2;`,
    rule: 'typescript(no-misused-promises)',
    message: /[Pp]romise/,
  },
  {
    title: 'a switch over a closed set must name every member',
    file: 'src/worker/switch.ts',
    code: `export function spell(state: 'on' | 'off'): string {\n  switch (state) {\n    case 'on':\n      return 'ON';\n  }\n  return '';\n}`,
    rule: 'typescript(switch-exhaustiveness-check)',
    message: /off/,
  },
  {
    title: 'what is imported for its type must say so',
    file: 'src/worker/types.ts',
    code: `import { Thing } from './thing.js';\nexport type Mine = Thing;`,
    rule: 'typescript(consistent-type-imports)',
    message: /type/,
  },
  {
    title: 'files must not import each other in a circle, be it for a type',
    file: 'src/worker/circle-a.ts',
    code: `import type { B } from './circle-b.js';\nexport type A = B | undefined;`,
    rule: 'import(no-cycle)',
    message: /cycle/i,
  },
];

/** Lines beside them that must pass. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/worker/thing.ts': `export interface Thing {\n  readonly name: string;\n}`,
  'src/worker/circle-b.ts': `import type { A } from './circle-a.js';\nexport type B = readonly A[];`,
  'src/contract/index.ts': `export class AppError extends Error {}`,
  'src/contract/schemas.ts': `import { z } from 'zod';\nexport const schema = z;`,
  'src/activities/index.ts': `export type Activities = Record<string, () => void>;\nexport const createActivities = (): Activities => ({});`,
  'src/workflows/fine.ts':
    `import { sleep } from '@temporalio/workflow';\nimport type { Activities } from '../activities/index.js';\n` +
    `import { AppError } from '../contract/index.js';\nexport const fine = [sleep, AppError] as unknown as Activities;`,
  'src/gateway/fine.ts': `import { schema } from '../contract/schemas.js';\nimport { AppError } from '../contract/index.js';\nexport const fine = [schema, AppError];`,
  'src/simulator/fine.ts': `import type { AppError } from '../contract/index.js';\nexport type Fine = AppError;`,
  'src/audience/fine.ts': `import { AppError } from '../contract/index.js';\nexport const fine = AppError;`,
  'src/starter/fine.ts': `import { fine } from '../audience/index.js';\nexport const also = fine;`,
  'src/audience/index.ts': `export { fine } from './fine.js';`,
  'src/tools/dev/index.ts': `export const record = 1;`,
  'src/tools/prove/fine.ts': `import { record } from '../dev/index.js';\nexport const fine = record;`,
  'src/cli/commands/fine.ts': `import { record } from '../../tools/dev/index.js';\nexport const fine = record;`,
  'src/ledger/messages/fine.ts': `import { thing } from '../storage/thing.js';\nexport const fine = thing;`,
  'src/ledger/storage/thing.ts': `export const thing = 'update messages_of set x = 1';`,
  'src/ledger/messages/thing.ts': `export const thing = 1;`,
  'src/ledger/messages/writer/fine.ts': `export const fine = 'update messages set x = 1';`,
  'src/cli/terminal.ts': `process.stdout.write('hello');`,
  'src/config/fine.ts': `export const home = process.env['HOME'];`,
};

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly filename: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
let dir: string;
let diagnostics: readonly Diagnostic[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'everpost-guards-'));
  await mkdir(join(dir, 'scripts'));
  for (const settings of ['.oxlintrc.json', 'tsconfig.json', 'scripts/lint-rules.js'])
    await copyFile(join(root, settings), join(dir, settings));
  // Without it the type-aware half of the linter is not found, and oxlint goes on silently.
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
  const files = [...BITES.map(({ file, code }) => [file, code] as const), ...Object.entries(ALLOWED)];
  for (const [file, code] of files) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), `${code}\n`);
  }
  diagnostics = await lint();
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function lint(): Promise<readonly Diagnostic[]> {
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const run = promisify(execFile)(process.execPath, [oxlint, '--type-aware', '--format=json', 'src', 'test'], {
    cwd: dir,
  });
  // It exits 1 when it finds a problem, as it should.
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}

describe('the linter', () => {
  test.each(BITES)('$title', ({ file, rule, message }) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.filename === file && diagnostic.code === rule);
    expect(found, `what was said of ${file}`).toHaveLength(1);
    expect(`${found[0]?.message} ${found[0]?.help}`).toMatch(message);
  });

  test('accepts lines that the modules allow', () => {
    const names = Object.keys(ALLOWED).filter((name) => !name.includes('circle'));
    expect(diagnostics.filter(({ filename }) => names.includes(filename))).toEqual([]);
  });
});
