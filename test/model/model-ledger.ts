/**
 * The ledger's rules over claims, outcomes, adoptions and receipts, as far as the protocol stands on them. They are
 * written here again on purpose, so that each can be switched off: the real ones are SQL. What decides is imported.
 */
import type { Rule } from './rules.js';
import type { Row, World } from './world.js';

export class ModelLedger {
  readonly world: World;
  readonly off: (rule: Rule) => boolean;

  constructor(world: World, off: (rule: Rule) => boolean) {
    this.world = world;
    this.off = off;
  }

  row(number: number): Row {
    return this.world.rows[number]!;
  }

  /** True while an identical message is sending or unknown. */
  hasIdentical(number: number): boolean {
    const { text, chat, kind } = this.posted(number);
    return this.world.rows.some((other, otherNumber) => {
      if (otherNumber === number || (other.state !== 'sending' && other.state !== 'unknown')) return false;
      const theirs = this.posted(otherNumber);
      return theirs.text === text && theirs.chat === chat && theirs.kind === kind;
    });
  }

  /** Compare-and-set from pending; the caller has checked the other conditions. */
  claim(number: number, text: string): number {
    const row = this.row(number);
    if (row.cancelRequested) this.world.violation ||= 'claimed although it was cancelled';
    if (row.isUnwanted) this.world.violation ||= 'claimed although its chat is on the list';
    const claimSequence = (this.world.sequence += 1);
    const attempt = this.world.attempts.push({
      row: number,
      claimSequence,
      claimedAt: this.world.now,
      text,
      responded: false,
    });
    if (!this.off('PROTOCOL-1.intent-first')) {
      row.state = 'sending';
      row.attempt = attempt - 1;
    }
    return attempt - 1;
  }

  recordAccepted(attemptNumber: number, id: string): void {
    const attempt = this.world.attempts[attemptNumber]!;
    const row = this.row(attempt.row);
    attempt.responded = true;
    if (this.off('PROTOCOL-4.outcomes-from-anyone') && (row.attempt !== attemptNumber || row.state !== 'sending'))
      return;
    if (!this.own(id, attempt.row)) return;
    if (row.state !== 'accepted') this.accept(row, attemptNumber, id);
  }

  recordUnknown(attemptNumber: number): void {
    const row = this.row(this.world.attempts[attemptNumber]!.row);
    if (row.attempt === attemptNumber && row.state === 'sending') row.state = 'unknown';
  }

  /** No byte left, or the gateway did not accept the request. */
  makePending(attemptNumber: number): void {
    const row = this.row(this.world.attempts[attemptNumber]!.row);
    if (
      row.attempt !== attemptNumber ||
      (row.state !== 'sending' && row.state !== 'unknown' && row.state !== 'unresolved')
    ) {
      return;
    }
    row.attempt = -1;
    row.state = row.cancelRequested && !this.off('PROTOCOL-2.cancelled-is-not-claimed') ? 'cancelled' : 'pending';
  }

  adopt(number: number, attemptNumber: number, id: string): void {
    const row = this.row(number);
    if (row.attempt !== attemptNumber || (row.state !== 'unknown' && row.state !== 'unresolved')) return;
    if (
      row.state === 'unresolved' &&
      this.hasIdentical(number) &&
      !this.off('PROTOCOL-5.unresolved-yields-to-identical')
    )
      return;
    if (this.own(id, number)) this.accept(row, attemptNumber, id);
  }

  applyStatus(id: string, level: number): void {
    const owner = this.world.ids.find((known) => known.id === id);
    if (owner === undefined) {
      if (!this.off('PROTOCOL-7.parked-receipts')) this.world.parked.push({ id, level });
      return;
    }
    const row = this.row(owner.row);
    if (row.idMessage === id) row.level = this.off('PROTOCOL-7.forward-only') ? level : Math.max(row.level, level);
  }

  /** @returns false when the id belongs to another message */
  private own(id: string, number: number): boolean {
    const owner = this.world.ids.find((known) => known.id === id);
    if (owner?.row === number) return true;
    const mayTake = this.off('PROTOCOL-4.one-owner-per-id') || this.off('PROTOCOL-6.adopt-unaccounted-only');
    if (owner !== undefined && !mayTake) return false;
    this.world.ids.push({ id, row: number, sequence: (this.world.sequence += 1) });
    return true;
  }

  private accept(row: Row, attemptNumber: number, id: string): void {
    row.state = 'accepted';
    row.attempt = attemptNumber;
    row.idMessage = id;
    for (const receipt of this.world.parked.filter((parked) => parked.id === id)) {
      row.level = Math.max(row.level, receipt.level);
    }
    this.world.parked = this.world.parked.filter((parked) => parked.id !== id);
  }

  private posted(number: number): { text: string; chat: string; kind: string } {
    const row = this.row(number);
    const attempt = row.state === 'pending' ? undefined : this.world.attempts[row.attempt];
    return { text: attempt?.text ?? row.text, chat: row.chat, kind: row.kind };
  }
}
