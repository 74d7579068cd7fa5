/** What a notification shows of a message or a call of a contact, or of a message that was written on the phone. */
import { isRecord, present } from '../contract/index.js';
import { messageText } from './message-text.js';

/** `edit`, `deletion` and `reaction` refer to an earlier message. */
export const RECEIVED_KINDS = ['message', 'edit', 'deletion', 'reaction', 'call'] as const;

/** `refersTo`: the gateway's id of the earlier message, also of one that is quoted. */
export interface ReceivedFacts {
  readonly what: (typeof RECEIVED_KINDS)[number];
  readonly idMessage?: string;
  /** The gateway's `typeMessage`; of a call its `status`. */
  readonly type?: string;
  /** What was typed or chosen; of a reaction, the emoji. */
  readonly text?: string;
  /** How the sender calls themselves. */
  readonly name?: string;
  readonly fileName?: string;
  readonly fileUrl?: string;
  readonly refersTo?: string;
}

/** Lenient: any JSON is read, and a field that has another type than it should is absent. */
export function receivedFacts(body: unknown): ReceivedFacts {
  const { typeWebhook, idMessage, status, senderData, messageData } = recordOf(body);
  const { senderName } = recordOf(senderData);
  const common = present({ idMessage: textOf(idMessage), name: textOf(senderName) });
  if (typeWebhook === 'incomingCall') return { what: 'call', ...common, ...present({ type: textOf(status) }) };
  return { ...common, ...contentOf(recordOf(messageData)) };
}

function contentOf(data: Readonly<Record<string, unknown>>): ReceivedFacts {
  const type = textOf(data['typeMessage']) ?? '';
  const edited = recordOf(data['editedMessageData']);
  const quoted = textOf(recordOf(data['quotedMessage'])['stanzaId']);
  switch (type) {
    case 'editedMessage': {
      const text = textOf(edited['textMessage']) ?? textOf(edited['caption']);
      return { what: 'edit', type, ...present({ text, refersTo: textOf(edited['stanzaId']) }) };
    }
    case 'deletedMessage':
      return {
        what: 'deletion',
        type,
        ...present({ refersTo: textOf(recordOf(data['deletedMessageData'])['stanzaId']) }),
      };
    case 'reactionMessage': {
      const text = textOf(recordOf(data['extendedTextMessageData'])['text']);
      return { what: 'reaction', type, ...present({ text, refersTo: quoted }) };
    }
    default: {
      const { fileName, downloadUrl } = recordOf(data['fileMessageData']);
      const { text } = messageText(type, data);
      const file = { fileName: textOf(fileName), fileUrl: textOf(downloadUrl) };
      return { what: 'message', ...(type === '' ? {} : { type }), ...present({ text, ...file, refersTo: quoted }) };
    }
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
