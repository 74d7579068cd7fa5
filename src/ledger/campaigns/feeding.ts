import type { CampaignId } from '../../contract/index.js';
import type { Store } from '../store.js';
import { claimBatch } from './claim-batch.js';
import type { ClaimBatch, FeedingLedger, FeedingTurn, TakeTurn } from './feeding-ledger.js';
import { leaveTurn, takeTurn } from './feeding-turns.js';
import { nextRecipients } from './next-recipients.js';
import { unresolvedRecipients, openRecipients, unknownOutcomes } from './open-recipients.js';

export class Feeding implements FeedingLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  take(input: TakeTurn) {
    return takeTurn(this.#store, input);
  }

  leave(turn: FeedingTurn, after: { hungryForMs: number; keptForMs?: number; nowMs: number }) {
    return leaveTurn(this.#store, turn, after);
  }

  next(campaignId: CampaignId, limit: number, nowMs: number) {
    return this.#store.run((db) => nextRecipients(db, campaignId, limit, nowMs));
  }

  claim(batch: ClaimBatch) {
    return claimBatch(this.#store, batch);
  }

  open(campaignId: CampaignId, nowMs: number) {
    return this.#store.run((db) => openRecipients(db, campaignId, nowMs));
  }

  unresolved(campaignId: CampaignId, afterLine: number, limit: number) {
    return this.#store.run((db) => unresolvedRecipients(db, campaignId, afterLine, limit));
  }

  unknownOutcomes(instance: string, most: number) {
    return this.#store.run((db) => unknownOutcomes(db, instance, most));
  }
}
