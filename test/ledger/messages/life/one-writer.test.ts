import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../../../src', import.meta.url));
const WRITE =
  /\b(?:update|insert into|delete from)\s+messages\b|\b(?:updateTable|insertInto|deleteFrom)\('messages'\)/gi;

/** How many statements of a file outside the writer write messages. The list may only shrink. */
const ALLOWED: Readonly<Record<string, { readonly statements: number; readonly reason: string }>> = {
  'ledger/retention.ts': { statements: 1, reason: 'deletes old messages' },
  'ledger/privacy/erase-own-rows.ts': { statements: 1, reason: 'erases a recipient' },
  'ledger/sensitive/remove-texts.ts': { statements: 1, reason: 'removes texts of sensitive messages' },
  'ledger/messages/runs.ts': { statements: 4, reason: 'the columns of the run' },
  'ledger/messages/recipient-key.ts': { statements: 1, reason: 'the key of a recipient whose number was learned' },
  'ledger/dispatch/intake.ts': { statements: 1, reason: 'creates single messages' },
  'ledger/campaigns/recipient-row.ts': { statements: 1, reason: 'creates the row of a recipient' },
  'ledger/dispatch/read-ahead/read-ahead.ts': { statements: 2, reason: 'creates and composes the rows of recipients' },
};

function writesIn(text: string): number {
  const withoutComments = text.replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*(?:\/\/|--).*$/gm, '');
  return [...withoutComments.matchAll(WRITE)].length;
}

/** Proves WRITER-1: nothing but the writer changes a state. */
it('no statement outside the writer writes messages, but the listed ones', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('ledger', 'messages', 'writer')))
    .map((file) => [file.replaceAll('\\', '/'), writesIn(readFileSync(join(SRC, file), 'utf8'))] as const)
    .filter(([, statements]) => statements > 0);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(ALLOWED).map(([file, { statements }]) => [file, statements])),
  );
});

it.each([
  ['sql`update messages m set state = 1`', 1],
  ["db.updateTable('messages').set({})", 1],
  ['sql`insert into\n  messages (id)`', 1],
  ['sql`insert into message_ids (id)`; sql`update messages_of set x`', 0],
])('a statement is recognised in %s', (text, statements) => {
  expect(writesIn(text)).toBe(statements);
});
