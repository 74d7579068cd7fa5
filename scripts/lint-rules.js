/** Rules of the linter that only this project needs, see .oxlintrc.json. */
import { join, relative, sep } from 'node:path';

/** @typedef {Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1]} Rule */

const WRITES_MESSAGES = /\b(?:update|insert into|delete from)\s+messages\b/gi;

/**
 * The folders of a module have an order: a folder imports those before it, never those behind it. Files beside the
 * folders assemble them and import all; what they define for all folders is named in `shared`.
 *
 * @type {Rule}
 */
const folderOrder = {
  meta: { schema: false },
  create(context) {
    const [{ module, order }] = /** @type {[{ module: string, order: string[] }]} */ (context.options);
    const root = join(context.cwd, module);
    const from = placeOf(order, relative(root, context.filename));
    if (from === undefined) return {};
    return {
      ImportDeclaration(node) {
        const target = relative(root, join(context.filename, '..', node.source.value));
        const to = placeOf(order, target);
        if (to === undefined || to <= from) return;
        const message = `${order[from]} stands before ${order[to]} in the order of ${module}: move what both need to the earlier folder.`;
        context.report({ node, message });
      },
    };
  },
};

/** @returns {number | undefined} */
function placeOf(/** @type {string[]} */ order, /** @type {string} */ file) {
  const at = order.indexOf(file.split(sep)[0] ?? '');
  return at < 0 ? undefined : at;
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
