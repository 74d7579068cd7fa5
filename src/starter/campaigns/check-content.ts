import { AppError, type Problem } from '../../contract/index.js';
import { contentSchema } from '../../contract/schemas.js';
import { asOperation, pathInMessage } from '../content-fields.js';
import type { CheckOperation } from '../message-request.js';
import { problemsOf } from '../../domain/index.js';

/** A placeholder for a chat that is not known yet. */
const SOME_CHAT = '10000000000@c.us';

/** Everything that keeps a content from being sent to one chat; paths as in a message: `content.text`. */
export function contentProblems(content: unknown, checkOperation: CheckOperation, chatId = SOME_CHAT): Problem[] {
  const read = contentSchema.safeParse(content);
  if (!read.success) return problemsOf(read.error).map(({ path, message }) => ({ path: `content.${path}`, message }));
  const { operation, request } = asOperation(chatId, read.data);
  try {
    checkOperation(operation, request);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.next !== 'stop') throw error;
    const problems = error.problems ?? [{ path: '', message: error.message }];
    return problems.map(({ path, message }) => ({
      path: path === '' ? 'content' : pathInMessage(read.data.kind, path),
      message,
    }));
  }
}
