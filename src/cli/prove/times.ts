/**
 * How long things take while proving: short, so that hundreds of lost answers are judged within minutes, and in the same
 * proportions as in production: nothing is judged before deadline + HTTP timeout + settle.
 */
export const PROVE_TIMES = {
  /** Long enough for a worker that has just started on a busy machine. */
  postingDeadlineMs: 2_000,
  httpTimeoutMs: 2_000,
  settleMs: 2_500,
  editConfirmMs: 5_000,
} as const;
