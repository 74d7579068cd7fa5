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

const BITES: readonly Bite[] = [
  {
    title: 'the client must not import Node',
    file: 'src/http-client/with-node.ts',
    code: `import { randomUUID } from 'node:crypto';\nexport const id = randomUUID;`,
    rule: 'eslint(no-restricted-imports)',
    message: /for browsers too/,
  },
  {
    title: 'everpost/testing must not import another module',
    file: 'src/testing/with-contract.ts',
    code: `import { OPERATIONS } from '../contract/index.js';\nexport const all = OPERATIONS;`,
    rule: 'eslint(no-restricted-imports)',
    message: /no package besides/,
  },
  {
    title: 'a test must not set a patience of its own',
    file: 'test/own-patience.test.ts',
    code: `import { vi } from 'vitest';\nexport const seen = vi.waitFor(() => 1, { timeout: 10 });`,
    rule: 'eslint(no-restricted-properties)',
    message: /eventually\(\)/,
  },
  {
    title: 'a workflow must not import zod',
    file: 'src/workflows/with-zod.ts',
    code: `import { z } from 'zod';\nexport const schema = z;`,
    rule: 'eslint(no-restricted-imports)',
    message: /runs in a sandbox.*belongs in an activity/,
  },
  {
    title: 'a workflow must not import zod by way of the schemas',
    file: 'src/workflows/with-schemas.ts',
    code: `import { schema } from '../contract/schemas.js';\nexport const mine = schema;`,
    rule: 'eslint(no-restricted-imports)',
    message: /validate in the client or in an activity/,
  },
  {
    title: 'a workflow must not import zod by way of the schemas of its own contract',
    file: 'src/workflows/with-workflow-schemas.ts',
    code: `import { schema } from '../contract/workflow-schemas.js';\nexport const mine = schema;`,
    rule: 'eslint(no-restricted-imports)',
    message: /validate in the client or in an activity/,
  },
  {
    title: 'a workflow must not import Node',
    file: 'src/workflows/with-node.ts',
    code: `import { randomUUID } from 'node:crypto';\nexport const id = randomUUID;`,
    rule: 'eslint(no-restricted-imports)',
    message: /runs in a sandbox/,
  },
  {
    title: 'a workflow must not import activities but as types',
    file: 'src/workflows/with-activities.ts',
    code: `import { createActivities } from '../activities/index.js';\nexport const made = createActivities;`,
    rule: 'eslint(no-restricted-imports)',
    message: /import type \{ Activities \}/,
  },
  {
    title: 'the contract must depend on nothing',
    file: 'src/contract/with-package.ts',
    code: `import { z } from 'zod';\nexport const schema = z;`,
    rule: 'eslint(no-restricted-imports)',
    message: /zod belongs in schemas\.ts/,
  },
  {
    title: 'a module must be entered by its index',
    file: 'src/worker/inner.ts',
    code: `import { client } from '../gateway/client.js';\nexport const mine = client;`,
    rule: 'eslint(no-restricted-imports)',
    message: /entered by its index only/,
  },
  {
    title: 'a folder inside a module must enter another by its index too',
    file: 'src/cli/commands/inner.ts',
    code: `import { client } from '../../gateway/client.js';\nexport const mine = client;`,
    rule: 'eslint(no-restricted-imports)',
    message: /entered by its index only/,
  },
  {
    title: 'the gateway must not know the ledger',
    file: 'src/gateway/with-ledger.ts',
    code: `import { ledger } from '../ledger/index.js';\nexport const mine = ledger;`,
    rule: 'eslint(no-restricted-imports)',
    message: /belongs in src\/activities/,
  },
  {
    title: 'the gateway must not know Temporal',
    file: 'src/gateway/with-temporal.ts',
    code: `import { ApplicationFailure } from '@temporalio/common';\nexport const mine = ApplicationFailure;`,
    rule: 'eslint(no-restricted-imports)',
    message: /throw an AppError/,
  },
  {
    title: 'metrics must not ask the gateway',
    file: 'src/metrics/with-gateway.ts',
    code: `import { gateway } from '../gateway/index.js';\nexport const mine = gateway;`,
    rule: 'eslint(no-restricted-imports)',
    message: /told by callbacks what happened/,
  },
  {
    title: 'the ledger must not know the gateway',
    file: 'src/ledger/with-gateway.ts',
    code: `import { gateway } from '../gateway/index.js';\nexport const mine = gateway;`,
    rule: 'eslint(no-restricted-imports)',
    message: /belongs in src\/activities/,
  },
  {
    title: 'the domain must not read or write',
    file: 'src/domain/reconcile/with-ledger.ts',
    code: `import { ledger } from '../../ledger/index.js';\nexport const mine = ledger;`,
    rule: 'eslint(no-restricted-imports)',
    message: /pure rules over the contract/,
  },
  {
    title: 'the domain must not import packages',
    file: 'src/domain/with-node.ts',
    code: `import { randomUUID } from 'node:crypto';\nexport const id = randomUUID;`,
    rule: 'eslint(no-restricted-imports)',
    message: /belongs to its caller/,
  },
  {
    title: 'activities must not reach for what is injected',
    file: 'src/activities/with-webhooks.ts',
    code: `import { receiver } from '../webhooks/index.js';\nexport const mine = receiver;`,
    rule: 'eslint(no-restricted-imports)',
    message: /createActivities\(deps\)/,
  },
  {
    title: 'the dispatcher must not know Temporal',
    file: 'src/dispatch/with-temporal.ts',
    code: `import { ApplicationFailure } from '@temporalio/common';\nexport const mine = ApplicationFailure;`,
    rule: 'eslint(no-restricted-imports)',
    message: /a shift returns its result/,
  },
  {
    title: 'the dispatcher must not reach for what is injected',
    file: 'src/dispatch/with-activities.ts',
    code: `import { createActivities } from '../activities/index.js';\nexport const mine = createActivities;`,
    rule: 'eslint(no-restricted-imports)',
    message: /createDispatcher\(deps\)/,
  },
  {
    title: 'the receiver must not start work itself',
    file: 'src/webhooks/with-starter.ts',
    code: `import { starter } from '../starter/index.js';\nexport const mine = starter;`,
    rule: 'eslint(no-restricted-imports)',
    message: /is injected/,
  },
  {
    title: 'the starter must not do what activities do',
    file: 'src/starter/with-gateway.ts',
    code: `import { gateway } from '../gateway/index.js';\nexport const mine = gateway;`,
    rule: 'eslint(no-restricted-imports)',
    message: /Doing belongs in src\/activities/,
  },
  {
    title: 'an audience must be read without the ledger',
    file: 'src/audience/with-ledger.ts',
    code: `import { ledger } from '../ledger/index.js';\nexport const mine = ledger;`,
    rule: 'eslint(no-restricted-imports)',
    message: /verdict|classifies their lines/,
  },
  {
    title: 'activities must not read files of recipients',
    file: 'src/activities/with-audience.ts',
    code: `import { audience } from '../audience/index.js';\nexport const mine = audience;`,
    rule: 'eslint(no-restricted-imports)',
    message: /createActivities\(deps\)/,
  },
  {
    title: 'the worker must not contain the simulator',
    file: 'src/worker/with-simulator.ts',
    code: `import { simulator } from '../simulator/index.js';\nexport const mine = simulator;`,
    rule: 'eslint(no-restricted-imports)',
    message: /belongs in src\/compose/,
  },
  {
    title: 'the composition must not start a simulator',
    file: 'src/compose/with-simulator.ts',
    code: `import { simulator } from '../simulator/index.js';\nexport const mine = simulator;`,
    rule: 'eslint(no-restricted-imports)',
    message: /belongs in src\/tools/,
  },
  {
    title: 'a tool must not import commands',
    file: 'src/tools/prove/with-command.ts',
    code: `import { command } from '../../cli/index.js';\nexport const mine = command;`,
    rule: 'eslint(no-restricted-imports)',
    message: /commands of src\/cli use the tools/,
  },
  {
    title: 'a tool must be entered by its index, by another tool too',
    file: 'src/tools/prove/inner.ts',
    code: `import { record } from '../dev/dev-record.js';\nexport const mine = record;`,
    rule: 'eslint(no-restricted-imports)',
    message: /entered by its index only/,
  },
  {
    title: 'a tool must be entered by its index, by a command too',
    file: 'src/cli/commands/tool.ts',
    code: `import { record } from '../../tools/dev/dev-record.js';\nexport const mine = record;`,
    rule: 'eslint(no-restricted-imports)',
    message: /entered by its index only/,
  },
  {
    title: 'the worker must not know how it is composed',
    file: 'src/worker/with-compose.ts',
    code: `import { compose } from '../compose/index.js';\nexport const mine = compose;`,
    rule: 'eslint(no-restricted-imports)',
    message: /belongs in src\/compose/,
  },
  {
    title: 'the codec must know only the contract',
    file: 'src/codec/with-ledger.ts',
    code: `import { ledger } from '../ledger/index.js';\nexport const mine = ledger;`,
    rule: 'eslint(no-restricted-imports)',
    message: /by the contract's keys alone/,
  },
  {
    title: 'the ledger must not encrypt payloads',
    file: 'src/ledger/with-codec.ts',
    code: `import { codec } from '../codec/index.js';\nexport const mine = codec;`,
    rule: 'eslint(no-restricted-imports)',
    message: /src\/ledger knows the database/,
  },
  {
    title: 'the configuration must know only the contract',
    file: 'src/config/with-ledger.ts',
    code: `import { ledger } from '../ledger/index.js';\nexport const mine = ledger;`,
    rule: 'eslint(no-restricted-imports)',
    message: /knows only the contract/,
  },
  {
    title: 'the simulator must not share code with the gateway client, not even types',
    file: 'src/simulator/with-gateway.ts',
    code: `import type { Gateway } from '../gateway/index.js';\nexport type Mine = Gateway;`,
    rule: 'eslint(no-restricted-imports)',
    message: /cannot share one mistake/,
  },
  {
    title: 'the simulator must take nothing but types from the contract',
    file: 'src/simulator/with-contract.ts',
    code: `import { AppError } from '../contract/index.js';\nexport const mine = AppError;`,
    rule: 'eslint(no-restricted-imports)',
    message: /import type only/,
  },
  {
    title: 'nothing in src prints by console',
    file: 'src/cli/printing.ts',
    code: `console.log('hello');`,
    rule: 'eslint(no-console)',
    message: /console/,
  },
  {
    title: 'the environment is read in src/config only',
    file: 'src/worker/environment.ts',
    code: `export const home = process.env['HOME'];`,
    rule: 'node(no-process-env)',
    message: /process\.env/,
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
  for (const settings of ['.oxlintrc.json', 'tsconfig.json']) await copyFile(join(root, settings), join(dir, settings));
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
