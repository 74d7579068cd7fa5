/**
 * Encrypts the payloads in Temporal's histories. The format is that of Temporal's samples, so that clients in other
 * languages read and write it: nonce (12 bytes), ciphertext, tag (16 bytes), over the whole payload as protobuf.
 *
 * CODEC-1 A payload that is not encrypted is read unchanged, so keys may be configured while runs are open.
 * CODEC-2 The first key encrypts. Every payload names its key, and is read as long as that key is configured.
 * CODEC-3 Without its key a payload cannot be read, but nothing fails permanently: the worker's task fails and is
 *    retried by another worker, or by this one once it has the key.
 */
import type { Payload, PayloadCodec, DataConverter, LoadedDataConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { EncryptionKeys } from '../contract/index.js';
import { fileURLToPath } from 'node:url';
import { cipherOf } from './aes.js';

const ENCRYPTED = 'binary/encrypted';
const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** @param keys  without keys, nothing is encrypted, and encrypted payloads cannot be read */
export function payloadCodec(keys: EncryptionKeys | undefined): PayloadCodec {
  const { current, decrypt } = cipherOf(keys);
  return {
    encode: async (payloads) =>
      current === undefined
        ? payloads
        : payloads.map((payload) =>
            isEncrypted(payload)
              ? payload
              : {
                  metadata: {
                    encoding: Buffer.from(ENCRYPTED),
                    'encryption-cipher': Buffer.from('AES/GCM/NoPadding'),
                    'encryption-key-id': Buffer.from(current.id),
                  },
                  data: current.encrypt(PayloadMessage.encode(payload).finish()),
                },
          ),
    decode: async (payloads) =>
      payloads.map((payload) => {
        if (!isEncrypted(payload)) return payload;
        const { metadata, data } = payload;
        const id = textOf(metadata?.['encryption-key-id']);
        return PayloadMessage.decode(decrypt('A payload', id, data ?? new Uint8Array()));
      }),
  };
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
