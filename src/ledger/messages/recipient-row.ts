import { sql, type RawBuilder } from 'kysely';
import {
  recipientMask,
  recipientOfMessageId,
  toBase32,
  type MessageContent,
  type MessageId,
} from '../../contract/index.js';
import { isHeldOut, renderContent, variantFor } from '../../domain/index.js';
import { jsonHash } from '../storage/hashes.js';
import { keyOf } from './recipient-key.js';
import type { Db, Tx } from '../storage/store.js';
import { jsonText } from '../storage/statements.js';
import { HOLD_OUT, REASON_WITHOUT_MESSAGE } from './end-reasons.js';
import { insertMessage } from './writer/new-messages.js';

/**
 * Creates the row of a recipient of a started campaign when it is requested by id before it is read ahead. Runs under
 * the campaign's row lock, so that no recipient is pending in a campaign that was just cancelled.
 * @returns false if the id does not belong to such a recipient
 */
export async function openRecipient(db: Db, id: MessageId): Promise<boolean> {
  const recipient = recipientOfMessageId(id);
  if (recipient === undefined) return false;
  const { campaignKey, line } = recipient;
  const known = await db.selectFrom('campaigns').select('id').where('key', '=', campaignKey).executeTakeFirst();
  if (known === undefined) return false;
  const open = (tx: Tx): Promise<boolean> => writeRow(tx, id, campaignKey, line);
  return db.isTransaction ? open(db as Tx) : db.transaction().execute(open);
}

async function writeRow(tx: Tx, id: MessageId, campaignKey: string, line: number): Promise<boolean> {
  const campaign = await tx
    .selectFrom('campaigns')
    .selectAll()
    .where('key', '=', campaignKey)
    .where('state', '<>', 'draft')
    .forShare()
    .executeTakeFirst();
  const { started_at, deadline_at, audience_no } = campaign ?? {};
  // A draft: its audience may still change.
  if (campaign === undefined || !started_at || !deadline_at || !audience_no) return false;
  const recipient = await tx
    .selectFrom('recipients')
    .selectAll()
    .where('audience_no', '=', audience_no)
    .where('line', '=', line)
    .executeTakeFirst();
  if (recipient === undefined) return false;
  const recipientKey = recipient.key ?? recipient.chat_id;
  const variant = variantFor(campaign, recipientKey);
  const template = variant?.content ?? campaign.content;
  const content = renderContent(template, recipient.values) as unknown as MessageContent;
  const { state_without_message, definition } = campaign;
  const isLeftOut = state_without_message === 'pending' && isHeldOut(definition.holdOut, recipientKey);
  const state = isLeftOut ? 'held_out' : state_without_message;
  const overAt = campaign.ended_at ?? campaign.cancel_requested_at ?? deadline_at;
  const endedAt = isLeftOut ? started_at : state === 'pending' ? null : overAt;
  await insertMessage(tx, {
    id,
    instance: campaign.instance,
    chat_id: recipient.chat_id,
    recipient_key: keyOf(recipient.chat_id),
    kind: content.kind,
    content: jsonText(content),
    // Composed again in the claim, which also checks the limits of the content.
    body_hash: jsonHash(content),
    request_hash: id,
    state,
    reason: isLeftOut ? HOLD_OUT : REASON_WITHOUT_MESSAGE[state_without_message],
    priority: campaign.priority,
    category: campaign.category,
    on_unknown: campaign.on_unknown,
    reference: campaign.reference,
    namespace: campaign.namespace,
    created_at: started_at,
    expires_at: deadline_at,
    ended_at: endedAt,
    campaign_id: campaign.id,
    line,
    content_version: campaign.content_version,
    variant: variant?.name ?? null,
  });
  if (isLeftOut) {
    const detail = jsonText({ share: definition.holdOut });
    const held = { fact: 'held_out:1', at: started_at, witness: 'campaign', what: 'held_out', detail };
    await tx
      .insertInto('evidence')
      .values({ message_id: id, ...held })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return true;
}

const ALPHABET = Array.from({ length: 32 }, (_, digit) => toBase32(digit, 1)).join('');
const SHIFTS = [25, 20, 15, 10, 5, 0] as const;

/** `recipientMessageId` in SQL, for a column with the number of a line. */
export function recipientMessageIdOf(campaignKey: string, line: RawBuilder<unknown>): RawBuilder<string> {
  const masked = sql`(${line} # ${sql.lit(recipientMask(campaignKey))})`;
  const characters = SHIFTS.map(
    (shift) => sql`substr(${sql.lit(ALPHABET)}, ((${masked} >> ${sql.lit(shift)}) & 31) + 1, 1)`,
  );
  return sql<string>`('msg_' || ${sql.join(characters, sql` || `)} || ${campaignKey}::text)`;
}
