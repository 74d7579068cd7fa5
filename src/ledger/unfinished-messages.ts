import { sql } from 'kysely';
import { RECEIPT_WAIT_MS, type MessageId, present, type MessageKind } from '../contract/index.js';
import type { Db } from './store.js';
import { stateList } from './state-list.js';

export interface UnfinishedMessages {
  readonly namespace: string;
  readonly nowMs: number;
  readonly afterId?: MessageId;
  readonly limit: number;
}

/** A message that needs a run, and what a new one is started with. */
export interface UnfinishedMessage {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
  /** The workflow that sends it, unless that is `message:<id>`. */
  readonly workflowId?: string;
}

/**
 * A page of the messages whose workflow has something left to do, by id: those that had one, and those with an open edit of
 * their own; edits of an amendment need no workflow.
 * A message whose workflow is only wanted is started from its row, and one without needs none.
 */
export async function unfinishedMessages(
  db: Db,
  { namespace, nowMs, afterId, limit }: UnfinishedMessages,
): Promise<UnfinishedMessage[]> {
  const now = new Date(nowMs);
  // After that no run waits for evidence any more; late evidence and an operator need none.
  const lastHeard = new Date(nowMs - RECEIPT_WAIT_MS);
  const rows = await db
    .selectFrom('messages as m')
    .select(['m.id', 'm.instance', 'm.kind', 'm.workflow_id'])
    .where(({ or, eb }) => or([eb('m.namespace', 'is', null), eb('m.namespace', '=', namespace)]))
    .where('m.id', '>', afterId ?? ('' as MessageId))
    .where(
      // In two parts, so that each finds its few rows by an index.
      sql<boolean>`m.id in (
        select u.id from messages u
        where u.run in ('starting', 'started') and u.ended_at is null
          and u.state in ${stateList('pending', 'in_flight', 'unresolved', 'accepted')}
          and (u.state <> 'sending' or exists (
            select from attempts a where a.token = u.attempt_token and a.reconcile_after <= ${now}))
          and (u.state <> 'unresolved' or u.expires_at > ${lastHeard})
        union
        select e.message_id from edits e where e.state in ('pending', 'sending', 'posted') and e.campaign_id is null)`,
    )
    .orderBy('m.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, instance, kind, workflow_id: workflowId }) => ({
    id,
    instance,
    kind,
    ...present({ workflowId }),
  }));
}
