import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { grownBeyond, measure, structure } from '../../scripts/ratchet.js';

let root: string;
let accepted: Awaited<ReturnType<typeof measure>>['measures'];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'everpost-ratchet-test-'));
  await write(SMALL);
  accepted = (await measure(root)).measures;
  return () => rm(root, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

const SMALL = {
  'tsconfig.json': `{ "compilerOptions": { "module": "NodeNext", "strict": true, "types": [] }, "include": ["src", "test"] }`,
  'src/post/index.ts': `export { post, type Posted } from './post.js';\nexport * from './stamp.js';\nexport type * from './size.js';\n`,
  'src/post/post.ts': `import { stamp } from './stamp.js';\n\nexport type Posted = number;\n\nexport const post = (): Posted => stamp();\n`,
  'src/post/stamp.ts': `export const stamp = (): number => 1;\n`,
  'src/post/size.ts': `export interface Size {\n  readonly bytes: number;\n}\n`,
  'src/tools/demo/index.ts': `export const demo = 1;\n`,
};
const COPIED = Array.from({ length: 12 }, (_, at) => `  total += prices[${at}] * counts[${at}] - rebate(${at});\n`);
const summing = (name: string): string =>
  `export function ${name}(prices: number[], counts: number[]): number {\n  let total = 0;\n${COPIED.join('')}  return total;\n}\n`;

/** One of each thing that the ratchet counts, and beside it what resembles it. */
const COUNTED = {
  'src/contract/kinds.ts': `export const KINDS = { text: {}, file: {}, poll: {} } as const;\nexport type Kind = keyof typeof KINDS;\n`,
  'src/contract/errors.ts': `export class AppError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
`,
  'src/ledger/storage/schema.ts': `export interface Schema {\n  rows: object;\n  marks: object;\n}\n`,
  'src/ledger/rows/rows.ts': `import { AppError } from '../../contract/errors.js';
import { mark } from '../marks/mark.js';

declare const database: { updateTable(table: string): void };

export function addRow(id: string, isOpen: boolean): void {
  database.updateTable('rows');
  mark(id, \`insert into rows (id) values (\${id})\`, \`update of nothing\`);
  throw new AppError(isOpen ? 'ROW_OPEN' : 'ROW_LOST', id);
}
`,
  'src/ledger/marks/mark.ts': `import type { Kind } from '../../contract/kinds.js';
import { addRow } from '../rows/rows.js';
import { AppError } from '../../contract/errors.js';

interface Mark {
  readonly id: string;
}

export function mark(id: string, ...texts: string[]): Mark {
  const first = () => texts[0];
  const last = () => texts.at(-1);
  const twice = () => texts[1];
  const made = {
    id,
    texts: first(),
    length: String(last()),
    more: [twice(), twice()],
  };
  // update rows
  if (id === 'text') throw new AppError('ROW_LOST', 'update rows');
  return made;
}

export function isText(kind: Kind, code: string): boolean {
  if (code === 'ROW_LOST') throw new AppError(code, 'as the other side said');
  return kind === 'text' || [\`delete from rows\`].includes(code);
}

export function onlyItself(): void {
  onlyItself();
}

export const sweepRows = { everyMs: 5, round: () => addRow('1', isText('poll', 'text')) };
export const once = { round: () => addRow('2', true) };
`,
  'test/mark.test.ts': `import { isText, mark } from '../src/ledger/marks/mark.js';\nisText('text', '');\nmark('1');\nmark('2');\n`,
};

test('the ratchet measures interfaces, copies, lines and the structure', () => {
  expect(accepted).toEqual({
    'clones in src': 0,
    'cloned lines in src': 0,
    'functions used once': 1,
    'short local helpers used once': 0,
    'types used once': 1,
    'errors built': 0,
    'errors built again': 0,
    'places that know kinds': 0,
    'two-way folders': 0,
    'background loops': 0,
    'percent ceremony': 72.7,
    'lines of src': 13,
    'lines of test': 0,
    'exports of src/post': 4,
    'exports of src/tools/demo': 1,
  });
});

test('the ratchet lists what grew beyond the table, and nothing else', async () => {
  await write({
    'src/post/sum.ts': summing('sum'),
    'src/tools/demo/sum.ts': summing('count'),
    'src/fax/index.ts': `export const fax = 1;\n`,
    'src/post/stamp.ts': `export const stamp = (): number => 1;\nexport const mark = stamp;\n`,
    'test/long.test.ts': '// one line\n'.repeat(401),
    'test/short.test.ts': '// one line\n'.repeat(400),
  });
  expect(grownBeyond(accepted, (await measure(root)).measures)).toEqual([
    'clones in src: 1, accepted 0',
    'cloned lines in src: 15, accepted 0',
    'lines of src: 47, accepted 13',
    'lines of test: 801, accepted 0',
    'exports of src/fax: 1, accepted none',
    'exports of src/post: 5, accepted 4',
    'lines of test/long.test.ts: 401, accepted none',
  ]);
});

test('the ratchet names the places that it counts', async () => {
  await rm(join(root, 'src'), { recursive: true });
  await write(COUNTED);
  const { places, measures, shown } = structure(root);
  expect(places).toEqual({
    'functions used once': [
      'src/ledger/marks/mark.ts:9 mark (14 lines, a test uses it)',
      'src/ledger/marks/mark.ts:24 isText (4 lines, a test uses it)',
    ],
    'short local helpers used once': [
      'src/ledger/marks/mark.ts:10 first (1 lines)',
      'src/ledger/marks/mark.ts:11 last (1 lines)',
    ],
    'types used once': ['src/contract/kinds.ts:2 Kind (1 lines)', 'src/ledger/marks/mark.ts:5 Mark (3 lines)'],
    'errors built': [
      'src/ledger/marks/mark.ts:20 ROW_LOST',
      'src/ledger/rows/rows.ts:9 ROW_LOST',
      'src/ledger/rows/rows.ts:9 ROW_OPEN',
    ],
    'errors built again': ['src/ledger/rows/rows.ts:9 ROW_LOST, as src/ledger/marks/mark.ts:20'],
    'places that know kinds': ['src/contract/kinds.ts:1', 'src/ledger/marks/mark.ts:26'],
    'two-way folders': ['src/ledger/marks <> src/ledger/rows'],
    'background loops': ['src/ledger/marks/mark.ts:33'],
    'files that write rows': ['src/ledger/marks/mark.ts', 'src/ledger/rows/rows.ts'],
  });
  expect(measures).toMatchObject({ 'functions used once': 2, 'percent ceremony': 39.1 });
  expect(shown).toEqual({
    functions: 4,
    'functions used once, but for tools, simulator and console': 2,
    'median lines of a function': 5,
    types: 2,
    'error codes': 2,
    'ceremony: lines of imports': 5,
    'ceremony: lines of types': 4,
    'ceremony: lines of signatures': 8,
    'ceremony: lines of mapping': 1,
    'ceremony: lines of code': 46,
  });
});

test('the ratchet accepts lower numbers', () => {
  expect(grownBeyond({ 'lines of src': 8, 'lines of src/fax/long.ts': 401 }, { 'lines of src': 7 })).toEqual([]);
});
