/**
 * Types of columns where PostgreSQL's types alone do not say enough; `schema.ts` is generated with them. JSON is stored
 * as `json`, not `jsonb`, since nothing here searches inside. What operators and gateways write may hold U+0000 or half
 * a surrogate pair: see `storage/statements.ts`.
 */
import type { ColumnType } from 'kysely';

/** Read as its parsed value, written as JSON text. */
export type Json<Value = unknown> = ColumnType<Value, string, string>;

export type OptionalJson<Value = unknown> = ColumnType<Value | null, string | null | undefined, string | null>;

/** bigint, which one driver reads as text and the other as a number. */
export type Big = string | number | bigint;

/** Filled by a sequence; never written by hand. */
export type Sequence = ColumnType<Big, never, never>;

/**
 * Whether a message has a workflow: it has none, one is to be started, one was started and has not read its row, one is
 * signalled about changes.
 */
export type RunState = 'none' | 'wanted' | 'starting' | 'started';

export type OperationState = 'pending' | 'sending' | 'done' | 'failed' | 'may_have_happened';

/** How a notification is out of the ordinary. It is kept all the same. */
export type Oddity =
  /** Over the limit: only its beginning was kept. */
  | 'cut'
  /** No JSON, or none that names its kind. */
  | 'malformed'
  /** It names another idInstance than the one whose address it came to. */
  | 'another_instance'
  /** A `typeWebhook` that is not known here. */
  | 'unknown_kind'
  /** Its subject is missing. */
  | 'incomplete';
