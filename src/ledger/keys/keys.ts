/**
 * Named API keys.
 *
 * KEY-1 Only a SHA-256 hash of a key is stored. Its secret part is 256 random bits and cannot be guessed, so a slow
 *    hash would only slow down requests.
 * KEY-2 A name belongs to one key permanently, also after its revocation: evidence and the audit list name keys by it.
 * KEY-3 A rotation gives the same key (name, id, scopes, instances) another secret part. The previous one stays valid
 *    for the requested overlap; older ones are invalid.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type ApiKey, AppError, type Scope } from '../../contract/index.js';
import type { ApiKeysTable } from '../storage/schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { LedgerPart } from '../storage/store.js';

export interface NewApiKey {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly instances?: readonly string[] | undefined;
  readonly ratePerSecond?: number | undefined;
  readonly expiresAtMs?: number | undefined;
  readonly createdBy: string;
  readonly nowMs: number;
}

/** A key with the hashes that a given key is compared with. */
export interface KnownApiKey extends ApiKey {
  readonly hash: string;
  readonly previousHash?: string;
}

type KeyRow = Selectable<ApiKeysTable>;

export class ApiKeys extends LedgerPart {
  /** @throws AppError KEY_EXISTS */
  async create(key: NewApiKey): Promise<ApiKey> {
    const { id, name, hash, scopes, instances, ratePerSecond, expiresAtMs, createdBy, nowMs } = key;
    const row = await this.database.row(sql<KeyRow>`
      insert into api_keys (id, name, hash, scopes, instances, rate_per_second, created_at, created_by, expires_at)
      values (${id}, ${name}, ${hash}, ${jsonText(scopes)}, ${instances && jsonText(instances)}, ${ratePerSecond},
        ${new Date(nowMs)}, ${createdBy}, ${expiresAtMs === undefined ? null : new Date(expiresAtMs)})
      on conflict (name) do nothing returning *`);
    if (row !== undefined) return keyOf(row);
    throw new AppError(
      'KEY_EXISTS',
      `The key name ${name} is or was in use, and a name is never reused. Choose another name; or give this key a new secret: everpost key rotate ${name}`,
    );
  }

  /** By the non-secret part of the key. */
  async known(id: string): Promise<KnownApiKey | undefined> {
    const row = await this.database.row(sql<KeyRow>`select * from api_keys where id = ${id}`);
    return row && { ...keyOf(row), ...shown(row, 'hash', 'previous_hash') };
  }

  /** By name. @throws AppError KEY_NOT_FOUND */
  async view(name: string): Promise<ApiKey> {
    const row = await this.database.row(sql<KeyRow>`select * from api_keys where name = ${name}`);
    if (row === undefined) throw keyUnknown(name);
    return keyOf(row);
  }

  /** By name, also revoked ones. */
  async list(): Promise<ApiKey[]> {
    const rows = await this.database.rows(sql<KeyRow>`select * from api_keys order by name`);
    return rows.map(keyOf);
  }

  /** Whether a valid key with the right to create others exists. */
  async anyAdmin(nowMs: number): Promise<boolean> {
    const keys = await this.list();
    return keys.some((key) => key.scopes.includes('admin') && key.instances === undefined && isValidKey(key, nowMs));
  }

  /** KEY-3. @throws AppError KEY_NOT_FOUND, also for a revoked key */
  rotate(name: string, hash: string, previousUntilMs: number): Promise<ApiKey> {
    return this.#change(name, sql`previous_hash = hash, hash = ${hash}, previous_until = ${new Date(previousUntilMs)}`);
  }

  /** A second revocation changes nothing. @throws AppError KEY_NOT_FOUND */
  async revoke(name: string, nowMs: number): Promise<ApiKey> {
    const key = await this.view(name);
    if (key.revokedAt !== undefined) return key;
    return this.#change(name, sql`revoked_at = ${new Date(nowMs)}`);
  }

  async used(id: string, nowMs: number): Promise<void> {
    await this.database.rows(sql`update api_keys set last_used_at = ${new Date(nowMs)} where id = ${id}`);
  }

  /** For a key that is not revoked. */
  async #change(name: string, change: RawBuilder<unknown>): Promise<ApiKey> {
    const row = await this.database.row(sql<KeyRow>`
      update api_keys set ${change} where name = ${name} and revoked_at is null returning *`);
    if (row === undefined) throw keyUnknown(name);
    return keyOf(row);
  }
}

/** Neither revoked nor expired. */
export function isValidKey({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > nowMs);
}

function keyUnknown(name: string): AppError {
  return new AppError('KEY_NOT_FOUND', `There is no valid key ${name}. List keys: everpost key list`);
}

function keyOf(row: KeyRow): ApiKey {
  return {
    ...shown(row, 'id', 'name', 'scopes', 'created_at', 'created_by', 'instances', 'rate_per_second', 'last_used_at'),
    ...shown(row, 'expires_at', 'previous_until', 'revoked_at'),
  };
}
