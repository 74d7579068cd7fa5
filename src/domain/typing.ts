/**
 * Typing that the gateway shows in the chat before it sends a message: the field `typingTime` of the send.
 *
 * TYPING-1 A duration `typing` of a message or campaign becomes the `typingTime` of its content, in the unit of its
 *    operation: seconds for a file, rounded up, else milliseconds. An operation that documents no such field does not
 *    get it: the request is refused.
 * TYPING-2 A content's own `typingTime` is not changed; a request with both is refused.
 */
import { factsOf, MESSAGE_KINDS, type MessageKind, parseDurationMs, type Problem } from '../contract/index.js';

const KINDS_WITH_TYPING = MESSAGE_KINDS.filter((kind) => factsOf(kind).typingUnitMs !== undefined);

/** A message's content, or a template of it. */
interface Content {
  readonly kind: MessageKind;
  readonly typingTime?: unknown;
}

/** TYPING-1, TYPING-2: the content as it is sent. @param typing  a duration, as in the request */
export function withTyping<Any extends Content>(content: Any, typing: string | undefined): Any {
  const { typingUnitMs: unitMs } = factsOf(content.kind);
  if (typing === undefined || unitMs === undefined || content.typingTime !== undefined) return content;
  return { ...content, typingTime: Math.ceil(parseDurationMs(typing) / unitMs) };
}

/** How long the gateway shows typing before this content; 0 if it is unknown, as for a variable. */
export function typingMsOf({ kind, typingTime }: Content): number {
  return (Number(typingTime) || 0) * (factsOf(kind).typingUnitMs ?? 0);
}

export function typingProblems({ kind, typingTime }: Content, typing: string | undefined): Problem[] {
  if (typing === undefined) return [];
  const problem = (message: string) => [{ path: 'typing', message }];
  if (typingTime !== undefined) return problem('is given twice: remove it, or the typingTime of the content');
  if (KINDS_WITH_TYPING.includes(kind)) return [];
  return problem(`is not possible for a ${kind}: the gateway shows it only before ${KINDS_WITH_TYPING.join(', ')}`);
}
