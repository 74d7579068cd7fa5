/**
 * Ceremony: the code lines (neither empty nor comment) that do nothing themselves, each counted once.
 *
 * - an import, or an export of other names: all of its lines;
 * - an interface or a type alias, wherever it stands: all of its lines;
 * - a signature: the first line of a function, method or constructor with a body in braces, to the line of its opening
 *   brace. Functions that are an argument have none;
 * - a plain mapping: a property of an object literal that has its lines to itself and only passes a value on, as in
 *   `a,`, `...b,`, `a: b,` and `a: b.c,`. One with a call, an operator or a literal is none.
 */
import {
  isArrowFunction,
  isBlock,
  isConstructorDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isTemplateExpression,
  isTypeAliasDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { SyntaxKind } from 'typescript/unstable/ast';
import { lineAt, span, walk } from './project.js';

/**
 * @typedef {import('./project.js').Node} Node
 * @typedef {import('./project.js').Source} Source
 * @typedef {'imports' | 'types' | 'signatures' | 'mapping'} Kind
 */

/** @param {readonly Source[]} sources */
export function ceremony(sources) {
  const kinds = sources.map(({ source }) => ceremonyIn(source));
  const count = (/** @type {Kind | 'code'} */ kind) => kinds.reduce((sum, one) => sum + one[kind], 0);
  const counts = {
    imports: count('imports'),
    types: count('types'),
    signatures: count('signatures'),
    mapping: count('mapping'),
  };
  const lines = counts.imports + counts.types + counts.signatures + counts.mapping;
  return { ...counts, code: count('code'), percent: Math.round((1_000 * lines) / Math.max(1, count('code'))) / 10 };
}

/** @param {import('./project.js').SourceFile} source */
function ceremonyIn(source) {
  const lines = source.text.split('\n');
  /** @type {Map<number, Kind>} */
  const kindOf = new Map();
  const texts = new Set();
  walk(source, (node) => {
    if (isTemplateExpression(node) || isNoSubstitutionTemplateLiteral(node)) {
      const { first, last } = span(node, source);
      for (let line = first; line <= last; line += 1) texts.add(line);
    }
    const found = ceremonyOf(node, source, lines);
    for (let line = found?.first ?? 1; line <= (found?.last ?? 0); line += 1) {
      if (found !== undefined && !kindOf.has(line)) kindOf.set(line, found.kind);
    }
  });
  const isCode = (/** @type {number} */ line) => {
    const text = lines[line - 1]?.trim() ?? '';
    return text !== '' && (texts.has(line) || !/^(?:\/\/|\/\*|\*)/.test(text));
  };
  const counts = {
    imports: 0,
    types: 0,
    signatures: 0,
    mapping: 0,
    code: lines.filter((_, at) => isCode(at + 1)).length,
  };
  for (const [line, kind] of kindOf) if (isCode(line)) counts[kind] += 1;
  return counts;
}

/**
 * @param {Node} node
 * @param {import('./project.js').SourceFile} source
 * @param {readonly string[]} lines
 * @returns {{ kind: Kind, first: number, last: number } | undefined}
 */
function ceremonyOf(node, source, lines) {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return { kind: 'imports', ...span(node, source) };
  if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return { kind: 'types', ...span(node, source) };
  const body = bodyOf(node);
  if (body !== undefined && isBlock(body)) {
    return { kind: 'signatures', ...span(node, source), last: lineAt(source, body.getStart(source)) };
  }
  if (!isPassedOn(node)) return undefined;
  const { first, last } = span(node, source);
  const before = lines[first - 1]?.slice(0, node.getStart(source) - (source.getLineStarts()[first - 1] ?? 0));
  const behind = lines[last - 1]?.slice(node.end - (source.getLineStarts()[last - 1] ?? 0));
  return before?.trim() === '' && /^,?\s*$/.test(behind ?? '') ? { kind: 'mapping', first, last } : undefined;
}

/** @param {Node} node */
function bodyOf(node) {
  if (isFunctionDeclaration(node) || isMethodDeclaration(node) || isConstructorDeclaration(node)) return node.body;
  if (!isVariableDeclaration(node) || node.initializer === undefined) return undefined;
  return isArrowFunction(node.initializer) || isFunctionExpression(node.initializer)
    ? node.initializer.body
    : undefined;
}

/** @param {Node} node */
function isPassedOn(node) {
  if (isShorthandPropertyAssignment(node)) return true;
  if (isSpreadAssignment(node)) return isChain(node.expression);
  return isPropertyAssignment(node) && isChain(node.initializer);
}

/**
 * @param {Node} value
 * @returns {boolean} whether it is a name, or a property of one
 */
function isChain(value) {
  return (
    isIdentifier(value) ||
    value.kind === SyntaxKind.ThisKeyword ||
    (isPropertyAccessExpression(value) && isChain(value.expression))
  );
}
