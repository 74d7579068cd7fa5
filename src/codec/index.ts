/** Encryption of what stands in Temporal's histories. */
export { dataConverter } from './data-converter.js';
export { payloadCodec } from './payload-codec.js';
export { readPayload } from './read-payload.js';
