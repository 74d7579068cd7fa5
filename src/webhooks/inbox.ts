import { present } from '../contract/index.js';
import type { Clock, InstanceDirectory } from '../contract/index.js';
import type { Ledger, NotificationFacts } from '../ledger/index.js';
import { notificationEvent, type CameAs } from './notification-event.js';
import { parseNotification } from './notification.js';
import { readParsed, type Recipient } from './read-notification.js';

/** Where notifications are stored as they came, pushed or fetched, before anything is made of them. */
export interface Inbox {
  /**
   * Resolves once the notification is durable. The same body of the same instance is stored once.
   * @returns whether an event was recorded with it
   * @throws AppError LEDGER_UNAVAILABLE
   */
  take(instance: string, body: unknown, options?: CameAs & { readonly isCut?: boolean }): Promise<boolean>;
}

export interface InboxDependencies {
  readonly ledger: Pick<Ledger, 'receipts'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
}

export function createInbox({ ledger, instances, clock }: InboxDependencies): Inbox {
  return {
    async take(instance, body, { isCut = false, ...came } = {}) {
      const nowMs = clock.nowMs();
      const parsed = parseNotification(body);
      const reading = readParsed(parsed, nowMs, recipientOf(instances, instance));
      const oddity = isCut ? 'cut' : reading.kind === 'ignored' ? reading.why : undefined;
      const facts: NotificationFacts = {
        ...(parsed.is === 'malformed' ? {} : { kind: parsed.notification.typeWebhook }),
        ...present({ oddity }),
        event: notificationEvent(parsed, body, came),
      };
      return (await ledger.receipts.store(instance, body, nowMs, facts)).hasEvents;
    },
  };
}

/** An instance that was taken out of the configuration has said something all the same. */
export function recipientOf(instances: InstanceDirectory, instance: string): Recipient {
  const idInstance = instances.names().includes(instance) ? instances.get(instance).idInstance : undefined;
  return { instance, idInstance };
}
