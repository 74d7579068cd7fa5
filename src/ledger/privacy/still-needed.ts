/**
 * Rows that an erasure does not change, although they contain the number: what is still to be sent, what a retry may
 * send again, and the evidence that decides about a message in doubt. They belong to other recipients and to operators.
 * The receipt lists them. An erasure that is requested after they have ended removes the number from them.
 */
import { type RawBuilder, sql } from 'kysely';
import { campaignMaySend } from '../campaigns/campaign-row.js';
import { mayBeSent } from '../messages/may-be-sent.js';
import { EDITS_UNDER_WAY } from '../storage/state-lists.js';
import type { PERSONAL_DATA } from './personal-data.js';

type Condition = RawBuilder<boolean>;

/** What the conditions depend on. */
export interface Needs {
  /** A text in JSON that is only the number or chat id of the recipient. */
  readonly namePattern: string;
  /** Instances with a message in doubt whose text contains the number. */
  readonly instancesInDoubt: readonly string[];
}

interface StillNeeded {
  /** A condition on the row `t`. */
  readonly isNeeded: (needs: Needs) => Condition;
  /** How the receipt names the row. */
  readonly id: RawBuilder<string>;
}

function campaignOf(id: RawBuilder<unknown>): Condition {
  return sql`exists (select from campaigns c where c.id = ${id} and ${campaignMaySend('c')})`;
}

const EVIDENCE: StillNeeded = {
  isNeeded: ({ instancesInDoubt }) => sql`t.instance = any(${instancesInDoubt}::text[])`,
  id: sql`t.instance`,
};

/** Only an address in such a row is kept. */
const NEVER = (): Condition => sql`false`;

/** Every table with a column of kind `sent` or `address` has an entry. */
export const STILL_NEEDED: { readonly [Table in keyof typeof PERSONAL_DATA]?: StillNeeded } = {
  messages: { isNeeded: () => mayBeSent('t'), id: sql`t.id` },
  attempts: {
    isNeeded: () => sql`exists (select from messages a where a.id = t.message_id and ${mayBeSent('a')})`,
    id: sql`t.message_id`,
  },
  edits: { isNeeded: () => sql`t.state in ${EDITS_UNDER_WAY}`, id: sql`t.id` },
  campaigns: { isNeeded: () => campaignMaySend('t'), id: sql`t.id` },
  amendments: {
    isNeeded: () => sql`(t.ended_at is null or ${campaignOf(sql`t.campaign_id`)})`,
    id: sql`t.campaign_id`,
  },
  recipients: {
    isNeeded: () => campaignOf(sql`(select a.campaign_id from audiences a where a.no = t.audience_no)`),
    id: sql`(select a.campaign_id from audiences a where a.no = t.audience_no) || ', line ' || t.line`,
  },
  schedules: { isNeeded: () => sql`t.state in ('active', 'paused')`, id: sql`t.id` },
  // The gateway has the same definition, and messages are checked against it.
  templates: { isNeeded: () => sql`true`, id: sql`t.instance || '/' || t.element_name` },
  operations: { isNeeded: () => sql`t.state in ('pending', 'sending')`, id: sql`t.id` },
  events: {
    // An event that names the recipient, not only a text in it, is deleted at once.
    isNeeded: ({ namePattern }) => sql`(exists (
        select from event_deliveries d where d.event_seq = t.seq and d.ended_at is null)
      and not coalesce(coalesce(encode(t.raw, 'escape'), t.data::text) ~ ${namePattern}, false))`,
    id: sql`t.seq::text`,
  },
  event_deliveries: { isNeeded: NEVER, id: sql`t.event_seq::text` },
  event_endpoints: { isNeeded: NEVER, id: sql`t.id` },
  outbox: { isNeeded: NEVER, id: sql`coalesce(t.message_id, t.campaign_id)` },
  file_links: { isNeeded: NEVER, id: sql`t.instance || '/' || t.file_id` },
  notifications: {
    isNeeded: (needs) => sql`(${EVIDENCE.isNeeded(needs)}
      or t.id in (select notification_id from pending_notifications))`,
    id: sql`t.id::text`,
  },
  observations: EVIDENCE,
  parked_receipts: EVIDENCE,
  queue_readings: EVIDENCE,
};

/** FILE-4: what still needs the file: a message, a campaign, also for a retry, or a schedule. A condition on its id. */
export function fileIsNeeded(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(exists (
      select from messages m where m.kind = 'file' and m.content ->> 'fileId' = ${id} and ${mayBeSent('m')})
    or exists (select from campaigns c where (c.content ->> 'fileId' = ${id} or strpos(c.variants::text, ${id}) > 0)
      and ${campaignMaySend('c')})
    or exists (
      select from schedules s where s.state in ('active', 'paused') and strpos(s.definition::text, ${id}) > 0))`;
}
