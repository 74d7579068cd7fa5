// Fails if a number grows beyond scripts/ratchet.json. Each may only fall: the lines of src and of test, the exports of
// each module, files over 400 lines, copies, and the structure of src, counted by the compiler without generated files:
//
//   functions used once      top-level functions that src uses in one place (structure/used-once.js); their number and
//                            their median length are shown, not limited
//   short local helpers      functions within functions, of at most 6 lines, used in one place
//   types used once          interfaces and type aliases of a file that src uses in one place
//   ceremony                 percent of the code lines that are imports, types, signatures or plain mappings, see
//                            structure/ceremony.js
//   errors built             places that build an AppError by its code, and those beyond the first of each code
//   files that write TABLE   for each table with more than one writer
//   places that know kinds   comparisons with a kind of message, and objects with three kinds as keys
//   two-way folders          pairs of folders that import each other
//   background loops         objects with `everyMs` and `round`, and setInterval, without tools, simulator, console
//
// Not counted: the files on a message's way. Modules are given to each other as objects, so that no import shows it;
// ARCHITECTURE.md lists them.
//
// `node scripts/ratchet.js --show` prints the table, `--list NAME [FOLDER]` the places behind a number, and `--accept`
// updates the table: run it when a number shrinks, or when it grows for a reason that the change explains.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { BUILT_FILE, GENERATED_FILES } from './generated-files.js';
import { ceremony } from './structure/ceremony.js';
import { errorCodes, kindsKnown, loops, namesIn, twoWayFolders, writers } from './structure/knowledge.js';
import { openProject } from './structure/project.js';
import { usedOnce } from './structure/used-once.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TABLE_FILE = fileURLToPath(new URL('ratchet.json', import.meta.url));

const LONGEST_FILE = 400;
/** The shortest copy that counts as a duplicate; shorter ones are ordinary syntax. */
const CLONE = { tokens: 40, lines: 4 };
const GENERATED = new Set([BUILT_FILE, ...GENERATED_FILES.map(({ file }) => file)]);

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
 * @returns {Promise<{ measures: Measures, shown: Measures }>} the numbers that may only fall, in a fixed order, and those
 *   that are only shown
 */
export async function measure(root) {
  const scratchDir = mkdtempSync(join(tmpdir(), 'everpost-ratchet-'));
  try {
    const copied = clones(root, scratchDir);
    const { measures, shown } = structure(root);
    return { measures: { ...(await copied), ...measures, ...sizes(root) }, shown };
  } finally {
    rmSync(scratchDir, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @returns {{ measures: Measures, shown: Measures, places: Readonly<Record<string, readonly string[]>> }} also the places
 *   behind each number
 */
export function structure(root) {
  const project = openProject(root, GENERATED);
  try {
    const sources = project.below('src');
    const isBeside = /^src\/(?:tools|simulator|console)\//;
    const { functions, medianLines, types, ...once } = usedOnce(sources, project.below('test'), project.symbolsAt);
    const { percent, ...parts } = ceremony(sources);
    const codes = [...errorCodes(sources)];
    const written = [...writers(sources, namesIn(project.one('src/ledger/storage/schema.ts'), 'Schema'))];
    const kinds = namesIn(project.one('src/contract/kinds.ts'), 'KINDS');
    const places = {
      'functions used once': once.functionsUsedOnce,
      'short local helpers used once': once.localsUsedOnce,
      'types used once': once.typesUsedOnce,
      'errors built': codes.flatMap(([code, at]) => at.map((place) => `${place} ${code}`)),
      'errors built again': codes.flatMap(([code, at]) => at.slice(1).map((place) => `${place} ${code}, as ${at[0]}`)),
      'places that know kinds': kindsKnown(sources, kinds, project.checker),
      'two-way folders': twoWayFolders(sources),
      'background loops': loops(sources.filter(({ file }) => !isBeside.test(file))),
      ...Object.fromEntries(
        written.filter(([, files]) => files.length > 1).map(([table, files]) => [`files that write ${table}`, files]),
      ),
    };
    const counts = Object.entries(places).map(([what, found]) => [what, found.length]);
    const shown = Object.fromEntries(
      Object.entries(parts).map(([kind, lines]) => [`ceremony: lines of ${kind}`, lines]),
    );
    return {
      measures: { ...Object.fromEntries(counts), 'percent ceremony': percent },
      shown: {
        functions,
        'functions used once, but for tools, simulator and console': once.functionsUsedOnce.filter(
          (place) => !isBeside.test(place),
        ).length,
        'median lines of a function': medianLines,
        types,
        'error codes': codes.length,
        ...shown,
      },
      places,
    };
  } finally {
    project.close();
  }
}

/**
 * Ignores the simulator, which shares no code with the rest on purpose.
 * @param {string} root
 * @param {string} scratchDir
 * @returns {Promise<Measures>}
 */
async function clones(root, scratchDir) {
  const ignored = ['**/src/simulator/**', ...[...GENERATED].map((file) => `**/${file}`)].join(',');
  const size = ['--min-tokens', String(CLONE.tokens), '--min-lines', String(CLONE.lines)];
  const imports = ['--ignore-pattern', 'import [^;]*;'];
  const report = ['--reporters', 'json', '--output', scratchDir, '--silent'];
  const args = [join(root, 'src'), '--format', 'typescript,tsx', '--ignore', ignored, ...size, ...imports, ...report];
  const { stdout, stderr } = spawn(join(ROOT, 'node_modules', '.bin', 'jscpd'), args, { cwd: root });
  const [, problem] = await Promise.all([textOf(stdout), textOf(stderr)]);
  if (problem !== '') throw new Error(`jscpd failed: ${problem}`);
  const { statistics } = JSON.parse(readFileSync(join(scratchDir, 'jscpd-report.json'), 'utf8'));
  return { 'clones in src': statistics.total.clones, 'cloned lines in src': statistics.total.duplicatedLines };
}

/**
 * @param {string} root
 * @returns {Measures}
 */
function sizes(root) {
  const files = FOLDERS.flatMap((folder) => filesBelow(root, folder)).map((file) => ({
    file,
    lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
  }));
  const modules = [...new Set(files.flatMap(({ file }) => moduleOf(file) ?? []))];
  const linesOf = (/** @type {string} */ folder) =>
    files.filter(({ file }) => file.startsWith(`${folder}/`)).reduce((sum, { lines }) => sum + lines, 0);
  return {
    'lines of src': linesOf('src'),
    'lines of test': linesOf('test'),
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
  const [, , option, what = '', folder = ''] = process.argv;
  if (option === '--list') {
    for (const place of structure(ROOT).places[what] ?? []) if (place.startsWith(folder)) console.log(place);
  } else {
    await compare(option);
  }
}

/** @param {string | undefined} option */
async function compare(option) {
  const { measures, shown } = await measure(ROOT);
  const accepted = JSON.parse(readFileSync(TABLE_FILE, 'utf8'));
  if (option === '--accept') {
    writeFileSync(TABLE_FILE, `${JSON.stringify(measures, undefined, 2)}\n`);
  } else if (option === '--show') {
    const row = (/** @type {[string, string | number, string | number]} */ [name, now, most]) =>
      console.log(`${name.padEnd(60)}${String(now).padStart(9)}${String(most).padStart(10)}`);
    row(['', 'now', 'at most']);
    for (const [name, count] of Object.entries(measures)) row([name, count, accepted[name] ?? 'none']);
    for (const [name, count] of Object.entries(shown)) row([name, count, '']);
  } else {
    const grown = grownBeyond(accepted, measures);
    for (const line of grown) console.error(line);
    if (grown.length > 0) console.error('Reduce these numbers, or accept them: node scripts/ratchet.js --accept');
    process.exitCode = grown.length === 0 ? 0 : 1;
  }
}
