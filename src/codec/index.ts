/** Encryption with EVERPOST_ENCRYPTION_KEYS: the payloads in Temporal's histories, and secrets in the ledger. */
export { atRest } from './at-rest.js';
export { dataConverter, payloadCodec, readPayload } from './payload-codec.js';
