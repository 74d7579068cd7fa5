import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { grownBeyond, measure } from '../../scripts/ratchet.js';

let root: string;
let accepted: ReturnType<typeof measure>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'everpost-ratchet-test-'));
  await write(SMALL);
  accepted = measure(root);
  return () => rm(root, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

const SMALL = {
  'src/post/index.ts': `export { post, type Posted } from './post.js';\nexport * from './stamp.js';\nexport type * from './size.js';\n`,
  'src/post/post.ts': `import { stamp } from './stamp.js';\n\nexport type Posted = number;\n\nexport const post = (): Posted => stamp();\n`,
  'src/post/stamp.ts': `export const stamp = (): number => 1;\n`,
  'src/tools/demo/index.ts': `export const demo = 1;\n`,
};
const COPIED = Array.from({ length: 12 }, (_, at) => `  total += prices[${at}] * counts[${at}] - rebate(${at});\n`);
const summing = (name: string): string =>
  `export function ${name}(prices: number[], counts: number[]): number {\n  let total = 0;\n${COPIED.join('')}  return total;\n}\n`;

test('the ratchet measures modules, their interfaces, copies and long files', () => {
  expect(accepted).toEqual({
    'clones in src': 0,
    'cloned lines in src': 0,
    'lines of src/post': 9,
    'lines of src/tools/demo': 1,
    'exports of src/post': 3,
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
  expect(grownBeyond(accepted, measure(root))).toEqual([
    'clones in src: 1, accepted 0',
    'cloned lines in src: 15, accepted 0',
    'lines of src/fax: 1, accepted none',
    'lines of src/post: 26, accepted 9',
    'lines of src/tools/demo: 17, accepted 1',
    'exports of src/fax: 1, accepted none',
    'exports of src/post: 4, accepted 3',
    'lines of test/long.test.ts: 401, accepted none',
  ]);
});

test('the ratchet accepts lower numbers', () => {
  expect(grownBeyond({ 'lines of src/post': 8, 'lines of src/fax': 1 }, { 'lines of src/post': 7 })).toEqual([]);
});
