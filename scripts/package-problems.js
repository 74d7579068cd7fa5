// Files that must and must not be in the package that `npm pack` creates.
import { posix } from 'node:path';

/** Files that users need or expect, besides those that package.json points to. */
const NEEDED = ['README.md', 'LICENSE'];

const NOT_FOR_USERS =
  /(^|\/)(src|test|tests|scripts|bench|node_modules|coverage|\.everpost)\/|(^|\/)\.env|\.(pem|key|log|tgz)$/;

/** Tokens of the gateway, of forges, registries and clouds, and private keys. */
const SECRET =
  /\b[0-9a-f]{50}\b|\bnpm_[A-Za-z0-9]{36}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bAKIA[0-9A-Z]{16}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * @typedef {object} PackedFiles
 * @property {ReadonlyMap<string, string>} files  text by path inside the package
 * @property {ReadonlySet<string>} sources  paths below `src`, without their extension
 * @property {string} packageDir  the folder in which the package was built
 * @property {readonly string[]} [needed]  files that this package needs besides those of every package
 */

/**
 * @param {PackedFiles} packed
 * @returns {string[]} every problem with its remedy
 */
export function packageProblems({ files, sources, packageDir, needed = [] }) {
  const missing = [...NEEDED, ...needed, ...entryPoints(files)].filter((path) => !files.has(path));
  return [
    ...missing.map((path) => `${path} is missing. Add it to "files" in package.json, or build it: npm run build`),
    ...[...files].flatMap(([path, text]) => fileProblems(path, text, files, sources, packageDir)),
  ];
}

/**
 * @param {ReadonlyMap<string, string>} files
 * @returns {string[]}
 */
function entryPoints(files) {
  const { bin, exports } = JSON.parse(files.get('package.json') ?? '{}');
  const targets = Object.values(exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return [...Object.values(bin ?? {}), ...targets].map((path) => posix.normalize(path));
}

/**
 * @param {string} path
 * @param {string} text
 * @param {ReadonlyMap<string, string>} files
 * @param {ReadonlySet<string>} sources
 * @param {string} packageDir
 * @returns {string[]}
 */
function fileProblems(path, text, files, sources, packageDir) {
  const problems = [];
  if (NOT_FOR_USERS.test(path)) problems.push('is not for users. Exclude it in "files" in package.json');
  if (isStale(path, sources)) problems.push('no longer has a source. Remove dist and build again: npm run build');
  if (namesMissingMap(path, text, files)) problems.push('names a source map that is not in the package');
  if (path.endsWith('.map') && !isCompleteMap(text)) problems.push('is a source map without its sources');
  if (withMap(text).includes(packageDir)) problems.push(`contains ${packageDir}, a path of the machine that built it`);
  if (SECRET.test(text)) problems.push('contains what looks like a secret');
  return problems.map((problem) => `${path} ${problem}`);
}

/**
 * @param {string} path
 * @param {ReadonlySet<string>} sources
 */
function isStale(path, sources) {
  const [, name] = /^dist\/(.+?)(?:\.d\.ts|\.js|\.js\.map)$/.exec(path) ?? [];
  return name !== undefined && name !== 'workflow-bundle' && !sources.has(name);
}

/**
 * @param {string} path
 * @param {string} text
 * @param {ReadonlyMap<string, string>} files
 */
function namesMissingMap(path, text, files) {
  const [, map] = /^\/\/# sourceMappingURL=(?!data:)(\S+)\s*$/m.exec(path.endsWith('.js') ? text : '') ?? [];
  return map !== undefined && !files.has(posix.join(posix.dirname(path), map));
}

/** @param {string} text */
function isCompleteMap(text) {
  const { sources = [], sourcesContent = [] } = JSON.parse(text);
  return sources.length === sourcesContent.length && sourcesContent.every((/** @type {unknown} */ it) => it !== null);
}

/**
 * Returns the text with its inline source map decoded.
 * @param {string} text
 */
function withMap(text) {
  const [, base64 = ''] = /sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)/.exec(text) ?? [];
  return text + Buffer.from(base64, 'base64').toString();
}
