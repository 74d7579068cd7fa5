/** The encryption of everything that EVERPOST_ENCRYPTION_KEYS encrypts: AES-256-GCM. */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { AppError, type EncryptionKeys } from '../contract/index.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with the first key, decrypts with the key that is named. Bytes are nonce (12), ciphertext, tag (16).
 * @param keys  without keys, nothing is encrypted or decrypted
 * @returns `current`: absent without keys
 */
export function cipherOf(keys: EncryptionKeys | undefined) {
  const known = new Map(keys?.map(({ id, secret }) => [id, createSecretKey(secret.reveal(), 'base64')]));
  const [first] = keys ?? [];
  const key = first && known.get(first.id);
  return {
    current: first &&
      key && { id: first.id, encrypt: (plain: Uint8Array, bound?: string) => encrypt(key, plain, bound) },

    /**
     * @param what   for the message, e.g. `A payload`
     * @param bound  the text that the bytes were bound to when they were encrypted
     * @throws AppError ENCRYPTION_KEY_MISSING
     */
    decrypt(what: string, id: string, bytes: Uint8Array, bound?: string): Buffer {
      const named = known.get(id);
      if (named === undefined) {
        throw new AppError(
          'ENCRYPTION_KEY_MISSING',
          `${what} was encrypted with key ${/^[\w.-]{1,64}$/.test(id) ? id : '(an invalid key id)'}, which is not configured. Add it to EVERPOST_ENCRYPTION_KEYS, after the first one.`,
        );
      }
      try {
        return decrypt(named, bytes, bound);
      } catch (cause) {
        throw new AppError(
          'ENCRYPTION_KEY_MISSING',
          `${what} that names key ${id} was not encrypted with it, or was changed. Compare the keys of all workers and clients.`,
          { cause },
        );
      }
    },
  };
}

function encrypt(key: KeyObject, plain: Uint8Array, bound = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, bytes: Uint8Array, bound = ''): Buffer {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('too short');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
