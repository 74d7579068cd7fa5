/** Takes a number out of JSON that someone else wrote, with what stands beside it. */

/** What counts, orders and relates rows: these values stay, unless they name the number themselves. */
const KEPT = new Set([
  'typeWebhook',
  'typeMessage',
  'idMessage',
  'idInstance',
  'typeInstance',
  'type',
  'kind',
  'timestamp',
  'status',
  'state',
  'sendByApi',
  'isAdmin',
  'isSuperAdmin',
]);

export type Mentions = (text: string) => boolean;

/**
 * Blanks each object that names the number; of a list only those entries that do. So a member is blanked in a group, a
 * message in a journal, and a notification as a whole.
 */
export function blankMentions(value: unknown, mentions: Mentions): unknown {
  if (!mentions(JSON.stringify(value) ?? '')) return value;
  if (Array.isArray(value)) return value.map((one) => blankMentions(one, mentions));
  if (value === null || typeof value !== 'object') return blank(value, mentions);
  const entries = Object.entries(value);
  const isAbout = entries.some(([name, inner]) => mentions(name) || (!holdsList(inner) && mentions(textOf(inner))));
  if (isAbout) return blank(value, mentions);
  return Object.fromEntries(entries.map(([name, inner]) => [name, blankMentions(inner, mentions)]));
}

function holdsList(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return value !== null && typeof value === 'object' && Object.values(value).some(holdsList);
}

/** Every value of it, but for the kept ones. */
export function blank(value: unknown, mentions: Mentions, isKept = false): unknown {
  if (Array.isArray(value)) return value.map((one) => blank(one, mentions));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !mentions(name))
        .map(([name, inner]) => [name, blank(inner, mentions, KEPT.has(name))]),
    );
  }
  if (isKept && !mentions(textOf(value))) return value;
  if (typeof value === 'string') return '';
  return typeof value === 'number' ? 0 : value;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** How a number stands in texts: alone, or before `@c.us`. */
export function mentionPattern(digits: readonly string[]): string {
  return `(^|[^0-9A-Za-z])(${digits.join('|')})(?![0-9])`;
}
