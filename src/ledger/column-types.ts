/**
 * Types of columns where PostgreSQL's types alone do not say enough; `schema.ts` is generated with them. JSON is stored
 * as `json`, not `jsonb`, since nothing here searches inside. What operators and gateways write may hold U+0000 or half
 * a surrogate pair: see `storage/statements.ts`.
 */
import type { ColumnType } from 'kysely';

/** Read as its parsed value, written as JSON text. */
export type Json<Value = unknown> = ColumnType<Value, string, string>;

export type OptionalJson<Value = unknown> = ColumnType<Value | null, string | null | undefined, string | null>;

/** bigint: one driver reads it as a string and the other as a number. */
export type Big = string | number | bigint;

/** Filled by a sequence; never written by hand. */
export type Sequence = ColumnType<Big, never, never>;

/**
 * Whether a message has a workflow: it has none, one is to be started, one was started and has not read its row, one is
 * signalled about changes.
 */
export type RunState = 'none' | 'wanted' | 'starting' | 'started';

export type OperationState = 'pending' | 'sending' | 'done' | 'failed' | 'may_have_happened';

/** Why a notification is unusual. It is kept in any case. */
export type Oddity =
  /** Over the size limit: only its beginning was kept. */
  | 'cut'
  /** Not JSON, or without a type. */
  | 'malformed'
  /** It names another idInstance than the one that its address belongs to. */
  | 'another_instance'
  /** An unknown `typeWebhook`. */
  | 'unknown_kind'
  /** A required field is missing. */
  | 'incomplete';
