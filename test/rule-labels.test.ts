import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Capitals, a hyphen and a number that are not the label of a rule. */
const NOT_LABELS = new Set(['UTF', 'SHA', 'RFC', 'ISO', 'AES', 'BAE', 'MSG', 'HTTP', 'PDF', 'SSH']);

interface Label {
  readonly label: string;
  readonly at: string;
}

/** `DEFINED-1 A sentence` in the list at the head of a module, or the first cell of a table in docs/. */
function definitionsIn(file: string, text: string): Label[] {
  const pattern = file.startsWith('docs/')
    ? /^\| (?<label>[A-Z]{3,}-\d+)(?= [^|]*\|)/gm
    : /^ \* {1,3}(?<label>[A-Z]{3,}-\d+) {1,2}(?=[A-Z`+])/gm;
  return labelsOf(file, text, pattern);
}

/** Every label in a text; for `X-1 to X-4` those between as well. */
function citationsIn(file: string, text: string): Label[] {
  const single = labelsOf(file, text, /(?<![\w/-])(?<label>[A-Z]{3,}-\d+)(?![\w-])/g);
  const between = [...text.matchAll(/\b([A-Z]{3,})-(\d+) to \1-(\d+)\b/g)].flatMap(([, prefix, first, last]) =>
    Array.from({ length: Number(last) - Number(first) - 1 }, (_, at) => ({
      label: `${prefix}-${Number(first) + at + 1}`,
      at: file,
    })),
  );
  return [...single, ...between];
}

function labelsOf(file: string, text: string, pattern: RegExp): Label[] {
  return [...text.matchAll(pattern)].flatMap(({ groups, index }) => {
    const label = groups?.['label'] ?? '';
    const line = text.slice(0, index).split('\n').length;
    return NOT_LABELS.has(label.replace(/-\d+$/, '')) ? [] : [{ label, at: `${file}:${line}` }];
  });
}

function readFiles(...paths: string[]): { file: string; text: string }[] {
  const listed = execFileSync('git', ['ls-files', ...paths], { cwd: ROOT, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((file) => /\.(?:tsx?|js|md)$/.test(file))
    .map((file) => ({ file, text: readFileSync(`${ROOT}${file}`, 'utf8') }));
}

const sources = readFiles('src', 'docs', 'ARCHITECTURE.md', 'README.md', 'scripts', 'bench');
const tests = readFiles('test').filter(({ file }) => file !== 'test/rule-labels.test.ts');
const definitions = sources.flatMap(({ file, text }) => definitionsIn(file, text));
const defined = new Set(definitions.map(({ label }) => label));

describe('the labels of rules', () => {
  test('are each defined once', () => {
    const isRepeated = ({ label }: Label): boolean =>
      definitions.some(
        (one, at) => one.label === label && at !== definitions.findLastIndex((other) => other.label === label),
      );
    expect(definitions.filter(isRepeated)).toEqual([]);
    expect(defined.size).toBeGreaterThan(100);
  });

  test('are defined when a text cites them', () => {
    const cited = [...sources, ...tests].flatMap(({ file, text }) => citationsIn(file, text));
    expect(cited.filter(({ label }) => !defined.has(label))).toEqual([]);
  });

  test('are cited by a test', () => {
    const cited = new Set(tests.flatMap(({ file, text }) => citationsIn(file, text)).map(({ label }) => label));
    expect([...defined].filter((label) => !cited.has(label))).toEqual([]);
  });

  test('are found in definitions and citations', () => {
    const head = '/**\n * Rules.\n *\n * SOME-1 One.\n * SOME-2 Two, see SOME-1.\n * SOME-3. No definition.\n */';
    expect(definitionsIn('src/some.ts', head).map(({ label }) => label)).toEqual(['SOME-1', 'SOME-2']);
    expect(definitionsIn('docs/some.md', '| SOME-1 | one |\n| SOME-2 two | 2 |')).toHaveLength(2);
    expect(citationsIn('test/some.ts', 'SOME-1 to SOME-3, in UTF-8').map(({ label }) => label)).toEqual([
      'SOME-1',
      'SOME-3',
      'SOME-2',
    ]);
  });
});
