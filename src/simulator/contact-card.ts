import type { JsonObject } from './json.js';
import type { Contact } from './outgoing-item.js';

/**
 * A contact as a phone receives it: a display name and a card.
 * @source public samples of contact messages in notifications and journals
 */
export function contactCard({ phoneContact, firstName, middleName, lastName, company }: Contact): JsonObject {
  const displayName = [firstName, middleName, lastName].filter((name) => name !== undefined && name !== '').join(' ');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${[lastName, firstName, middleName].map((name) => escaped(name ?? '')).join(';')};;`,
    `FN:${escaped(displayName)}`,
    ...(company === undefined ? [] : [`ORG:${escaped(company)}`]),
    `TEL;type=CELL;waid=${phoneContact}:+${phoneContact}`,
    'END:VCARD',
  ];
  return { displayName, vcard: lines.join('\n') };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll('\n', '\\n');
}
