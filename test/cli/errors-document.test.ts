import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_NEXT } from '../../src/contract/index.js';

const ROOT = new URL('../../', import.meta.url);

function documentedCodes(): Record<string, string> {
  const document = readFileSync(new URL('docs/errors.md', ROOT), 'utf8');
  const rows = document.matchAll(/^\| `([A-Z_]+)`\s*\| (\w+)\s*\| \S.*? \| \S.*? \|$/gm);
  return Object.fromEntries([...rows].map(([, code, next]) => [code, next]));
}

describe('docs/errors.md', () => {
  it('describes every code with its consequence, and no other code', () => {
    expect(documentedCodes()).toEqual(ERROR_NEXT);
  });
});
