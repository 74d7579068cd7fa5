import { AppError, type CampaignId, type MessageId, type MessageSnapshot } from '../../contract/index.js';
import { askJournal } from '../ask-journal.js';
import type { ActivityDependencies } from '../dependencies.js';
import { reconcileActivity } from '../reconcile/index.js';

/**
 * Notifications settle an unresolved message at once; this is for a journal, and for an equal message that stood in its
 * way.
 */
const UNRESOLVED_POLL_MS = 10 * 60_000;
const UNRESOLVED_IN_A_POLL = 10;
/** A question that has been decided elsewhere may be asked again at once; not in the same moment. */
const SOONEST_MS = 500;
const FORGOTTEN_AFTER_MS = 10 * 60_000;

type SettleDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'times' | 'notify'>;

/** Finds out what became of a campaign's messages whose outcome is unknown, at the times when asking again may help. */
export interface OpenQuestions {
  /** @returns when it is worth to ask again, milliseconds since the epoch; undefined when nothing is asked about */
  settle(campaignId: CampaignId): Promise<number | undefined>;
}

/** Remembers when to ask again; a worker that begins again asks at once. */
export function createOpenQuestions(deps: SettleDependencies): OpenQuestions {
  const { ledger, clock } = deps;
  const reconcile = reconcileActivity(deps);
  const askAgainAt = new Map<MessageId, number>();
  const unresolvedPoll = new Map<CampaignId, { readonly afterLine: number; readonly atMs: number }>();

  /** What was settled by a receipt or an operator is not asked about any more. */
  function forgetSettled(nowMs: number): void {
    for (const [id, atMs] of askAgainAt) if (atMs < nowMs - FORGOTTEN_AFTER_MS) askAgainAt.delete(id);
  }

  async function tell(snapshot: MessageSnapshot): Promise<void> {
    if (snapshot.edits.length > 0) await deps.notify(snapshot);
  }

  async function ask(messageId: MessageId): Promise<void> {
    if ((askAgainAt.get(messageId) ?? 0) > clock.nowMs()) return;
    try {
      const snapshot = await reconcile({ messageId });
      askAgainAt.delete(messageId);
      await tell(snapshot);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'MESSAGE_OUTCOME_UNKNOWN') throw error;
      askAgainAt.set(messageId, clock.nowMs() + Math.max(SOONEST_MS, error.retryAfterMs ?? 0));
    }
  }

  async function pollAtUnresolved(campaignId: CampaignId): Promise<void> {
    const { afterLine, atMs } = unresolvedPoll.get(campaignId) ?? { afterLine: 0, atMs: 0 };
    if (atMs > clock.nowMs()) return;
    const unresolved = await ledger.feeding.unresolved(campaignId, afterLine, UNRESOLVED_IN_A_POLL);
    for (const { messageId } of unresolved) await tell(await reconcile({ messageId }));
    const last = unresolved.length < UNRESOLVED_IN_A_POLL ? undefined : unresolved.at(-1);
    unresolvedPoll.set(campaignId, { afterLine: last?.line ?? 0, atMs: clock.nowMs() + UNRESOLVED_POLL_MS });
  }

  return {
    async settle(campaignId) {
      const open = await ledger.feeding.open(campaignId, clock.nowMs());
      for (const id of open.abandoned) await tell(await ledger.messages.reconcileAbandoned(id, clock.nowMs()));
      const unknown = [...open.abandoned, ...open.unknown];
      await Promise.all(unknown.map(ask));
      for (const id of open.unheard) {
        const journal = await askJournal(deps, id);
        await tell(await ledger.messages.expire(id, clock.nowMs(), journal));
      }
      await pollAtUnresolved(campaignId);
      const times = [open.nextReconcileMs, ...unknown.map((id) => askAgainAt.get(id))].filter((at) => at !== undefined);
      if (open.unheard.length > 0) times.push(clock.nowMs());
      forgetSettled(clock.nowMs());
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}
