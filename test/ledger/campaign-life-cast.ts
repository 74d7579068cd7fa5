/** The cast of tests about whole campaigns: campaigns with people, and a feeder that posts to some of them. */
import { randomUUID } from 'node:crypto';
import {
  RECIPIENT_VERDICTS,
  renderContent,
  type AttemptOutcome,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type ColumnFacts,
  type MessageContent,
  type MessageId,
  type MessageState,
} from '../../src/contract/index.js';
import type { ClaimedPerson, FeedPerson, Ledger, ReportRow, VerdictCounts } from '../../src/ledger/index.js';
import { MINUTE, NOW, SECOND } from './cast.js';

export const NAMESPACE = 'default';
export const DAY = 24 * 60 * MINUTE;

/** One campaign and its instance, which no other test has. */
export class CampaignCast {
  readonly ledger: Ledger;
  readonly instance = `i-${randomUUID().slice(0, 8)}`;
  readonly id = `c-${randomUUID()}` as CampaignId;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  async draft(definition: Partial<CampaignDefinition> = {}): Promise<this> {
    const content = { kind: 'text', text: 'Hello {{name}}' } as const;
    await this.ledger.audiences.open({
      id: this.id,
      requestHash: 'h',
      definition: { instance: this.instance, content, ...definition },
      nowMs: NOW,
    });
    return this;
  }

  /** Lines 2 to `people` + 1, as of a file with a head. */
  async imported(people: number, columns: Readonly<Record<string, ColumnFacts>> = { name: { people } }): Promise<this> {
    const { audiences } = this.ledger;
    const audience = await audiences.beginImport(this.id, NOW);
    const recipients = Array.from({ length: people }, (_, index) => ({
      line: index + 2,
      chatId: `1555${String(index + 2).padStart(7, '0')}@c.us`,
      values: { name: `P${index + 2}` },
    }));
    await audiences.addLines(audience, recipients, []);
    const none = Object.fromEntries(RECIPIENT_VERDICTS.map((verdict) => [verdict, 0])) as VerdictCounts;
    const source = { hash: randomUUID(), lines: people, verdicts: { ...none, accepted: people }, columns };
    await audiences.finishImport(this.id, audience, source, NOW);
    return this;
  }

  start(nowMs = NOW): Promise<CampaignProgress> {
    return this.ledger.campaigns.start(this.id, NAMESPACE, nowMs);
  }

  async running(people: number, definition: Partial<CampaignDefinition> = {}): Promise<this> {
    await this.draft(definition);
    await this.imported(people);
    await this.start();
    return this;
  }

  /** Claims up to so many people, as the feeding activity does. */
  async claim(most: number, nowMs = NOW): Promise<readonly ClaimedPerson[]> {
    const { feeding } = this.ledger;
    const answer = await feeding.take({ campaignId: this.id, forMs: MINUTE, patienceMs: SECOND, nowMs });
    if (!answer.granted) return [];
    const { turn } = answer;
    const next = await feeding.next(this.id, most, nowMs);
    if (next.people.length === 0) return [];
    const content = (person: FeedPerson): MessageContent =>
      person.row?.content ?? (renderContent(next.content, person.values) as unknown as MessageContent);
    const { claimed } = await feeding.claim({
      turn,
      contentVersion: next.contentVersion,
      throughLine: next.throughLine,
      entries: next.people.map((person) => ({ person, token: randomUUID(), content: content(person) })),
      worker: 'worker-1',
      postingDeadlineMs: nowMs + 5 * SECOND,
      judgeAfterMs: nowMs + 35 * SECOND,
      nowMs,
    });
    await feeding.leave(turn, { hungryForMs: SECOND, nowMs });
    return claimed;
  }

  /** Claims so many people and writes this outcome for each. */
  async fed(
    people: number,
    outcome: Exclude<AttemptOutcome, { kind: 'accepted' }> | 'accepted' = 'accepted',
    nowMs = NOW,
  ): Promise<readonly ClaimedPerson[]> {
    const claimed = await this.claim(people, nowMs);
    for (const { messageId, attempt } of claimed) {
      const accepted = { kind: 'accepted', idMessage: `G-${messageId}-${nowMs}`, httpStatus: 200 } as const;
      await this.ledger.messages.recordOutcome(attempt.token, outcome === 'accepted' ? accepted : outcome, nowMs);
    }
    return claimed;
  }

  /** A receipt for each of those the gateway took. */
  async receive(
    claimed: readonly ClaimedPerson[],
    status: 'sent' | 'delivered' | 'failed' | 'no_account',
    nowMs = NOW,
    fedAtMs = NOW,
  ): Promise<void> {
    for (const { messageId } of claimed) {
      const idMessage = `G-${messageId}-${fedAtMs}`;
      await this.ledger.receipts.apply(this.instance, { kind: 'status', idMessage, status, atMs: nowMs }, nowMs);
    }
  }

  /** What judging a lost answer and asking its witnesses in vain comes to. */
  async markUnresolved(messageId: MessageId, nowMs = NOW): Promise<void> {
    const question = await this.ledger.reconciling.question(messageId);
    if (question === undefined) throw new Error(`nothing is open about ${messageId}`);
    await this.ledger.reconciling.markUnresolved(question, 'no_witness', nowMs);
  }

  settle(nowMs = NOW): Promise<CampaignProgress> {
    return this.ledger.campaigns.settle(this.id, nowMs);
  }

  async states(): Promise<Partial<Record<MessageState, number>>> {
    const progress = await this.ledger.campaigns.progress(this.id);
    return Object.fromEntries(Object.entries(progress?.counts ?? {}).filter(([, people]) => people > 0));
  }

  async report(): Promise<ReportRow[]> {
    return (await this.ledger.campaigns.report(this.id, { afterLine: 0, limit: 1_000 })).items;
  }

  async told(messageId: MessageId): Promise<string[]> {
    return (await this.ledger.messages.view(messageId))?.evidence.map(({ what }) => what) ?? [];
  }
}
