import type { FaultPoint } from '../../../contract/index.js';
import type { Times } from '../../../activities/index.js';

/**
 * The time limits of a run. They are short, so that the product reconciles hundreds of lost responses within minutes,
 * and they keep the proportions of production: no reconciling before deadline + HTTP timeout + settle time.
 */
export const PROVE_TIMES: Times = {
  /** Enough for a worker that has just started on a busy machine. */
  postingDeadlineMs: 2_000,
  gatewayTimeoutMs: 2_000,
  settleTimeMs: 2_500,
  editConfirmTimeoutMs: 5_000,
  /** A twelfth of the default, like the other times; the simulated gateway retries a notification at once. */
  notificationRetryMs: 5_000,
  templatePollIntervalsMs: [1_000],
  patience: { witnessMs: 10_000, successorMs: 180_000 },
};

/** A fault of one request to send, in the form that the simulator's control endpoint takes. */
export interface GatewayFault {
  /** The name in the report. */
  readonly name: string;
  readonly ask: Readonly<Record<string, unknown>>;
}

/** A fault of notifications on their way. */
export interface NotificationFault {
  readonly name: string;
  readonly ask: { readonly kind: 'drop' | 'double' | 'delay' | 'reorder'; readonly [option: string]: unknown };
}

const { gatewayTimeoutMs, settleTimeMs } = PROVE_TIMES;

/** All faults of a response, each with and without acceptance of the message. */
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
    // Usually both belong to one message. That message stays accepted, and its row says that no receipt came.
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

/** A process ends itself when it reaches this fault point for the `hit`-th time, counted from 1. */
export interface KillPoint {
  readonly at: FaultPoint;
  readonly hit: number;
}
