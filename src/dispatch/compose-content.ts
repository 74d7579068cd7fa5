import { AppError, type ContentTemplate, type MessageContent } from '../contract/index.js';
import { renderContent } from '../domain/index.js';
import { contentSchema } from '../contract/schemas.js';
import type { Gateway } from '../gateway/index.js';
import type { Composed, ReadRecipient } from '../ledger/index.js';
import { checkMessage } from './post-message.js';

/** What one recipient is sent: the template with their values in it, or the text that was written for them alone. */
export function composeContent(
  gateway: Gateway,
  instance: string,
  template: ContentTemplate,
  { chatId, values, ownContent }: ReadRecipient,
): Composed {
  const rendered = ownContent ?? renderContent(template, values);
  const read = contentSchema.safeParse(rendered);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept for the report, and never posted
  if (!read.success) return { content: rendered as MessageContent, problem: read.error.issues.map(wordsOf).join('; ') };
  try {
    checkMessage(gateway, { instance, chatId, content: read.data });
    return { content: read.data };
  } catch (error) {
    if (!(error instanceof AppError) || error.problems === undefined) throw error;
    return { content: read.data, problem: error.problems.map(({ message }) => message).join('; ') };
  }
}

function wordsOf({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return `${path.map(String).join('.')}: ${message}`;
}
