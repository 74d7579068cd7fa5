/** Encryption of the payloads in Temporal's histories. */
export { dataConverter, payloadCodec, readPayload } from './payload-codec.js';
