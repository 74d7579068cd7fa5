import { describe, expect, test } from 'vitest';
import { OLD_PUBLIC_NAMES, oldWordsIn } from '../../scripts/check-words.js';

describe('the check of the vocabulary', () => {
  test.each([
    ['a sentence', '// The row is judged later.', 'judged', 'reconcile, or classify'],
    ['the first word of a sentence', 'Nobody waits.', 'Nobody', 'the actor: recipient, operator, caller, worker'],
    ['a part of a name in camel case', 'const judgeAfterMs = 1;', 'judgeAfterMs', 'reconcile, or classify'],
    ['a part of a column', 'select judge_after from attempts', 'judge_after', 'reconcile, or classify'],
    ['a part of a constant', 'const LOOK_AGAIN_MS = 1;', 'LOOK_AGAIN_MS', 'poll'],
    ['a type', 'interface CampaignAnswer {}', 'CampaignAnswer', 'response'],
    ['a phrase', 'until the next look', 'next look', 'poll'],
  ])('finds %s, and names the word to use', (_, line, word, use) => {
    expect(oldWordsIn('src/some.ts', `\n${line}\n`)).toEqual([`src/some.ts:2: "${word}". Use: ${use}`]);
  });

  test.each([
    ['a word that contains one as a part', 'const planet = persona(overlooked, prejudged);'],
    ['plain English when only its use in a name is old', 'It looks at the row and answers at once.'],
    ["the gateway's own field", 'multipleAnswers: true'],
    ["a fault of the simulator's control interface", "kind: 'lose-answer'"],
  ])('accepts %s', (_, line) => {
    expect(oldWordsIn('src/some.ts', line)).toEqual([]);
  });

  test('allows an exception in its file only', () => {
    const line = "for (const name of ['postgres', 'nobody'])";
    expect(oldWordsIn('test/support/ledger/postgres.js', line)).toEqual([]);
    expect(oldWordsIn('test/support/other.js', line)).toHaveLength(1);
  });

  test.each([
    ["state: 'noAccount'", 'no_account'],
    ['MESSAGES_HELD', 'MESSAGES_UNRESOLVED'],
    ['npx everpost campaign watch sale', 'everpost campaign show|show --watch|update'],
    ['EVERPOST_SETTLE=15s', 'EVERPOST_SETTLE_TIME'],
  ])('finds old public names: %s', (line, use) => {
    expect(oldWordsIn('docs/some.md', line, OLD_PUBLIC_NAMES)).toEqual([expect.stringContaining(`Use: ${use}`)]);
  });
});
