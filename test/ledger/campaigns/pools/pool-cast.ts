/** The cast of tests about campaigns over several accounts. */
import { randomUUID } from 'node:crypto';
import type { CampaignDefinition, MessageContent, MessageId } from '../../../../src/contract/index.js';
import { renderContent } from '../../../../src/domain/index.js';
import type { DueAttempt, Ledger } from '../../../../src/ledger/index.js';
import { DispatchCast } from '../../dispatch/cast.js';
import { NOW } from '../../cast.js';
import { CampaignCast } from '../campaign-life-cast.js';

export const AMPLE = { free: 999, room: { urgent: 999, high: 999, normal: 999, low: 999 } };

export class PoolCast extends CampaignCast {
  readonly accounts: readonly string[];
  readonly dispatchers: readonly DispatchCast[];

  constructor(ledger: Ledger, count = 2) {
    const accounts = Array.from({ length: count }, (_, at) => `${'abcdefgh'[at]}-${randomUUID().slice(0, 8)}`);
    super(ledger, accounts[0]);
    this.accounts = accounts;
    this.dispatchers = accounts.map((account) => new DispatchCast(ledger, account));
  }

  /** Running, with a shift for each account. */
  async begun(recipients: number, definition: Partial<CampaignDefinition> = {}): Promise<this> {
    await this.running(recipients, { instances: this.accounts, ...definition });
    for (const dispatcher of this.dispatchers) await dispatcher.begin();
    return this;
  }

  read(limit = 100, nowMs = NOW) {
    return this.ledger.dispatch.readAhead(this.id, {
      limit,
      compose: ({ values, ownContent }, content) => ({
        content: ownContent ?? (renderContent(content, values) as unknown as MessageContent),
      }),
      nowMs,
    });
  }

  /** What the account at this place claims now. */
  claimAt(place: number, nowMs = NOW): Promise<readonly DueAttempt[]> {
    return this.dispatchers[place]!.claim({ ...AMPLE, nowMs });
  }

  /** How many recipients of the report each account has, in the order of the accounts. */
  async shares(): Promise<number[]> {
    const report = await this.report();
    return this.accounts.map((account) => report.filter(({ instance }) => instance === account).length);
  }

  async accountOf(messageId: MessageId): Promise<string | undefined> {
    return (await this.report()).find((row) => row.messageId === messageId)?.instance;
  }

  /** The account as the campaign shows it. */
  async account(place: number) {
    const view = await this.ledger.audiences.view(this.id, NOW);
    return view?.accounts.find(({ instance }) => instance === this.accounts[place]);
  }

  update(instances: readonly string[], nowMs = NOW) {
    return this.ledger.campaigns.update(this.id, { instances }, nowMs);
  }

  watch(nowMs: number, configured: readonly string[] = this.accounts) {
    return this.ledger.campaigns.watchAccounts(this.id, configured, nowMs);
  }

  stop(place: number) {
    return this.ledger.instances.pauseByOperator(this.accounts[place]!, `cmd_${randomUUID()}`, 'key:ops', NOW);
  }

  go(place: number) {
    return this.ledger.instances.resume(this.accounts[place]!, 'operator', NOW);
  }
}
