/**
 * Encrypts secrets in the ledger's columns. Stored is `enc:<key id>:<base64>`, or the text itself without keys.
 *
 * REST-1 A text that was stored without keys is read unchanged, so keys may be configured at any time. A text that
 *    begins like a stored form gets the mark `plain:`, so it is never read as one.
 * REST-2 The first key encrypts. A stored text is read as long as the key that it names is configured.
 * REST-3 A stored text belongs to its place, a column of one row: copied to another place, it cannot be read.
 */
import type { AtRest, EncryptionKeys } from '../contract/index.js';
import { cipherOf } from './aes.js';

const PLAIN = 'plain:';
const ENCRYPTED = /^enc:(?<id>[^:]*):(?<bytes>.*)$/s;

/** @param keys  without keys, nothing is encrypted, and encrypted texts cannot be read */
export function atRest(keys: EncryptionKeys | undefined): AtRest {
  const cipher = cipherOf(keys);
  return {
    seal(text, place) {
      if (cipher.current === undefined) return /^(enc|plain):/.test(text) ? PLAIN + text : text;
      return `enc:${cipher.current.id}:${cipher.current.encrypt(Buffer.from(text), place).toString('base64')}`;
    },
    open(stored, place) {
      const { id, bytes } = ENCRYPTED.exec(stored)?.groups ?? {};
      if (id === undefined || bytes === undefined) {
        return stored.startsWith(PLAIN) ? stored.slice(PLAIN.length) : stored;
      }
      return cipher.decrypt(`The stored ${place}`, id, Buffer.from(bytes, 'base64'), place).toString();
    },
    current: cipher.current === undefined ? '' : `enc:${cipher.current.id}:`,
  };
}
