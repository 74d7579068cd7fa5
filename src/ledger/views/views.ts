import type { MessageId } from '../../contract/index.js';
import { LedgerPart } from '../storage/store.js';
import type { Known } from '../storage/pages.js';
import { viewInstance } from './instance-view.js';
import { listMessages, type MessageFilter } from './message-list.js';
import { listTimeline, type TimelineFilter } from './timeline.js';
import { viewMessage } from './message-view.js';
import { unwellInstances } from './unwell-instances.js';

/** What operators and the API see that many parts of the ledger know together. `nowMs` is for reasons to wait. */
export class Views extends LedgerPart {
  message(id: MessageId, nowMs: number) {
    return this.database.run((db) => viewMessage(db, id, nowMs));
  }

  /** A page of messages, newest first. @param nowMs  @default without the reasons why they wait */
  messages<Given extends MessageFilter>(filter: Known<Given, MessageFilter>, nowMs?: number) {
    return this.database.run((db) => listMessages(db, filter, nowMs));
  }

  /** A page of what happened with a contact, newest first. */
  timeline(filter: TimelineFilter) {
    return this.database.run((db) => listTimeline(db, filter));
  }

  instance(instance: string, nowMs: number) {
    return this.database.run((db) => viewInstance(db, instance, nowMs));
  }

  /** Those that an operator has to look at: paused, standing still, offline, not authorized, or with doubtful messages. */
  unwell(instances: readonly string[]) {
    return this.database.run((db) => unwellInstances(db, instances));
  }
}
