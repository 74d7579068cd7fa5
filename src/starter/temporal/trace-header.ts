import { context, propagation } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { TRACE_HEADER } from '../../contract/index.js';

/**
 * Passes the active trace of a backend with each start of a workflow. Without OpenTelemetry's SDK in that backend there is
 * none, and the start has no header.
 */
export const passingTrace: WorkflowClientInterceptor = {
  startWithDetails(input, next) {
    const carrier: Record<string, string> = {};
    propagation.inject(context.active(), carrier);
    if (carrier['traceparent'] === undefined) return next(input);
    const header = defaultPayloadConverter.toPayload(carrier);
    return next({ ...input, headers: { ...input.headers, [TRACE_HEADER]: header } });
  },
};
