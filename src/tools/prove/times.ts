import type { Times } from '../../activities/index.js';

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
