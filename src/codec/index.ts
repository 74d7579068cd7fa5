/** Encryption of the payloads in Temporal's histories. */
export { dataConverter } from './payload-codec.js';
export { payloadCodec } from './payload-codec.js';
export { readPayload } from './payload-codec.js';
