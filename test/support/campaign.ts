import {
  RECIPIENT_VERDICTS,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type Clock,
} from '../../src/contract/index.js';
import type { Ledger, VerdictCounts } from '../../src/ledger/index.js';

export interface CampaignToStart {
  readonly id: CampaignId;
  readonly recipients: number;
  readonly definition?: Partial<CampaignDefinition>;
  /** Of Temporal. @default 'default' */
  readonly namespace?: string;
}

/** Defines, fills and starts a campaign in the ledger: line n says `Hello Pn` to a number of its own. */
export async function startCampaign(
  { ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock },
  { id, recipients, definition = {}, namespace = 'default' }: CampaignToStart,
): Promise<CampaignProgress> {
  const content = { kind: 'text', text: 'Hello {{name}}' } as const;
  const whole = { instance: 'main', content, ...definition };
  await ledger.audiences.open({ id, requestHash: 'h', definition: whole, nowMs: clock.nowMs() });
  const audience = await ledger.audiences.beginImport(id, clock.nowMs());
  const lines = Array.from({ length: recipients }, (_, index) => ({
    line: index + 2,
    chatId: chatOf(index),
    values: { name: `P${index + 2}` },
  }));
  await ledger.audiences.addLines(audience, lines, []);
  const none = Object.fromEntries(RECIPIENT_VERDICTS.map((verdict) => [verdict, 0])) as VerdictCounts;
  const source = {
    hash: id,
    lines: recipients,
    verdicts: { ...none, accepted: recipients },
    columns: { name: { recipients } },
  };
  await ledger.audiences.finishImport(id, audience, source, clock.nowMs());
  return ledger.campaigns.start(id, namespace, clock.nowMs());
}

export function chatOf(recipient: number): string {
  return `1555${String(recipient + 2).padStart(7, '0')}@c.us`;
}
