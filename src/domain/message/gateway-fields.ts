import {
  KIND_SENT_BY,
  SEND_OPERATION,
  factsOf,
  linkToCheck,
  type FileContent,
  type MessageContent,
  type MessageKind,
  type OperationName,
  type SendOperation,
  present,
} from '../../contract/index.js';

/** A placeholder for a chat that is not known yet, so that a request to the gateway can be checked. */
export const SOME_CHAT = '10000000000@c.us';

/** The gateway operation that sends this content, with its body. */
export function asOperation(
  chatId: string | undefined,
  content: MessageContent,
): { operation: SendOperation; request: Record<string, unknown> } {
  const { kind, ...fields } = content.kind === 'file' ? withLink(content) : content;
  return {
    operation: SEND_OPERATION[kind],
    request: { ...present({ chatId }), ...renamed(fields, factsOf(kind).names) },
  };
}

function withLink(content: FileContent) {
  const { fileId: _, ...fields } = content;
  return { ...fields, url: linkToCheck(content) };
}

function renamed(fields: object, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
}

/** The inverse of {@link asOperation}: an operation's body as recipient and content, both unchecked. */
export function asContent(
  operation: SendOperation,
  request: Readonly<Record<string, unknown>>,
): { to?: unknown; content: Record<string, unknown> } {
  const kind = KIND_SENT_BY[operation];
  // An operation contains the template's id itself.
  const renamedFields = kind === 'template' ? [] : Object.entries(factsOf(kind).names);
  const names = Object.fromEntries(renamedFields.map(([ours, theirs]) => [theirs, ours]));
  const { chatId, ...fields } = request;
  return { ...present({ to: chatId }), content: { ...renamed(fields, names), kind } };
}

/** The path in the body of `POST /v1/messages` for a path of the gateway's contract. */
export function pathInMessage(kind: MessageKind, gatewayPath: string): string {
  if (gatewayPath === 'chatId') return 'to';
  const [head, rest] = splitPath(gatewayPath);
  const ours = Object.entries(factsOf(kind).names).find(([, theirs]) => theirs === head)?.[0] ?? head;
  return `content.${ours}${rest}`;
}

/** The path in the body of `POST /v1/operations/{method}` for a path of a message's schema. */
export function pathInOperation(kind: MessageKind, messagePath: string): string {
  if (messagePath === 'to') return 'request.chatId';
  if (!messagePath.startsWith('content.')) return messagePath;
  const [head, rest] = splitPath(messagePath.slice('content.'.length));
  return `request.${factsOf(kind).names[head] ?? head}${rest}`;
}

/** The first field of a path, and the rest of the path. */
function splitPath(path: string): [head: string, rest: string] {
  const [, head = path, rest = ''] = /^([^.[]+)(.*)$/.exec(path) ?? [];
  return [head, rest];
}

export function isSendOperation(method: OperationName): method is SendOperation {
  return Object.hasOwn(KIND_SENT_BY, method);
}
