/** Rules of the linter that only this project needs, see .oxlintrc.json. */
import { join, relative, sep } from 'node:path';

/** @typedef {Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1]} Rule */

const WRITES_MESSAGES = /\b(?:update|insert into|delete from)\s+messages\b/gi;

/**
 * The folders of a module, and the files beside them, have an order: each imports those before it, never those behind
 * it, also not their types. None is without a place.
 *
 * @type {Rule}
 */
const folderOrder = {
  meta: { schema: false },
  create(context) {
    const [{ module, order }] = /** @type {[{ module: string, order: string[] }]} */ (context.options);
    const root = join(context.cwd, module);
    const own = partOf(relative(root, context.filename));
    const from = order.indexOf(own);
    const check = (/** @type {any} */ node) => {
      const source = node.source?.value;
      if (typeof source !== 'string' || !source.startsWith('.')) return;
      const to = order.indexOf(partOf(relative(root, join(context.filename, '..', source))));
      if (to <= from) return;
      const message = `${own} stands before ${order[to]} in the order of ${module}: move what both need to the earlier one.`;
      context.report({ node, message });
    };
    return {
      Program(node) {
        if (from < 0) context.report({ node, message: `${own} has no place in the order of ${module}.` });
      },
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** A folder of a module, or a file beside the folders, by its name. */
function partOf(/** @type {string} */ file) {
  return (file.split(sep)[0] ?? '').replace(/\.[jt]s$/, '');
}

/**
 * WRITER-1: only the writer changes a message. `allowed` lists the other statements by file; it may only shrink.
 *
 * @type {Rule}
 */
const oneWriter = {
  meta: { schema: false },
  create(context) {
    const [{ writer, allowed }] = /** @type {[{ writer: string, allowed: Record<string, number> }]} */ (
      context.options
    );
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    if (file.startsWith(writer)) return {};
    let found = 0;
    const count = (/** @type {string} */ text) => {
      found += [...text.matchAll(WRITES_MESSAGES)].length;
    };
    return {
      TemplateElement: (node) => count(node.value.raw),
      Literal: (node) => count(String(node.value)),
      CallExpression({ callee, arguments: [table] }) {
        const isWrite =
          callee.type === 'MemberExpression' &&
          callee.property.type === 'Identifier' &&
          ['updateTable', 'insertInto', 'deleteFrom'].includes(callee.property.name);
        if (isWrite && table?.type === 'Literal' && table.value === 'messages') found += 1;
      },
      'Program:exit'(node) {
        const most = allowed[file] ?? 0;
        if (found === most) return;
        const message =
          found > most
            ? `${found} statements write messages here, ${most} may: change a message by a fact of ${writer}.`
            : `${found} statements write messages here: lower the ${most} in .oxlintrc.json.`;
        context.report({ node, message });
      },
    };
  },
};

export default { meta: { name: 'everpost' }, rules: { 'folder-order': folderOrder, 'one-writer': oneWriter } };
