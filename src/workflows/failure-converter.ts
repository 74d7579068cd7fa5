import { DefaultFailureConverter } from '@temporalio/common';

/** Workflow code is bundled before it is known whether keys are set: a worker that has some replaces this word. */
const FAILURES: string = 'everpost:plain-failures';

export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: FAILURES === 'everpost:encoded-failures',
});
