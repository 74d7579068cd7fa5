import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_NEXT } from '../../src/contract/index.js';

const ROOT = new URL('../../', import.meta.url);

function documentedCodes(): Record<string, string> {
  const document = readFileSync(new URL('docs/errors.md', ROOT), 'utf8');
  const rows = document.matchAll(/^\| `([A-Z_]+)`\s*\| (\w+)\s*\| \S.*? \| \S.*? \|$/gm);
  return Object.fromEntries([...rows].map(([, code, next]) => [code, next]));
}

describe('docs/errors.md', () => {
  it('describes every code with what follows from it, and no other', () => {
    expect(documentedCodes()).toEqual(ERROR_NEXT);
  });
});

describe('the codes of errors', () => {
  it('are all thrown somewhere', () => {
    const files = readdirSync(new URL('src', ROOT), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('errors.ts'),
    );
    const sources = files.map((file) => readFileSync(new URL(`src/${file}`, ROOT), 'utf8')).join('\n');
    expect(Object.keys(ERROR_NEXT).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });
});
