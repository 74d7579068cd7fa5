/** Every link of a document leads to an existing file, and to a heading of it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anchorsOf, linksOf } from './markdown.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function brokenLinksOf(file: string): string[] {
  return linksOf(textOf(file)).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(textOf(target)).includes(anchor);
  });
}

describe('the links of documents', () => {
  it.for(DOCUMENTS)('have existing targets in %s', (file) => {
    expect(brokenLinksOf(file)).toEqual([]);
  });

  it('lead from the index to every document', () => {
    const index = linksOf(textOf('docs/README.md')).map((link) => join('docs', link));
    const documents = DOCUMENTS.filter((file) => file.startsWith('docs/') && file !== 'docs/README.md');
    expect(documents.filter((file) => !index.includes(file))).toEqual([]);
  });
});
