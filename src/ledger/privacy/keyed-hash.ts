/**
 * What an erasure leaves of a hash whose data it erased. The hash itself would let a reader of the row try every number.
 * The same data still has the same keyed hash, so that a repeated request or notification is recognized.
 */
import { type RawBuilder, sql } from 'kysely';

/** For a column of text. Keyed only once; a sealed hash tells a reader of the row nothing. */
export function keyedText(column: string): RawBuilder<string> {
  const hash = sql.ref(column);
  return sql`case when ${hash} like 'hash:%' or ${hash} like 'enc:%' then ${hash} else chat_hash(${hash}) end`;
}

/** For a hash as a uuid. Null while no recipient was ever erased. */
export function keyedUuid(hash: RawBuilder<unknown>): RawBuilder<string> {
  return sql`substr(chat_hash(${hash}::text), 6, 32)::uuid`;
}
