import { sql } from 'kysely';
import { LEDGER_WENT_BACK } from '../../contract/index.js';
import { isStandstill, newestReading } from '../instances/standstill.js';
import { LedgerPart } from '../storage/store.js';
import type { Known } from '../storage/pages.js';
import { viewInstance } from './instance-view.js';
import { listMessages, type MessageFilter } from './message-list.js';
import { listTimeline } from './timeline.js';
import { viewMessage } from './message-view.js';

/** What operators and the API see that many parts of the ledger know together. `nowMs` is for reasons to wait. */
export class Views extends LedgerPart {
  readonly message = this.statement(viewMessage);

  /** A page of messages, newest first. @param nowMs  @default without the reasons why they wait */
  messages<Given extends MessageFilter>(filter: Known<Given, MessageFilter>, nowMs?: number) {
    return this.database.run((db) => listMessages(db, filter, nowMs));
  }

  /** A page of what happened with a contact, newest first. */
  readonly timeline = this.statement(listTimeline);

  readonly instance = this.statement(viewInstance);

  /** Those that an operator has to look at: paused, standing still, offline, not authorized, or with doubtful messages. */
  async unwell(instances: readonly string[]): Promise<string[]> {
    // All in one statement, since there may be hundreds.
    const rows = await this.database.rows(sql<{ instance: string }>`/* unwell_instances */
    select i.instance from unnest(${instances}::text[]) i(instance)
    left join instance_connections c on c.instance = i.instance
    left join lateral (
      select s.state from instance_states s where s.instance = i.instance order by s.since desc, s.seq desc limit 1
    ) seen on true
    left join lateral (${newestReading('i')}) reading on true
    where exists (select from instance_pauses p where p.instance = i.instance and p.resumed_at is null)
      or seen.state <> 'authorized' or c.status <> 'online' or ${isStandstill('i')}
      or exists (select from restores) and exists (
        select from messages m where m.state = 'unresolved' and m.reason = ${LEDGER_WENT_BACK} and m.instance = i.instance)
    order by i.instance collate "C"`);
    return rows.map(({ instance }) => instance);
  }
}
