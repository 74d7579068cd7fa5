/**
 * Hashes with the key of this ledger. Numbers are few: an unkeyed hash of one, or of a request that contains one, could
 * be found by trying them all. Everything that the ledger stores of such a hash has this key, so that rows without the
 * key confirm no guess, and an erasure can leave the hash: a repeated request or notification is still recognized.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Db, onlyRow } from './store.js';

function keyed(value: string | RawBuilder<unknown>) {
  return sql`sha256((select hash_key from ledger_identity) || convert_to((${value})::text, 'UTF8'))`;
}

/** `hash:` and 64 hexadecimal digits. */
export function keyedHash(value: string | RawBuilder<unknown>): RawBuilder<string> {
  return sql`('hash:' || encode(${keyed(value)}, 'hex'))`;
}

/** 128 bits, for indexes with many entries. */
export function keyedUuid(value: string | RawBuilder<unknown>): RawBuilder<string> {
  return sql`encode(substr(${keyed(value)}, 1, 16), 'hex')::uuid`;
}

/** {@link keyedHash} of one value. */
export async function keyedHashOf(db: Db, value: string): Promise<string> {
  return (await onlyRow(db, sql<{ hash: string }>`select ${keyedHash(value)} as hash`)).hash;
}
