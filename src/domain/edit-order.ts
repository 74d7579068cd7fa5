/**
 * Which of many edits is posted next, when they cannot all be posted before their windows close.
 *
 * ORDER-1 As many as possible are posted in time. Where not all can be, the oldest are left out.
 * ORDER-2 The newest is posted first, since its recipient may not have read it yet; an older one goes first only when
 *    it would be too late otherwise.
 */

/** An edit that can be posted, and until when. */
export interface TimedEdit {
  readonly untilMs: number;
}

export interface EditOrder<Edit extends TimedEdit> {
  readonly next: Edit | undefined;
  /** How many of them can be posted in time. */
  readonly reachable: number;
}

/** The gateway's requests of a second are spread over so much more, so that none of two workers comes early. */
const SPREAD = 1.1;

/** @param perSecond  edits a second; 0: without limit */
export function editSpacingMs(perSecond: number): number {
  return perSecond > 0 ? (1_000 * SPREAD) / perSecond : 0;
}

/**
 * Gives each edit, the newest first, the latest turn that is left before its window closes. The edit that then has the first
 * turn can wait no longer; without such an edit the first turn is free for the newest.
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
