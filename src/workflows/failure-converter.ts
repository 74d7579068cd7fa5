import { DefaultFailureConverter, TemporalFailure, type PayloadConverter, type ProtoFailure } from '@temporalio/common';

/** The bundle does not know whether encryption keys are configured. A worker with keys replaces this text. */
const FAILURES: string = 'everpost:plain-failures';
/** The SDK's placeholder for an encoded message. */
const ENCODED = 'Encoded failure';

/**
 * Encodes each error once. An error can fail an update and the workflow; the SDK would encode its own placeholder the
 * second time, and the message would be lost.
 */
class OnceEncodingConverter extends DefaultFailureConverter {
  override errorToFailure(error: unknown, payloadConverter: PayloadConverter): ProtoFailure {
    const kept = error instanceof TemporalFailure ? error.failure : undefined;
    if (kept?.message === ENCODED) return kept;
    return super.errorToFailure(error, payloadConverter);
  }
}

export const failureConverter = new OnceEncodingConverter({
  encodeCommonAttributes: FAILURES === 'everpost:encoded-failures',
});
