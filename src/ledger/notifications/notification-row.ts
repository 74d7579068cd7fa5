import { present } from '../../contract/index.js';
import { sql, type Selectable } from 'kysely';
import type { StoredNotification } from './notification-ledger.js';
import type { NotificationsTable } from '../schema.js';

export type NotificationColumns = Pick<
  Selectable<NotificationsTable>,
  'id' | 'instance' | 'body' | 'received_at' | 'oddity'
>;

export function storedNotification({
  id,
  instance,
  body,
  received_at,
  oddity,
}: NotificationColumns): StoredNotification {
  return { id: String(id), instance, body, receivedAt: received_at.toISOString(), ...present({ oddity }) };
}

/** For the notification `n`. */
export const IS_APPLIED = sql<boolean>`not exists (
  select from pending_notifications p where p.notification_id = n.id)`;
