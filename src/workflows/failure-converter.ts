import { DefaultFailureConverter, TemporalFailure, type PayloadConverter, type ProtoFailure } from '@temporalio/common';

/** Workflow code is bundled before it is known whether keys are set: a worker that has some replaces this word. */
const FAILURES: string = 'everpost:plain-failures';
/** The SDK's placeholder for words that it has encoded. */
const ENCODED = 'Encoded failure';

/**
 * An error may fail an update and the workflow: the SDK keeps the failure with it, and would encode its own placeholder the second
 * time, so that the words are lost.
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
