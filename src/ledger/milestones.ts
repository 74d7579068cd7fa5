import { present } from '../contract/index.js';
import type { Selectable } from 'kysely';
import { iso } from './iso.js';
import type { MessagesTable } from './schema.js';
import type { MessageMilestones } from './message-types.js';

type Columns = Pick<Selectable<MessagesTable>, 'accepted_at' | 'sent_at' | 'sent_seen_at'> &
  Partial<Pick<Selectable<MessagesTable>, 'delivered_at' | 'delivered_seen_at' | 'read_at' | 'read_seen_at'>>;

/** Several processes write these times, each by its own clock: a later step is never shown before an earlier one. */
export function milestonesOf(row: Columns): MessageMilestones {
  const { accepted_at, sent_at, sent_seen_at, delivered_at = null, delivered_seen_at = null } = row;
  const { read_at = null, read_seen_at = null } = row;
  const sent = notBefore(accepted_at, sent_at && (sent_seen_at ?? sent_at));
  const delivered = notBefore(sent ?? accepted_at, delivered_at && (delivered_seen_at ?? delivered_at));
  const read = notBefore(delivered ?? sent ?? accepted_at, read_at && (read_seen_at ?? read_at));
  return present({
    acceptedAt: iso(accepted_at),
    sentAt: iso(sent),
    deliveredAt: iso(delivered),
    readAt: iso(read),
    gatewaySentAt: iso(sent_at),
    gatewayDeliveredAt: iso(delivered_at),
    gatewayReadAt: iso(read_at),
  });
}

function notBefore(earlier: Date | null, at: Date | null): Date | null {
  return at !== null && earlier !== null && at < earlier ? earlier : at;
}
