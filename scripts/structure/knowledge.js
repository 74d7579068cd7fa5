/** Where one fact is known: error codes, tables, kinds of messages, folders and loops. */
import { dirname, join } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import {
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isSatisfiesExpression,
  isStringLiteral,
  isSwitchStatement,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { placeOf, walk } from './project.js';

/**
 * @typedef {import('./project.js').Node} Node
 * @typedef {import('./project.js').Source} Source
 * @typedef {import('./project.js').Checker} Checker
 */

/**
 * @param {readonly Source[]} sources
 * @returns {ReadonlyMap<string, string[]>} for each code, the places that build an AppError with it as a literal; a code
 *   that another process sent is none
 */
export function errorCodes(sources) {
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const source of sources) {
    walk(source.source, (node) => {
      if (!isNewExpression(node) || !isIdentifier(node.expression) || node.expression.text !== 'AppError') return;
      const [code] = node.arguments ?? [];
      if (code === undefined) return;
      walk(code, (part) => {
        if (!isStringLiteral(part) || isBinaryExpression(part.parent)) return;
        places.set(part.text, [...(places.get(part.text) ?? []), placeOf(source, node)]);
      });
    });
  }
  return places;
}

/**
 * @param {readonly Source[]} sources
 * @param {readonly string[]} tables
 * @returns {ReadonlyMap<string, string[]>} for each table, the files with a statement that writes it, besides migrations.
 *   A statement whose table is a variable is not seen.
 */
export function writers(sources, tables) {
  const isTable = new Set(tables);
  /** @type {Map<string, Set<string>>} */
  const files = new Map();
  const found = (/** @type {string} */ table, /** @type {string} */ file) => {
    if (isTable.has(table)) files.set(table, (files.get(table) ?? new Set()).add(file));
  };
  for (const { file, source } of sources.filter(({ file: name }) => !name.startsWith('src/ledger/migrations/'))) {
    walk(source, (node) => {
      if (isTemplateExpression(node) || isNoSubstitutionTemplateLiteral(node)) {
        const written = node.getText(source).matchAll(/\b(?:update|insert into|delete from|merge into)\s+(\w+)/gi);
        for (const [, table = ''] of written) found(table, file);
      }
      if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return;
      const [table] = node.arguments;
      const isWrite = /^(?:updateTable|insertInto|deleteFrom|mergeInto)$/.test(node.expression.name.getText(source));
      if (isWrite && table !== undefined && isStringLiteral(table)) found(table.text, file);
    });
  }
  return new Map([...files].map(([table, set]) => [table, [...set]]));
}

/**
 * @param {import('./project.js').SourceFile | undefined} source
 * @param {string} name  of an interface, or of an object that is a constant
 * @returns {string[]} the names in it
 */
export function namesIn(source, name) {
  /** @type {string[]} */
  const names = [];
  if (source === undefined) return names;
  walk(source, (node) => {
    if (isInterfaceDeclaration(node) && node.name.text === name) {
      names.push(...nameTexts(node.members, source));
    }
    if (isObjectLiteralExpression(node) && declaredName(node) === name) {
      names.push(...nameTexts(node.properties, source));
    }
  });
  return names;
}

/**
 * @param {readonly (Node & { name?: Node })[]} members
 * @param {import('./project.js').SourceFile} source
 */
function nameTexts(members, source) {
  return members.flatMap(({ name }) => name?.getText(source) ?? []);
}

/**
 * @param {Node} value  possibly within `as const satisfies …`
 * @returns {string | undefined}
 */
function declaredName({ parent }) {
  if (isAsExpression(parent) || isSatisfiesExpression(parent)) return declaredName(parent);
  return isVariableDeclaration(parent) && isIdentifier(parent.name) ? parent.name.text : undefined;
}

/**
 * @param {readonly Source[]} sources
 * @param {readonly string[]} kinds
 * @param {Checker} checker
 * @returns {string[]} the places that treat a kind of message by its name: a comparison or `case` whose other side can
 *   only be kinds, and an object with at least three kinds as its keys
 */
export function kindsKnown(sources, kinds, checker) {
  const isKind = new Set(kinds);
  /** @type {{ at: string, compared: Node }[]} */
  const compared = [];
  /** @type {string[]} */
  const known = [];
  for (const source of sources) {
    walk(source.source, (node) => {
      if (isStringLiteral(node) && isKind.has(node.text)) {
        const other = comparedWith(node);
        if (other !== undefined) compared.push({ at: placeOf(source, node), compared: other });
      } else if (isObjectLiteralExpression(node)) {
        const keys = nameTexts(node.properties, source.source).filter((name) => isKind.has(name));
        if (keys.length >= 3) known.push(placeOf(source, node));
      }
    });
  }
  const types = checker.getTypeAtLocation(compared.map((one) => one.compared));
  return [...known, ...compared.filter((_, at) => canOnlyBe(isKind, types[at])).map(({ at }) => at)];
}

/** @param {Node} literal */
function comparedWith(literal) {
  const { parent } = literal;
  if (isCaseClause(parent))
    return isSwitchStatement(parent.parent.parent) ? parent.parent.parent.expression : undefined;
  if (!isBinaryExpression(parent)) return undefined;
  const { kind } = parent.operatorToken;
  const isEqual = kind === SyntaxKind.EqualsEqualsEqualsToken || kind === SyntaxKind.ExclamationEqualsEqualsToken;
  return isEqual ? (parent.left === literal ? parent.right : parent.left) : undefined;
}

/**
 * @param {ReadonlySet<string>} words
 * @param {import('typescript/unstable/sync').Type | undefined} type
 */
function canOnlyBe(words, type) {
  if (type === undefined || !type.isUnionType()) return false;
  return type.getTypes().every((one) => one.isStringLiteralType() && words.has(one.value));
}

/**
 * @param {readonly Source[]} sources
 * @returns {string[]} pairs of folders of one folder that import each other, also only types; the files beside folders
 *   count as a folder of their own
 */
export function twoWayFolders(sources) {
  const imports = new Set();
  for (const { file, source } of sources) {
    source.forEachChild((node) => {
      if (!isImportDeclaration(node) && !isExportDeclaration(node)) return;
      const from = node.moduleSpecifier;
      if (from === undefined || !isStringLiteral(from) || !from.text.startsWith('.')) return;
      const [one, other] = apart(file, join(dirname(file), from.text));
      if (one !== other && !file.endsWith('/index.ts')) imports.add(`${one} > ${other}`);
    });
  }
  return [...imports]
    .map((pair) => pair.split(' > '))
    .filter(([one = '', other = '']) => one < other && imports.has(`${other} > ${one}`))
    .map(([one, other]) => `${one} <> ${other}`)
    .toSorted();
}

/**
 * @param {string} file
 * @param {string} other
 * @returns {[string, string]} the folders of both below the deepest folder that they share
 */
function apart(file, other) {
  const [one, two] = [file.split('/'), other.split('/')];
  let depth = 0;
  while (one[depth] === two[depth] && depth < one.length - 1 && depth < two.length - 1) depth += 1;
  const shared = one.slice(0, depth).join('/');
  const folder = (/** @type {string[]} */ parts) =>
    join(shared, depth === parts.length - 1 ? '*' : (parts[depth] ?? ''));
  return [folder(one), folder(two)];
}

/**
 * @param {readonly Source[]} sources
 * @returns {string[]} the loops that a process runs until it stops: objects with `everyMs` and `round`, and setInterval
 */
export function loops(sources) {
  /** @type {string[]} */
  const found = [];
  for (const source of sources) {
    walk(source.source, (node) => {
      if (isObjectLiteralExpression(node)) {
        const names = nameTexts(node.properties, source.source);
        if (names.includes('everyMs') && names.includes('round')) found.push(placeOf(source, node));
      }
      if (isCallExpression(node) && node.expression.getText(source.source) === 'setInterval') {
        found.push(placeOf(source, node));
      }
    });
  }
  return found;
}
