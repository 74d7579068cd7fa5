/** The sources as the compiler sees them. TypeScript 7 offers its API under `unstable`; the version is pinned. */
import { join } from 'node:path';
import { API, SymbolFlags } from 'typescript/unstable/sync';
import { isIdentifier, isShorthandPropertyAssignment } from 'typescript/unstable/ast/is';

/**
 * @typedef {import('typescript/unstable/ast').Node} Node
 * @typedef {import('typescript/unstable/ast').SourceFile} SourceFile
 * @typedef {import('typescript/unstable/sync').Checker} Checker
 * @typedef {import('typescript/unstable/sync').Symbol} Symbol
 * @typedef {{ file: string, source: SourceFile }} Source  `file` is a path from the root
 */

/**
 * @param {string} root  of a repository with a tsconfig.json
 * @param {ReadonlySet<string>} generated  files that are left out
 */
export function openProject(root, generated) {
  const api = new API({ cwd: root });
  const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] });
  const [project] = snapshot.getProjects();
  if (project === undefined) throw new Error(`No tsconfig.json in ${root}.`);
  const { program, checker } = project;
  /** @type {(folder: string) => Source[]} */
  const below = (folder) =>
    program
      .getSourceFileNames()
      .filter((name) => name.startsWith(join(root, folder, '/')))
      .map((name) => ({ file: name.slice(join(root, '/').length), name }))
      .filter(({ file }) => !generated.has(file) && !file.includes('node_modules'))
      .flatMap(({ file, name }) => {
        const source = program.getSourceFile(name);
        return source === undefined ? [] : [{ file, source }];
      })
      .toSorted((one, other) => (one.file < other.file ? -1 : 1));
  /** @type {(file: string) => SourceFile | undefined} */
  const one = (file) => program.getSourceFile(join(root, file));
  return { below, one, checker, symbolsAt: symbolsAtWith(checker), close: () => api.close() };
}

/**
 * @param {Checker} checker
 * @returns {(names: readonly Node[]) => (number | undefined)[]} the declaration that each name stands for, behind imports
 */
function symbolsAtWith(checker) {
  /** @type {Map<number, number>} */
  const behind = new Map();
  const idOf = (/** @type {Symbol | undefined} */ symbol) => {
    if (symbol === undefined || (symbol.flags & SymbolFlags.Alias) === 0) return symbol?.id;
    const known = behind.get(symbol.id) ?? checker.getAliasedSymbol(symbol).id;
    behind.set(symbol.id, known);
    return known;
  };
  return (names) =>
    checker
      .getSymbolAtLocation(names)
      .map((symbol, at) =>
        idOf(isShorthand(names[at]) ? checker.getShorthandAssignmentValueSymbol(names[at].parent) : symbol),
      );
}

/**
 * @param {Node | undefined} name
 * @returns {name is Node}
 */
function isShorthand(name) {
  return name !== undefined && isIdentifier(name) && isShorthandPropertyAssignment(name.parent);
}

/**
 * @param {Node} node
 * @param {(node: Node) => void} visit  is called with the node and all nodes in it
 */
export function walk(node, visit) {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/**
 * @param {Node} node
 * @param {SourceFile} source
 * @returns {{ first: number, last: number, lines: number }} its lines without the comment before it, counted from 1
 */
export function span(node, source) {
  const first = lineAt(source, node.getStart(source));
  const last = lineAt(source, node.end);
  return { first, last, lines: last - first + 1 };
}

/**
 * @param {SourceFile} source
 * @param {number} position
 */
export function lineAt(source, position) {
  const starts = source.getLineStarts();
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** @param {Source} source  @param {Node} node */
export function placeOf({ file, source }, node) {
  return `${file}:${span(node, source).first}`;
}
