/**
 * Types of columns whose PostgreSQL type is not precise enough; `schema.ts` is generated with them. JSON is stored as
 * `json`, not `jsonb`, since nothing here searches inside. Texts of operators and gateways may contain U+0000 or half a
 * surrogate pair: see `statements.ts`.
 */
import type { ColumnType } from 'kysely';

/** Read as the parsed value, written as JSON text. */
export type Json<Value = unknown> = ColumnType<Value, string, string>;

export type OptionalJson<Value = unknown> = ColumnType<Value | null, string | null | undefined, string | null>;

/** bigint: one driver reads it as a string and the other as a number. */
export type Big = string | number | bigint;

/** Filled by a sequence; never written by hand. */
export type Sequence = ColumnType<Big, never, never>;

/** Whether a message has a workflow. `none`: no workflow. `wanted`: one has to be started. `started`: one shows it. */
export type RunState = 'none' | 'wanted' | 'started';

export type OperationState = 'pending' | 'sending' | 'done' | 'failed' | 'may_have_happened';

/** Why a notification is unusual. It is stored in any case. */
export type Oddity =
  /** Larger than the limit: only its beginning is stored. */
  | 'cut'
  /** Not JSON, or without a type. */
  | 'malformed'
  /** It contains another idInstance than the one that its address belongs to. */
  | 'another_instance'
  /** An unknown `typeWebhook`. */
  | 'unknown_kind'
  /** A required field is missing. */
  | 'incomplete'
  /** An incoming message whose chat is written in an unknown way. */
  | 'unreadable_chat'
  /** An incoming message with a text, of an unknown type. */
  | 'unknown_message_type';
