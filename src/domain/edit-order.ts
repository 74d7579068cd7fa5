/**
 * Decides which edit is posted next if not all edits can be posted before their windows close.
 *
 * ORDER-1 The largest possible number of edits is posted in time. If not all fit, the oldest ones are left out.
 * ORDER-2 The edit of the newest message is posted first, since its recipient may not have read the message yet. An
 *    older edit is posted first only if it would be too late otherwise.
 */

/** An edit that can be posted, and its deadline. */
export interface TimedEdit {
  readonly untilMs: number;
}

export interface EditOrder<Edit extends TimedEdit> {
  readonly next: Edit | undefined;
  /** How many of the edits can be posted in time. */
  readonly reachable: number;
}

/**
 * Spreads the requests of a second over slightly more than a second, so that two workers together do not exceed the
 * rate.
 */
const SPREAD = 1.1;

/** @param perSecond  edits per second; 0 means no limit */
export function editSpacingMs(perSecond: number): number {
  return perSecond > 0 ? (1_000 * SPREAD) / perSecond : 0;
}

/**
 * Gives each edit, the newest first, the latest free turn before its window closes. The edit with the first turn cannot
 * wait longer. If no edit has the first turn, the newest one gets it.
 */
export function orderEdits<Edit extends TimedEdit>(
  edits: readonly Edit[],
  { nowMs, spacingMs }: { readonly nowMs: number; readonly spacingMs: number },
): EditOrder<Edit> {
  const open = edits.filter(({ untilMs }) => untilMs > nowMs).toSorted((a, b) => b.untilMs - a.untilMs);
  if (spacingMs === 0) return { next: open[0], reachable: open.length };
  let turn = Infinity;
  let reachable = 0;
  for (const edit of open) {
    turn = Math.min(turn - 1, Math.floor((edit.untilMs - nowMs - 1) / spacingMs));
    if (turn < 0) break;
    reachable += 1;
    if (turn === 0) return { next: edit, reachable };
  }
  return { next: open[0], reachable };
}
