/** What a dispatcher does with edits, step by step. */
import type { AttemptOutcome } from '../../src/contract/index.js';
import type { DueEdit, EditReading, Ledger } from '../../src/ledger/index.js';
import { shiftOf } from './shift.js';

/** From the claim until a lost request can no longer arrive. */
export const SETTLES_IN_MS = 35_000;
export const CONFIRM_WITHIN_MS = 20_000;

/** One tick of a shift that wants edits. */
export async function claimEdits(
  ledger: Ledger,
  instance: string,
  nowMs: number,
  { posts = 16, reads = 0, spacingMs = 0 } = {},
): Promise<readonly DueEdit[]> {
  const shift = shiftOf(instance);
  await ledger.dispatch.beginShift(shift, nowMs);
  const want = { shift, posts, reads, spacingMs, postingDeadlineMs: nowMs + 5_000, settlesAtMs: nowMs + SETTLES_IN_MS };
  const { edits } = await ledger.dispatch.tick({ wants: [], editWants: [want], outcomes: [], nowMs });
  return edits;
}

export async function recordEdit(ledger: Ledger, { editId, post }: DueEdit, outcome: AttemptOutcome, nowMs: number) {
  const edit = { id: editId, confirmWithinMs: CONFIRM_WITHIN_MS };
  await ledger.dispatch.tick({ wants: [], outcomes: [{ token: post!.token, edit, outcome, atMs: nowMs }], nowMs });
}

export const acceptedAs = (idMessage: string) => ({ kind: 'accepted', idMessage, httpStatus: 200 }) as const;
export const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
export const BUSY = { kind: 'not_accepted', code: 'GATEWAY_BUSY', httpStatus: 429, retryAfterMs: 5_000 } as const;
export const REJECTED = { kind: 'rejected', code: 'GATEWAY_REJECTED', httpStatus: 400 } as const;
export const OLD_TEXT: EditReading = { kind: 'text', text: 'the text before' };
export const AWAY: EditReading = {
  kind: 'journal_unreadable',
  code: 'GATEWAY_OUTCOME_UNKNOWN',
  httpStatus: 502,
  mayRespondLater: true,
};
