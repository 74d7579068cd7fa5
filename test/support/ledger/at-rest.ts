import { atRest } from '../../../src/codec/at-rest.js';
import { parseEncryptionKeys } from '../../../src/contract/index.js';

/** As without EVERPOST_ENCRYPTION_KEYS. */
export const UNENCRYPTED = { atRest: atRest(undefined) };

/** As with keys: most tests run with them, so that no part works only with plain columns. */
export const ENCRYPTED = { atRest: atRest(parseEncryptionKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`)) };
