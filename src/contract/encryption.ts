import { Secret } from './secret.js';

/** A key of AES-256-GCM for the payloads in Temporal. */
export interface EncryptionKey {
  /** Stands in clear beside each payload that it encrypted. */
  readonly id: string;
  /** 32 bytes in base64. */
  readonly secret: Secret;
}

/** The first one encrypts, all of them decrypt. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];

const KEY = /^([\w.-]{1,64}):([\w+/-]{43}=?)$/;

/**
 * Reads `id:key,id:key`, each key 32 bytes in base64.
 * @throws Error with the reason, which shows no key
 */
export function parseEncryptionKeys(text: string): EncryptionKeys {
  const keys = text.split(',').map((part, at) => {
    const [, id, key] = KEY.exec(part.trim()) ?? [];
    if (id === undefined || key === undefined) {
      throw new Error(
        `entry ${at + 1} is not <id>:<32 bytes in base64>. Make one: echo "key1:$(openssl rand -base64 32)"`,
      );
    }
    return { id, secret: new Secret(key) };
  });
  const ids = new Set(keys.map(({ id }) => id));
  if (ids.size < keys.length) throw new Error('names a key id twice');
  const [first, ...others] = keys;
  if (first === undefined) throw new Error('names no key');
  return [first, ...others];
}
