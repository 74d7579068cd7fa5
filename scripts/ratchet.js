// Fails if a number grows beyond scripts/ratchet.json: duplicates, the size of each module of src and of its interface,
// and files over 400 lines. `node scripts/ratchet.js --accept` updates the table: run it when a number shrinks, or when
// it grows for a reason that the change explains.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GENERATED_FILES } from './generated-files.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TABLE_FILE = fileURLToPath(new URL('ratchet.json', import.meta.url));

const LONGEST_FILE = 400;
/** The shortest copy that counts as a duplicate; shorter ones are ordinary syntax. */
const CLONE = { tokens: 40, lines: 4 };
const GENERATED = new Set(GENERATED_FILES.map(({ file }) => file));

/**
 * Numbers by name, e.g. `lines of src/ledger`.
 * @typedef {Readonly<Record<string, number>>} Measures
 */

/**
 * @param {Measures} accepted
 * @param {Measures} measured
 * @returns {string[]} a line for each number that grew, or is new
 */
export function grownBeyond(accepted, measured) {
  return Object.entries(measured)
    .filter(([what, count]) => count > (accepted[what] ?? 0))
    .map(([what, count]) => `${what}: ${count}, accepted ${accepted[what] ?? 'none'}`);
}

/**
 * @param {string} root  of the repository
 * @returns {Measures} in a fixed order
 */
export function measure(root) {
  const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-ratchet-'));
  try {
    return {
      ...clones(root, scratchDir),
      ...sizes(root),
    };
  } finally {
    rmSync(scratchDir, { recursive: true, force: true });
  }
}

/**
 * Ignores the simulator, which shares no code with the rest on purpose.
 * @param {string} root
 * @param {string} scratchDir
 * @returns {Measures}
 */
function clones(root, scratchDir) {
  const ignored = ['**/src/simulator/**', ...[...GENERATED].map((file) => `**/${file}`)].join(',');
  const size = ['--min-tokens', String(CLONE.tokens), '--min-lines', String(CLONE.lines)];
  const imports = ['--ignore-pattern', 'import [^;]*;'];
  const report = ['--reporters', 'json', '--output', scratchDir, '--silent'];
  tool(
    'jscpd',
    [join(root, 'src'), '--format', 'typescript,tsx', '--ignore', ignored, ...size, ...imports, ...report],
    root,
  );
  const { statistics } = JSON.parse(readFileSync(join(scratchDir, 'jscpd-report.json'), 'utf8'));
  return { 'clones in src': statistics.total.clones, 'cloned lines in src': statistics.total.duplicatedLines };
}

/**
 * @param {string} name  of a program of this project
 * @param {string[]} args
 * @param {string} cwd
 */
function tool(name, args, cwd) {
  const { stdout, stderr, error } = spawnSync(join(ROOT, 'node_modules', '.bin', name), args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined || stderr !== '') throw new Error(`${name} failed: ${stderr}`, { cause: error });
  return stdout;
}

/**
 * @param {string} root
 * @returns {Measures}
 */
function sizes(root) {
  const files = FOLDERS.flatMap((folder) => filesBelow(root, folder)).map((file) => ({
    file,
    module: moduleOf(file),
    lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
  }));
  const modules = [...new Set(files.flatMap(({ module }) => module ?? []))];
  const linesIn = (/** @type {string} */ module) =>
    files.filter((file) => file.module === module).reduce((sum, { lines }) => sum + lines, 0);
  return {
    ...Object.fromEntries(modules.map((module) => [`lines of ${module}`, linesIn(module)])),
    ...Object.fromEntries(modules.map((module) => [`exports of ${module}`, exportsOf(join(root, module, 'index.ts'))])),
    ...Object.fromEntries(
      files.filter(({ lines }) => lines > LONGEST_FILE).map(({ file, lines }) => [`lines of ${file}`, lines]),
    ),
  };
}

const FOLDERS = ['src', 'test', 'scripts', 'bench'];

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]} paths from the root, without generated files
 */
function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => posix.join(folder, file))
    .filter((file) => /\.[jt]sx?$/.test(file) && !GENERATED.has(file) && !file.includes('node_modules'))
    .toSorted();
}

/**
 * @param {string} file
 * @returns {string | undefined} e.g. `src/ledger`, `src/tools/prove`
 */
function moduleOf(file) {
  return /^src\/(?:tools\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

/**
 * Counts the names that a file exports, including those of the files that it exports whole.
 * @param {string} file
 * @returns {number} 0 if the file does not exist
 */
function exportsOf(file) {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, names = '']) => names.split(','));
  const whole = [...text.matchAll(/^export (?:type )?\* from '(.*)\.js'/gm)].map(([, path]) =>
    join(dirname(file), `${path}.ts`),
  );
  const named = lists.flat().filter((name) => name.trim() !== '').length;
  const declared = text.match(/^export (?!(?:type )?[*{])/gm)?.length ?? 0;
  return named + declared + whole.reduce((sum, one) => sum + exportsOf(one), 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const measured = measure(ROOT);
  if (process.argv[2] === '--accept') {
    writeFileSync(TABLE_FILE, `${JSON.stringify(measured, undefined, 2)}\n`);
  } else {
    const grown = grownBeyond(JSON.parse(readFileSync(TABLE_FILE, 'utf8')), measured);
    for (const line of grown) console.error(line);
    if (grown.length > 0) console.error('Reduce these numbers, or accept them: node scripts/ratchet.js --accept');
    process.exitCode = grown.length === 0 ? 0 : 1;
  }
}
