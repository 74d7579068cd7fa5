import { transformSync } from '@swc/core';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { compileFunction } from 'node:vm';
import type * as simulator from '../../src/simulator/index.js';
import type { Mutation } from './mutations.js';

type Exports = Record<string, unknown>;
type Module = (exports: Exports, require: (name: string) => unknown) => void;

const FOLDER = new URL('../../src/simulator/', import.meta.url);
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const SOURCES = new Map(FILES.map((file) => [file, readFileSync(new URL(file, FOLDER), 'utf8')]));
const requireBuiltin = createRequire(import.meta.url);
/** The unchanged files, compiled once for all copies. */
const COMPILED = new Map([...SOURCES].map(([file, source]) => [file, compile(file, source)]));

/** A copy of the simulator in memory; a mutation breaks one of its rules. */
export function copySimulator(mutation?: Mutation): typeof simulator {
  const compiled =
    mutation === undefined
      ? COMPILED
      : new Map(COMPILED).set(
          mutation.file,
          compile(mutation.file, mutate(SOURCES.get(mutation.file) ?? '', mutation)),
        );
  const loaded = new Map<string, Exports>();
  const load = (file: string): Exports => {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    const exports: Exports = {};
    loaded.set(file, exports);
    compiled.get(file)?.(exports, (name) => (name.startsWith('.') ? load(sourceOf(name, file)) : requireBuiltin(name)));
    return exports;
  };
  return load('index.ts') as typeof simulator;
}

/** The path in src/simulator of the source that a file imports. */
function sourceOf(name: string, file: string): string {
  return posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts');
}

/** @throws Error when the replaced source is not there exactly once */
export function mutate(text: string, { rule, file, source, mutated }: Mutation): string {
  const times = text.split(source).length - 1;
  if (times !== 1) {
    throw new Error(
      `The mutation of rule ${rule} finds its source ${times} times in src/simulator/${file}, not once: ${source}\n` +
        'Correct the entry in test/conformance/mutations.ts.',
    );
  }
  return text.replace(source, () => mutated);
}

function compile(file: string, source: string): Module {
  const { code } = transformSync(source, {
    filename: file,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
    swcrc: false,
  });
  return compileFunction(code, ['exports', 'require'], { filename: `copy of ${file}` }) as Module;
}
