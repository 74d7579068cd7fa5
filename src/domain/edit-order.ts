/**
 * Decides which edit is posted next when not all can be posted before their windows close.
 *
 * ORDER-1 As many edits as possible are posted in time. If not all fit, the oldest are left out.
 * ORDER-2 The edit of the newest message is posted first, since its recipient may not have read the message yet. An
 *    older one is posted first only if it would otherwise be too late.
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
 * Spreads a second's requests over a little more than a second, so that requests of two workers do not exceed the rate.
 */
const SPREAD = 1.1;

/** @param perSecond  edits a second; 0: no limit */
export function editSpacingMs(perSecond: number): number {
  return perSecond > 0 ? (1_000 * SPREAD) / perSecond : 0;
}

/**
 * Gives each edit, the newest first, the latest free turn before its window closes. The edit that gets the first turn
 * cannot wait any longer. If no edit gets it, the newest takes the first turn.
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
