/**
 * Encrypts the payloads in Temporal's histories. The format is that of Temporal's samples, so that clients in other
 * languages read and write it: nonce (12 bytes), ciphertext, tag (16 bytes), over the whole payload as protobuf.
 *
 * CODEC-1 A payload that is not encrypted is read unchanged, so keys may be configured while runs are open.
 * CODEC-2 The first key encrypts. Every payload names its key, and is read as long as that key is configured.
 * CODEC-3 Without its key a payload cannot be read, but nothing fails permanently: the worker's task fails and is
 *    retried by another worker, or by this one once it has the key.
 */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Payload, PayloadCodec, DataConverter, LoadedDataConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import { AppError, type EncryptionKeys } from '../contract/index.js';
import { fileURLToPath } from 'node:url';

const ENCRYPTED = 'binary/encrypted';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** @param keys  without keys, nothing is encrypted, and encrypted payloads cannot be read */
export function payloadCodec(keys: EncryptionKeys | undefined): PayloadCodec {
  const known = new Map(keys?.map(({ id, secret }) => [id, createSecretKey(secret.reveal(), 'base64')]));
  const [first] = keys ?? [];
  const current = first && known.get(first.id);
  return {
    encode: async (payloads) =>
      first === undefined || current === undefined
        ? payloads
        : payloads.map((payload) => (isEncrypted(payload) ? payload : encrypt(payload, first.id, current))),
    decode: async (payloads) => payloads.map((payload) => (isEncrypted(payload) ? decrypt(payload, known) : payload)),
  };
}

function encrypt(payload: Payload, id: string, key: KeyObject): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  const plain = PayloadMessage.encode(payload).finish();
  return {
    metadata: {
      encoding: Buffer.from(ENCRYPTED),
      'encryption-cipher': Buffer.from('AES/GCM/NoPadding'),
      'encryption-key-id': Buffer.from(id),
    },
    data: Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]),
  };
}

function decrypt({ metadata, data }: Payload, known: ReadonlyMap<string, KeyObject>): Payload {
  const id = textOf(metadata?.['encryption-key-id']);
  const key = known.get(id);
  if (key === undefined) {
    throw new AppError(
      'ENCRYPTION_KEY_MISSING',
      `A payload was encrypted with key ${/^[\w.-]{1,64}$/.test(id) ? id : '(an invalid key id)'}, which is not configured. Add it to EVERPOST_ENCRYPTION_KEYS, after the first one.`,
    );
  }
  try {
    return PayloadMessage.decode(opened(data ?? new Uint8Array(), key));
  } catch (cause) {
    throw new AppError(
      'ENCRYPTION_KEY_MISSING',
      `A payload that names key ${id} was not encrypted with it, or was changed. Compare the keys of all workers and clients.`,
      { cause },
    );
  }
}

function opened(data: Uint8Array, key: KeyObject): Buffer {
  if (data.length < NONCE_BYTES + TAG_BYTES) throw new Error('too short');
  const decipher = createDecipheriv(CIPHER, key, data.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(data.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

function isEncrypted({ metadata }: Payload): boolean {
  return textOf(metadata?.['encoding']) === ENCRYPTED;
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes === undefined || bytes === null ? '' : Buffer.from(bytes).toString();
}

/** Temporal's SDK loads it by its path, with `require`. */
const FAILURE_CONVERTER_PATH = fileURLToPath(new URL('../../bin/encoding-failure-converter.cjs', import.meta.url));

/**
 * The data converter of clients and workers. With keys, it also encrypts the messages and stacks of failures.
 */
export function dataConverter(keys: EncryptionKeys | undefined): DataConverter {
  return {
    payloadCodecs: [payloadCodec(keys)],
    ...(keys === undefined ? {} : { failureConverterPath: FAILURE_CONVERTER_PATH }),
  };
}

/**
 * Decodes a payload that Temporal's service returned as stored.
 * @throws AppError ENCRYPTION_KEY_MISSING
 */
export async function readPayload<Value>(
  { payloadCodecs, payloadConverter }: LoadedDataConverter,
  payload: Payload,
): Promise<Value> {
  let payloads = [payload];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  const [decoded = payload] = payloads;
  return payloadConverter.fromPayload<Value>(decoded);
}
