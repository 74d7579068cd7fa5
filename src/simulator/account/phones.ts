import type { Json } from '../wire/wire.js';
import type { ContentKind } from './outgoing-item.js';

/** One message as the recipient's phone shows it. Times are ISO UTC by the simulator's clock. */
export interface DeliveredMessage {
  readonly idInstance: string;
  readonly idMessage: string;
  readonly chatId: string;
  readonly kind: ContentKind;
  readonly typeMessage: string;
  /** Whether it is shown as forwarded, with the `typeMessage` and content of the original. */
  readonly isForwarded?: true;
  /** The current text, caption of a file or question of a poll. */
  text: string | null;
  readonly at: string;
  readonly edits: { readonly text: string; readonly at: string }[];
  readonly fileName?: string;
  readonly urlFile?: string;
  /** `name`, `options` of `optionName`, `multipleAnswers`. */
  readonly poll?: Json;
  /** `latitude`, `longitude`, `nameLocation`, `address`. */
  readonly location?: Json;
  /** The card: `displayName` and `vcard`. */
  readonly contact?: Json;
  readonly quotedMessageId?: string;
  readonly backgroundColor?: string;
  readonly font?: string;
  /** The audience of a status. */
  readonly visibleTo?: 'all contacts' | readonly string[];
}

/** The messages that the phones received, in order: the reference for lost and duplicate messages. */
export class Phones {
  readonly #received: DeliveredMessage[] = [];

  get received(): readonly DeliveredMessage[] {
    return this.#received;
  }

  receive(message: DeliveredMessage): void {
    this.#received.push(message);
  }

  showEdit(idMessage: string, text: string, atMs: number): void {
    const shown = this.#received.find((message) => message.idMessage === idMessage);
    if (shown === undefined) return;
    shown.text = text;
    shown.edits.push({ text, at: new Date(atMs).toISOString() });
  }
}
