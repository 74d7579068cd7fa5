import { describe, expect, test } from 'vitest';
import { packageProblems } from '../../scripts/package-problems.js';

const COMPLETE_MAP = JSON.stringify({ sources: ['../src/index.ts'], sourcesContent: ['export {};'] });

const GOOD = {
  'package.json': JSON.stringify({ bin: { it: 'bin/it.js' }, exports: { '.': { default: './dist/index.js' } } }),
  'README.md': '',
  LICENSE: '',
  'bin/it.js': '',
  'dist/index.js': 'export {};\n//# sourceMappingURL=index.js.map',
  'dist/index.js.map': COMPLETE_MAP,
  'dist/workflow-bundle.js': bundleOf({ sources: ['everpost/src/index.ts'] }),
};

function bundleOf(map: object): string {
  const base64 = Buffer.from(JSON.stringify(map)).toString('base64');
  return `// code\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${base64}`;
}

function problemsWith(changed: Readonly<Record<string, string>>, removed?: string): string[] {
  const files = new Map(Object.entries({ ...GOOD, ...changed }));
  if (removed !== undefined) files.delete(removed);
  return packageProblems({
    files,
    sources: new Set(['index']),
    packageDir: '/home/builder/everpost/',
    needed: ['dist/workflow-bundle.js'],
  });
}

describe('the files of the package', () => {
  test('are accepted when they are complete and nothing else is there', () => {
    expect(problemsWith({})).toEqual([]);
  });

  test.each(['LICENSE', 'bin/it.js', 'dist/index.js', 'dist/workflow-bundle.js'])('are refused without %s', (path) => {
    expect(problemsWith({}, path)).toEqual([expect.stringMatching(new RegExp(`^${path} is missing`))]);
  });

  test.each(['test/some.test.js', 'src/index.ts', '.env', 'dist/server.key'])('are refused with %s', (path) => {
    expect(problemsWith({ [path]: '' })).toEqual([expect.stringContaining(`${path} is not for users`)]);
  });

  test('are refused with code whose source is missing', () => {
    expect(problemsWith({ 'dist/old.js': '' })).toEqual([
      expect.stringContaining('dist/old.js no longer has a source'),
    ]);
  });

  test('are refused with a source map that is missing or needs files that users do not have', () => {
    expect(problemsWith({}, 'dist/index.js.map')).toEqual([expect.stringContaining('names a source map')]);
    expect(problemsWith({ 'dist/index.js.map': '{"sources":["../src/index.ts"]}' })).toEqual([
      expect.stringContaining('without its sources'),
    ]);
  });

  test('are refused with a path of the build machine, also in the source map of the bundle', () => {
    const path = '/home/builder/everpost/src/index.ts';
    expect(problemsWith({ 'README.md': path })).toHaveLength(1);
    expect(problemsWith({ 'dist/workflow-bundle.js': bundleOf({ sources: [path] }) })).toHaveLength(1);
  });

  test.each(['0123456789'.repeat(5), `npm_${'a'.repeat(36)}`, '-----BEGIN PRIVATE KEY-----'])(
    'are refused with a secret like %s',
    (secret) => {
      expect(problemsWith({ 'examples/instances.json': secret })).toEqual([expect.stringContaining('a secret')]);
    },
  );
});
