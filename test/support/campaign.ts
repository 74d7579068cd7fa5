import { randomUUID } from 'node:crypto';
import {
  RECIPIENT_VERDICTS,
  present,
  zeroOfEach,
  type CampaignDefinition,
  type CampaignId,
  type CampaignProgress,
  type Clock,
  type ColumnFacts,
  type Recipient,
  type RejectedLine,
} from '../../src/contract/index.js';
import type { Ledger, ReadLines } from '../../src/ledger/index.js';

export interface CampaignToStart {
  readonly id: CampaignId;
  readonly recipients: number;
  readonly definition?: Partial<CampaignDefinition>;
  /** Temporal's namespace. @default 'default' */
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
  await importRecipients(ledger, id, recipients, clock.nowMs());
  return ledger.campaigns.start(id, namespace, clock.nowMs());
}

/** Lines 2 to `recipients` + 1, as in a file with a head. With timezones the recipients of the first one come first. */
export async function importRecipients(
  { audiences }: Pick<Ledger, 'audiences'>,
  id: CampaignId,
  recipients: number,
  nowMs: number,
  {
    columns = { name: { name: 'name', recipients } },
    timezones = [],
  }: { readonly columns?: Readonly<Record<string, ColumnFacts>>; readonly timezones?: readonly string[] } = {},
): Promise<void> {
  const audience = await audiences.beginImport(id, nowMs);
  const lines = Array.from({ length: recipients }, (_, index) => ({
    line: index + 2,
    chatId: chatOf(index),
    values: { name: `P${index + 2}` },
    ...present({ timezone: timezones[Math.floor((index * timezones.length) / recipients)] }),
  }));
  await audiences.addLines(audience, readLines(lines));
  const verdicts = { ...zeroOfEach(RECIPIENT_VERDICTS), accepted: recipients };
  await audiences.finishImport(id, audience, { hash: randomUUID(), lines: recipients, verdicts, columns }, nowMs);
}

/** Lines of a file whose only column is the number. */
export function readLines(recipients: readonly Recipient[], rejects: readonly RejectedLine[] = []): ReadLines {
  const chatIdOf = new Map(recipients.map(({ line, chatId }) => [line, chatId]));
  return { recipients, rejects, columnsOf: (line) => ({ phone: chatIdOf.get(line) ?? '' }) };
}

export function chatOf(recipient: number): string {
  return `1555${String(recipient + 2).padStart(7, '0')}@c.us`;
}
