/**
 * Passes the trace of a caller who started the workflow `message` to that workflow, as its second argument. OpenTelemetry's
 * interceptors of every Temporal SDK put the W3C context into this header. Everpost makes no spans of its own here.
 */
import { defaultPayloadConverter } from '@temporalio/common';
import { workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import { TRACE_HEADER, WORKFLOW, type TraceContext } from '../contract/index.js';

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      execute(input, next) {
        const header = input.headers[TRACE_HEADER];
        if (header === undefined || workflowInfo().workflowType !== WORKFLOW.message) return next(input);
        const trace = defaultPayloadConverter.fromPayload<TraceContext>(header);
        return next({ ...input, args: [input.args[0], trace] });
      },
    },
  ],
});
