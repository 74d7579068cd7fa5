/** What everpost knows about a kind of message, besides the schema of its content and how witnesses show it. */
interface KindFacts {
  /** The gateway operation that sends it. */
  readonly operation: string;
  /** Its content goes to all contacts of the account, not to one chat. */
  readonly toAll?: true;
  /** The gateway may change the operation without notice. */
  readonly beta?: true;
  /** Fields of the content that have another name at the gateway. All others have the same name. */
  readonly names: Readonly<Record<string, string>>;
  /** The fields with its texts, which a sensitive message hides. A link is no text: the gateway needs it. */
  readonly texts: readonly string[];
  /** Milliseconds of one unit of `typingTime`, if its operation documents that field. */
  readonly typingUnitMs?: number;
  /** The content after an erasure: only the kind remains. */
  readonly erased: Readonly<Record<string, unknown>>;
}

/** Stands for an erased text. */
export const ERASED = '[erased]';

/**
 * Every kind of message. A further kind needs an entry here, a schema in `schemas/message.ts`, the gateway's contract in
 * `gateway/operations/sends.ts`, and an entry in `domain/reconcile/kinds.ts`: how witnesses show it.
 */
export const KINDS = {
  text: {
    operation: 'sendMessage',
    names: { text: 'message' },
    texts: ['text'],
    typingUnitMs: 1,
    erased: { text: ERASED },
  },
  file: {
    operation: 'sendFileByUrl',
    names: { url: 'urlFile' },
    texts: ['fileName', 'caption'],
    typingUnitMs: 1_000,
    erased: { url: 'https://erased.invalid/', fileName: ERASED },
  },
  status: {
    operation: 'sendTextStatus',
    toAll: true,
    beta: true,
    names: { text: 'message' },
    texts: ['text'],
    erased: { text: ERASED },
  },
  poll: {
    operation: 'sendPoll',
    names: {},
    texts: ['message', 'options'],
    typingUnitMs: 1,
    erased: { message: ERASED, options: [{ optionName: '1' }, { optionName: '2' }] },
  },
  location: { operation: 'sendLocation', names: {}, texts: [], erased: { latitude: 0, longitude: 0 } },
  contact: {
    operation: 'sendContact',
    names: {},
    texts: [],
    erased: { contact: { phoneContact: 0, firstName: ERASED } },
  },
  forward: {
    operation: 'forwardMessages',
    names: {},
    texts: [],
    typingUnitMs: 1,
    erased: { chatIdFrom: '10000000000@c.us', messages: [ERASED] },
  },
  template: {
    operation: 'sendTemplate',
    // The id is looked up when the message is sent. A request is checked with the name in place of the id.
    names: { elementName: 'templateId' },
    texts: ['params'],
    erased: { elementName: 'erased', params: [] },
  },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type MessageKind = keyof typeof KINDS;
export const MESSAGE_KINDS = Object.keys(KINDS) as readonly MessageKind[];

export function factsOf(kind: MessageKind): KindFacts {
  return KINDS[kind];
}

/** The gateway operation that sends each kind. */
export const SEND_OPERATION = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { operation }]) => [kind, operation]),
) as { readonly [Kind in MessageKind]: (typeof KINDS)[Kind]['operation'] };

/** The operations that put a message in front of a recipient. */
export type SendOperation = (typeof SEND_OPERATION)[MessageKind];

/** The inverse of {@link SEND_OPERATION}. */
export const KIND_SENT_BY = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { operation }]) => [operation, kind]),
) as {
  readonly [Operation in SendOperation]: {
    [Kind in MessageKind]: (typeof KINDS)[Kind]['operation'] extends Operation ? Kind : never;
  }[MessageKind];
};
