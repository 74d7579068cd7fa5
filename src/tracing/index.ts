export { createMessageSpans, type MessageSpans } from './message-spans.js';
export { openTracing } from './open-tracing.js';
