/**
 * Functions and types with a name of their own, and those of them that src uses once. A use is a name outside of its own
 * declaration, of imports and of exports; a use by a test is none.
 */
import {
  isArrowFunction,
  isExportSpecifier,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isShorthandPropertyAssignment,
  isSourceFile,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { placeOf, span, walk } from './project.js';

/**
 * @typedef {import('./project.js').Node} Node
 * @typedef {import('./project.js').Source} Source
 * @typedef {'function' | 'local function' | 'type'} What
 * @typedef {{ what: What, name: Node, node: Node, text: string, at: string, lines: number }} Declared
 */

/** A longer local function has a name because it says something. */
const SHORT_LINES = 6;

/**
 * @param {readonly Source[]} sources
 * @param {readonly Source[]} tests
 * @param {(names: readonly Node[]) => (number | undefined)[]} symbolsAt
 */
export function usedOnce(sources, tests, symbolsAt) {
  const declared = sources.flatMap(declaredIn);
  const names = new Set(declared.map(({ text }) => text));
  const uses = sources.flatMap((source) => usesIn(source, names));
  const usesOf = groupBy(symbolsAt(uses), (_, at) => /** @type {Node} */ (uses[at]));
  const tested = new Set(symbolsAt(tests.flatMap((source) => usesIn(source, names))));
  const ids = symbolsAt(declared.map(({ name }) => name));
  const counted = declared.map((one, at) => ({
    ...one,
    uses: (usesOf.get(ids[at]) ?? []).filter((use) => !isWithin(use, one.node)),
    isTested: tested.has(ids[at]),
  }));
  const once = (/** @type {What} */ what) => counted.filter((one) => one.what === what && one.uses.length === 1);
  const functions = counted.filter(({ what }) => what === 'function');
  return {
    functions: functions.length,
    medianLines: functions.map(({ lines }) => lines).toSorted((one, other) => one - other)[functions.length >> 1] ?? 0,
    functionsUsedOnce: once('function').map(show),
    localsUsedOnce: once('local function')
      .filter(({ lines }) => lines <= SHORT_LINES)
      .map(show),
    types: counted.filter(({ what }) => what === 'type').length,
    typesUsedOnce: once('type').map(show),
  };
}

/** @param {Declared & { isTested: boolean }} declared */
function show({ at, text, lines, isTested }) {
  return `${at} ${text} (${lines} lines${isTested ? ', a test uses it' : ''})`;
}

/**
 * @param {Source} source
 * @returns {Declared[]} the functions of a file, those within functions, and its types without a value of their name
 */
function declaredIn(source) {
  /** @type {Declared[]} */
  const found = [];
  const values = new Set();
  walk(source.source, (node) => {
    if (isVariableDeclaration(node) && isIdentifier(node.name)) values.add(node.name.text);
    const isFunction =
      isFunctionDeclaration(node) ||
      (isVariableDeclaration(node) &&
        node.initializer !== undefined &&
        (isArrowFunction(node.initializer) || isFunctionExpression(node.initializer)));
    const isType = isInterfaceDeclaration(node) || isTypeAliasDeclaration(node);
    if ((!isFunction && !isType) || node.name === undefined || !isIdentifier(node.name)) return;
    const isConstant = isVariableDeclaration(node) && isVariableStatement(node.parent.parent);
    const whole = isConstant ? node.parent.parent : node;
    const isTop = isSourceFile(whole.parent);
    if (isType && !isTop) return;
    found.push({
      what: isType ? 'type' : isTop ? 'function' : 'local function',
      name: node.name,
      node: whole,
      text: node.name.text,
      at: placeOf(source, whole),
      lines: span(whole, source.source).lines,
    });
  });
  return found.filter(({ what, text }) => what !== 'type' || !values.has(text));
}

/**
 * @param {Source} source
 * @param {ReadonlySet<string>} names
 */
function usesIn({ source }, names) {
  /** @type {Node[]} */
  const found = [];
  walk(source, (node) => {
    if (isIdentifier(node) && names.has(node.text) && !isOnlyName(node)) found.push(node);
  });
  return found;
}

/** @param {Node} name  of a declaration, an import, an export, or a property */
function isOnlyName(name) {
  const { parent } = name;
  if (isShorthandPropertyAssignment(parent)) return false;
  if (isExportSpecifier(parent)) return true;
  return ('name' in parent && parent.name === name) || ('propertyName' in parent && parent.propertyName === name);
}

/** @param {Node} use  @param {Node} node */
function isWithin(use, node) {
  return use.pos >= node.pos && use.end <= node.end && use.getSourceFile() === node.getSourceFile();
}

/**
 * @template Key, Item
 * @param {readonly Key[]} keys
 * @param {(key: Key, at: number) => Item} itemOf
 */
function groupBy(keys, itemOf) {
  /** @type {Map<Key, Item[]>} */
  const groups = new Map();
  keys.forEach((key, at) => {
    const group = groups.get(key) ?? [];
    group.push(itemOf(key, at));
    groups.set(key, group);
  });
  return groups;
}
