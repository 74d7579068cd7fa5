/**
 * What columns hold that PostgreSQL's types alone do not say; `schema.ts` is generated with them. JSON is stored as
 * `json`, not `jsonb`, since nothing here searches inside. What operators and gateways write may hold U+0000 or half a
 * surrogate pair: see `storable.ts`.
 */
import type { ColumnType } from 'kysely';

/** Read as its parsed value, written as JSON text. */
export type Json<Value = unknown> = ColumnType<Value, string, string>;
export type OptionalJson<Value = unknown> = ColumnType<Value | null, string | null | undefined, string | null>;
/** bigint, which one driver reads as text and the other as a number. */
export type Big = string | number | bigint;
/** Filled by a sequence; never written by hand. */
export type Sequence = ColumnType<Big, never, never>;
