/** The cast of tests about whole campaigns: campaigns with recipients, and a dispatcher that posts to some of them. */
import { randomUUID } from 'node:crypto';
import {
  type AttemptOutcome,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type MessageContent,
  type MessageId,
  type MessageState,
} from '../../../src/contract/index.js';
import { renderContent } from '../../../src/domain/index.js';
import type { DueAttempt, Ledger, ReportRow } from '../../../src/ledger/index.js';
import { importRecipients } from '../../support/campaign.js';
import { claimDue, shiftOf } from '../../support/shift.js';
import { MINUTE, NOW } from '../cast.js';

export const NAMESPACE = 'default';
export const DAY = 24 * 60 * MINUTE;

type ReadAhead = Parameters<Ledger['dispatch']['readAhead']>[1];

type Dispatched = Exclude<AttemptOutcome, { kind: 'accepted' }> | 'accepted';

/** A campaign and an instance of its own. */
export class CampaignCast {
  readonly ledger: Ledger;
  readonly instance: string;
  readonly id: CampaignId;

  constructor(
    ledger: Ledger,
    instance = `i-${randomUUID().slice(0, 8)}`,
    id: CampaignId = `c-${randomUUID()}` as CampaignId,
  ) {
    this.ledger = ledger;
    this.instance = instance;
    this.id = id;
  }

  async draft(definition: Partial<CampaignDefinition> = {}): Promise<this> {
    const content = { kind: 'text', text: 'Hello {{name}}' } as const;
    const sent = definition.variants === undefined ? { content } : {};
    await this.ledger.audiences.open({
      id: this.id,
      requestHash: 'h',
      definition: {
        ...(definition.instances === undefined ? { instance: this.instance } : {}),
        ...sent,
        ...definition,
      },
      nowMs: NOW,
    });
    return this;
  }

  async imported(recipients: number, given: Parameters<typeof importRecipients>[4] = {}): Promise<this> {
    await importRecipients(this.ledger, this.id, recipients, NOW, given);
    return this;
  }

  start(nowMs = NOW): Promise<CampaignProgress> {
    return this.ledger.campaigns.start(this.id, NAMESPACE, nowMs);
  }

  async running(recipients: number, definition: Partial<CampaignDefinition> = {}): Promise<this> {
    await this.draft(definition);
    await this.imported(recipients);
    await this.start();
    return this;
  }

  /** Claims up to `limit` recipients, as a shift of one of its instances does. */
  async claim(most: number, nowMs = NOW, instance = this.instance): Promise<readonly DueAttempt[]> {
    const { dispatch } = this.ledger;
    const compose: ReadAhead['compose'] = ({ values, ownContent }, content) => ({
      content: ownContent ?? (renderContent(content, values) as unknown as MessageContent),
    });
    await dispatch.readAhead(this.id, { limit: most, compose, nowMs });
    const claimed = await claimDue(dispatch, shiftOf(instance), nowMs, { free: most });
    return claimed.filter(({ campaignId }) => campaignId === this.id);
  }

  /** Claims this many recipients and records the outcome for each. */
  async dispatched(recipients: number, outcome: Dispatched = 'accepted', nowMs = NOW): Promise<readonly DueAttempt[]> {
    const claimed = await this.claim(recipients, nowMs);
    for (const { messageId, token } of claimed) {
      const accepted = { kind: 'accepted', idMessage: `G-${messageId}-${nowMs}`, httpStatus: 200 } as const;
      await this.ledger.dispatch.recordOutcomes([
        { token, outcome: outcome === 'accepted' ? accepted : outcome, atMs: nowMs },
      ]);
    }
    return claimed;
  }

  /** Claims the next recipient and records this outcome. */
  async dispatchedOne(outcome: Dispatched = 'accepted', nowMs = NOW): Promise<DueAttempt> {
    const [attempt] = await this.dispatched(1, outcome, nowMs);
    if (attempt === undefined) throw new Error('no recipient was claimed');
    return attempt;
  }

  /** Applies a receipt for each message that the gateway accepted. */
  async receive(
    claimed: readonly DueAttempt[],
    status: 'sent' | 'delivered' | 'failed' | 'no_account',
    nowMs = NOW,
    claimedAtMs = NOW,
  ): Promise<void> {
    for (const { messageId } of claimed) {
      const idMessage = `G-${messageId}-${claimedAtMs}`;
      await this.ledger.receipts.apply(this.instance, { kind: 'status', idMessage, status, atMs: nowMs }, nowMs);
    }
  }

  /** Reconciles a lost response when no witness answers. */
  async markUnresolved(messageId: MessageId, nowMs = NOW): Promise<void> {
    const attempt = await this.ledger.reconciling.attempt(messageId);
    if (attempt === undefined) throw new Error(`nothing is open about ${messageId}`);
    await this.ledger.reconciling.markUnresolved(attempt, 'no_witness', nowMs);
  }

  async endIfDone(nowMs = NOW): Promise<CampaignProgress> {
    await this.ledger.campaigns.endIfDone(this.id, nowMs);
    return (await this.ledger.campaigns.progress(this.id, nowMs))!;
  }

  async states(): Promise<Partial<Record<MessageState, number>>> {
    const progress = await this.ledger.campaigns.progress(this.id, NOW);
    return Object.fromEntries(Object.entries(progress?.counts ?? {}).filter(([, recipients]) => recipients > 0));
  }

  async report(): Promise<ReportRow[]> {
    return (await this.ledger.campaigns.report(this.id, { afterLine: 0, limit: 1_000 })).items;
  }

  async told(messageId: MessageId): Promise<string[]> {
    return (await this.ledger.views.message(messageId, NOW))?.evidence.map(({ what }) => what) ?? [];
  }
}
