import { Option } from 'commander';
import { SuppressionScope, type Suppression } from '../../../contract/index.js';

/** One entry in one line: recipient, account, scope, author and time; and what became of it. */
export function suppressionLine(entry: Suppression): string {
  const { chatId, instance = 'all accounts', scope, source, since, word, note, removedAt, removedBy } = entry;
  const words = [
    chatId,
    instance,
    scope,
    source,
    word === undefined ? undefined : JSON.stringify(word),
    `since ${since}`,
    note,
    removedAt === undefined ? undefined : `removed ${removedAt} by ${removedBy}`,
    entry.startWordAt === undefined ? undefined : `has said START since (${entry.startWordAt})`,
    entry.id,
  ];
  return words.filter((part) => part !== undefined).join('  ');
}

export function scopeOption(): Option {
  return new Option('--scope <scope>', 'all: transactional messages too (default: marketing)').choices(
    Object.values(SuppressionScope),
  );
}

export const COUNTRY_OPTION = [
  '--country <code>',
  "of numbers written without their country's prefix, e.g. DE",
] as const;
