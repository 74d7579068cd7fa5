import type { Times } from '../../../activities/index.js';

/**
 * How long things take while proving: short, so that hundreds of lost responses are reconciled within minutes, and in
 * the same proportions as in production: nothing is reconciled before deadline + HTTP timeout + settle.
 */
export const PROVE_TIMES: Times = {
  /** Long enough for a worker that has just started on a busy machine. */
  postingDeadlineMs: 2_000,
  gatewayTimeoutMs: 2_000,
  settleTimeMs: 2_500,
  editConfirmTimeoutMs: 5_000,
  /** A twelfth, as the others are; the simulated gateway repeats a notification at once. */
  notificationRetryMs: 5_000,
  patience: { witnessMs: 10_000, successorMs: 180_000 },
};

/** One request to send goes wrong at the gateway, in the words of the simulator's control endpoint. */
export interface GatewayFault {
  /** For the report. */
  readonly name: string;
  readonly ask: Readonly<Record<string, unknown>>;
}

/** Notifications go wrong on their way. */
export interface NotificationFault {
  readonly name: string;
  readonly ask: { readonly kind: 'drop' | 'double' | 'delay' | 'reorder'; readonly [option: string]: unknown };
}

const { gatewayTimeoutMs, settleTimeMs } = PROVE_TIMES;

/** Everything that can become of a response, with and without acceptance. */
export const GATEWAY_FAULTS: readonly GatewayFault[] = [
  gatewayFault('response lost, accepted', { kind: 'lose-answer', accepted: true }),
  gatewayFault('response lost, not accepted', { kind: 'lose-answer', accepted: false }),
  gatewayFault('response lost, accepted later', { kind: 'lose-answer', acceptAfterMs: settleTimeMs * 0.6 }),
  gatewayFault('response slow', { kind: 'late-answer', ms: gatewayTimeoutMs * 0.5 }),
  gatewayFault('response after the timeout', { kind: 'late-answer', ms: gatewayTimeoutMs + settleTimeMs * 0.4 }),
  gatewayFault('response never, accepted', { kind: 'lose-answer', ms: gatewayTimeoutMs + settleTimeMs * 2 }),
  gatewayFault('half a response', { kind: 'half-answer' }),
  gatewayFault('reset, accepted', { kind: 'reset', accepted: true }),
  gatewayFault('reset, not accepted', { kind: 'reset', accepted: false }),
  gatewayFault('500, accepted', { kind: 'status', status: 500, accepted: true }),
  gatewayFault('500, not accepted', { kind: 'status', status: 500, accepted: false }),
  gatewayFault('502, accepted', { kind: 'status', status: 502, accepted: true }),
  gatewayFault('502, not accepted', { kind: 'status', status: 502, accepted: false }),
];

export const NOTIFICATION_FAULTS: readonly NotificationFault[] = [
  { name: 'notification dropped', ask: { kind: 'drop' } },
  {
    name: 'notification of the message itself dropped',
    ask: { kind: 'drop', typeWebhook: 'outgoingAPIMessageReceived' },
  },
  {
    // Of one message as a rule: it then stays accepted, and says that nothing was heard of it.
    name: 'two receipts dropped',
    ask: { kind: 'drop', typeWebhook: 'outgoingMessageStatus', times: 2 },
  },
  { name: 'notification doubled', ask: { kind: 'double' } },
  { name: 'notification delayed', ask: { kind: 'delay', ms: 2_000 } },
  { name: 'notification reordered', ask: { kind: 'reorder', ms: 2_000 } },
];

function gatewayFault(name: string, ask: Readonly<Record<string, unknown>>): GatewayFault {
  return { name, ask: { method: 'sendMessage', ...ask } };
}
