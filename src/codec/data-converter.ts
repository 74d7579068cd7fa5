import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { EncryptionKeys } from '../contract/index.js';
import { payloadCodec } from './payload-codec.js';

/** Temporal's SDK loads it by its path, with `require`. */
const FAILURE_CONVERTER_PATH = fileURLToPath(new URL('../../bin/encoding-failure-converter.cjs', import.meta.url));

/**
 * How clients and workers read and write payloads. With keys, messages and stacks of failures are payloads too, and so
 * encrypted.
 */
export function dataConverter(keys: EncryptionKeys | undefined): DataConverter {
  return {
    payloadCodecs: [payloadCodec(keys)],
    ...(keys === undefined ? {} : { failureConverterPath: FAILURE_CONVERTER_PATH }),
  };
}
