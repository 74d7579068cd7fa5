// Loaded by Temporal's SDK, by its path, where encryption keys are set.
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
