/**
 * The texts of sensitive messages as they are stored, and the hashes of texts.
 *
 * SECRET-1 A row of a sensitive message has in `content` only what is shown, and in `hidden` the texts, sealed. Rows of
 *    one message share a place, so that a statement can copy the column between them.
 * SECRET-2 Hashes of texts have a key, since a code of six digits could be found by trying all of them. The key is sealed
 *    like the texts. All messages have such a hash, so that a sensitive message and another one with the same text are
 *    identical. Without the key nothing has such a hash: with another one, it would equal none of those before and after.
 * SECRET-3 `hidden` is removed once nothing can need it, and never while the message may be posted ({@link removeTexts}).
 */
import { createHmac } from 'node:crypto';
import type { AppError, AtRest, MessageContent, MessageId } from '../../contract/index.js';
import { hideTexts, revealTexts, type HiddenFields } from '../../domain/index.js';
import { bodyHash } from '../storage/hashes.js';
import { jsonText } from '../storage/statements.js';
import { LedgerPart, type Store } from '../storage/store.js';

export class Texts {
  readonly #atRest: AtRest;
  readonly #textKey: string | AppError;

  constructor(atRest: AtRest, textKey: string | AppError) {
    this.#atRest = atRest;
    this.#textKey = textKey;
  }

  /** Keyed. The same value always has the same hash in this ledger. @throws AppError ENCRYPTION_KEY_MISSING */
  hash(value: string): string {
    if (typeof this.#textKey !== 'string') throw this.#textKey;
    return `keyed:${createHmac('sha256', this.#textKey).update(value).digest('hex')}`;
  }

  /** Equal for identical messages: see {@link bodyHash}. */
  bodyHash(content: MessageContent): string {
    return this.hash(bodyHash(content));
  }

  seal(id: MessageId, hidden: HiddenFields): string {
    return this.#atRest.seal(jsonText(hidden), placeOf(id));
  }

  /** @throws AppError ENCRYPTION_KEY_MISSING */
  open(id: MessageId, hidden: string): HiddenFields {
    return JSON.parse(this.#atRest.open(hidden, placeOf(id))) as HiddenFields;
  }

  /** The columns of a sensitive message's content; for any other message only `content`. */
  columnsOf(
    id: MessageId,
    content: MessageContent,
    isSensitive: boolean,
  ): { readonly content: MessageContent; readonly text_length?: number; readonly hidden?: string } {
    if (!isSensitive) return { content };
    const { content: shown, hidden, textLength } = hideTexts(content);
    return { content: shown, text_length: textLength, hidden: this.seal(id, hidden) };
  }

  /** The content with its texts, unless they were removed. @throws AppError ENCRYPTION_KEY_MISSING */
  reveal(id: MessageId, { content, hidden }: { readonly content: MessageContent; readonly hidden: string | null }) {
    return hidden === null ? content : revealTexts(content, this.open(id, hidden));
  }
}

function placeOf(id: MessageId): string {
  return `text of ${id}`;
}

/** A part of the ledger that reads or writes texts. */
export abstract class TextPart extends LedgerPart {
  protected readonly texts: Texts;

  constructor(store: Store, texts: Texts) {
    super(store);
    this.texts = texts;
  }
}
