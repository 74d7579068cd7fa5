import { AppError, MOST_UNKNOWN, type AttemptOutcome } from '../../contract/index.js';
import type { ClaimedRecipient } from '../../ledger/index.js';
import { postClaimed, type ProtocolDependencies } from '../send-protocol.js';
import { untilRecorded } from '../until-recorded.js';

/** Posts at once at most. The gateway takes tens a second; more would only be more at risk. */
const MOST_AT_ONCE = 16;
/** Why nothing is fed then. */
export const OUTCOMES_UNKNOWN = 'OUTCOMES_UNKNOWN';

/** What has been learned in this poll: posts go one at a time until one is accepted, then more and more at once. */
export interface Nerve {
  atOnce: number;
  unknown: number;
}

/** Why no more is posted in this poll. */
export interface Stop {
  readonly code: string;
  readonly text?: string;
  readonly retryAfterMs?: number;
}

/** An outcome that the ledger could not take when it came. */
export interface Unrecorded {
  readonly token: string;
  readonly outcome: AttemptOutcome;
}

export interface BatchResult {
  readonly accepted: number;
  readonly notAccepted: number;
  readonly stop?: Stop;
  readonly unrecorded: readonly Unrecorded[];
}

/**
 * Posts a claimed batch. Once one is surely not accepted, or too many responses are lost, those that have not left are
 * given back: they were not posted, for the same reason.
 */
export async function postBatch(
  deps: ProtocolDependencies,
  batch: readonly ClaimedRecipient[],
  nerve: Nerve,
): Promise<BatchResult> {
  const waiting = [...batch];
  const running = new Set<Promise<void>>();
  const unrecorded: Unrecorded[] = [];
  let stop: Stop | undefined;
  let accepted = 0;
  let notAccepted = 0;

  async function post({ messageId, attempt, tries }: ClaimedRecipient): Promise<void> {
    const { outcome, snapshot } = await postClaimed(deps, messageId, attempt, tries);
    if (snapshot === undefined) unrecorded.push({ token: attempt.token, outcome });
    else if (snapshot.edits.length > 0) await tell(deps, snapshot);
    if (outcome.kind === 'accepted') accepted += 1;
    else notAccepted += 1;
    stop ??= stopAfter(outcome, nerve);
    if (waiting.length > 0) deps.reached?.('rows.between');
  }

  for (;;) {
    while (stop === undefined && running.size < nerve.atOnce) {
      const next = waiting.shift();
      if (next === undefined) break;
      const posting = post(next).finally(() => running.delete(posting));
      running.add(posting);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (stop !== undefined) unrecorded.push(...(await giveBack(deps, waiting, stop)));
  return { accepted, notAccepted, unrecorded, ...(stop === undefined ? {} : { stop }) };
}

/** Learns from an outcome, and says whether anything more may be posted. */
function stopAfter(outcome: AttemptOutcome, nerve: Nerve): Stop | undefined {
  switch (outcome.kind) {
    case 'accepted':
      nerve.atOnce = Math.min(MOST_AT_ONCE, nerve.atOnce * 2);
      return undefined;
    case 'rejected':
      return undefined;
    case 'not_accepted': {
      const { code, text, retryAfterMs } = outcome;
      return {
        code,
        ...(text === undefined ? {} : { text }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    }
    case 'unknown':
      nerve.atOnce = 1;
      nerve.unknown += 1;
      return nerve.unknown < MOST_UNKNOWN ? undefined : { code: OUTCOMES_UNKNOWN };
  }
}

/** The claim of those that never left is taken back. */
async function giveBack(
  deps: ProtocolDependencies,
  recipients: readonly ClaimedRecipient[],
  { code, retryAfterMs = 0 }: Stop,
): Promise<Unrecorded[]> {
  const unrecorded: Unrecorded[] = [];
  for (const { attempt } of recipients) {
    const { token } = attempt;
    const outcome: AttemptOutcome = {
      kind: 'not_accepted',
      code: code === OUTCOMES_UNKNOWN ? 'MESSAGE_OUTCOME_UNKNOWN' : code,
      retryAfterMs,
    };
    const snapshot = await recordOrKeep(deps, { token, outcome });
    if (snapshot === undefined) unrecorded.push({ token, outcome });
  }
  return unrecorded;
}

/** @returns undefined while the ledger cannot take it */
export async function recordOrKeep({ ledger, clock, log }: ProtocolDependencies, { token, outcome }: Unrecorded) {
  try {
    return await untilRecorded(() => ledger.messages.recordOutcome(token, outcome, clock.nowMs()));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'LEDGER_UNAVAILABLE') throw error;
    log({ level: 'warn', message: 'outcome not recorded yet', outcome: outcome.kind, error });
    return undefined;
  }
}

/** A run that waits with an edit learns what its message has become. It asks again by itself, should it not hear. */
async function tell({ notify, log }: ProtocolDependencies, snapshot: Parameters<ProtocolDependencies['notify']>[0]) {
  try {
    await notify(snapshot);
  } catch (error) {
    log({ level: 'warn', message: 'a run could not be told of its message', messageId: snapshot.id, error });
  }
}
