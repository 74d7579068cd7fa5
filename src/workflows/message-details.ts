import type { MessageContent, MessageSnapshot } from '../contract/index.js';

/** What the Web UI shows of a message, in Markdown: its state and since when, no phone number and no text. */
export function messageDetails(instance: string, kind: MessageContent['kind'], row: MessageSnapshot): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['State', `**${row.state}**`],
    ['Reason', row.reason],
    ['Instance', instance],
    ['Kind', kind],
    ['Gateway id', row.idMessage],
    ['Accepted', row.acceptedAt],
    ['Sent', row.sentAt],
    ['Editable until', row.editableUntil],
    ['Never posted after', row.acceptedAt === undefined ? row.expiresAt : undefined],
    ...row.edits.map((edit, index) => [`Edit ${index + 1}`, `${edit.state}${via(edit.via)}`] as const),
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`| ${name} | ${value} |`]));
  return ['| | |', '|---|---|', ...lines].join('\n');
}

function via(word: 'before_send' | 'gateway' | undefined): string {
  return word === 'before_send' ? ', before it left our hands' : '';
}
