import {
  AppError,
  parseDurationMs,
  type ApiKey,
  type Clock,
  type InstanceDirectory,
  type Scope,
} from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { hashOf, newKeyId, newKeyText } from './key-text.js';
import type { Keyring } from './keyring.js';

export interface AskedKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly instances?: readonly string[] | undefined;
  readonly ratePerSecond?: number | undefined;
  readonly expiresIn?: string | undefined;
}

/** With the key itself, which is shown this once. */
export interface IssuedKey extends ApiKey {
  readonly key: string;
}

/** Every method but create and list throws AppError KEY_NOT_FOUND. */
export interface Keys {
  /** @throws AppError KEY_EXISTS | INSTANCE_NOT_FOUND */
  create(asked: AskedKey, witness: string): Promise<IssuedKey>;
  list(): Promise<ApiKey[]>;
  view(name: string): Promise<ApiKey>;
  /** @param overlap  how long the key before is valid as well, e.g. `24h` */
  rotate(name: string, overlap: string): Promise<IssuedKey>;
  revoke(name: string): Promise<ApiKey>;
}

export function createKeys({
  ledger: { apiKeys },
  clock,
  keyring,
  instances: directory,
}: {
  readonly ledger: Pick<Ledger, 'apiKeys'>;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly instances: InstanceDirectory;
}): Keys {
  return {
    list: () => apiKeys.list(),
    view: (name) => apiKeys.view(name),

    async create({ name, scopes, instances, ratePerSecond, expiresIn }, witness) {
      for (const instance of instances ?? []) directory.get(instance);
      if (keyring.configuredNames().includes(name)) throw isConfigured(name);
      const [id, nowMs] = [newKeyId(), clock.nowMs()];
      const key = newKeyText(id);
      const created = await apiKeys.create({
        id,
        name,
        hash: hashOf(key),
        scopes,
        instances,
        ratePerSecond,
        expiresAtMs: expiresIn === undefined ? undefined : nowMs + parseDurationMs(expiresIn),
        createdBy: witness,
        nowMs,
      });
      return { ...created, key };
    },

    async rotate(name, overlap) {
      const { id } = await apiKeys.view(name);
      const key = newKeyText(id);
      const rotated = await apiKeys.rotate(name, hashOf(key), clock.nowMs() + parseDurationMs(overlap));
      keyring.forget(id);
      return { ...rotated, key };
    },

    async revoke(name) {
      const revoked = await apiKeys.revoke(name, clock.nowMs());
      keyring.forget(revoked.id);
      return revoked;
    },
  };
}

function isConfigured(name: string): AppError {
  return new AppError(
    'KEY_EXISTS',
    `There is a key ${name} among EVERPOST_API_KEYS: two witnesses would have one name. Choose another name.`,
  );
}
