import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { GENERATED_FILES } from '../../scripts/generated-files.js';

test('every generator in src is in the list that verify checks', async () => {
  const src = fileURLToPath(new URL('../../src', import.meta.url));
  const generators = (await readdir(src, { recursive: true })).filter((file) => /(^|\/)generate-[^/]+\.ts$/.test(file));
  const built = GENERATED_FILES.filter(({ script }) => script.startsWith('dist/'));
  const listed = built.map(({ script }) => script.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
  expect(new Set(listed)).toEqual(new Set(generators));
});
