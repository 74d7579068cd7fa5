import { DefaultFailureConverter, TemporalFailure, type PayloadConverter, type ProtoFailure } from '@temporalio/common';

/** Workflow code is bundled before it is known whether keys are configured; a worker with keys replaces this text. */
const FAILURES: string = 'everpost:plain-failures';
/** The SDK's placeholder for an encoded message. */
const ENCODED = 'Encoded failure';

/**
 * One error can fail an update and the workflow. The SDK stores the failure in it, and would encode its own placeholder
 * the second time, so that the message is lost.
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
