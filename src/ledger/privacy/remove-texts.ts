import { sql } from 'kysely';
import { EVIDENCE_WINDOW_MS, type MessageId } from '../../contract/index.js';
import { editableMsOf, expiresAt } from '../messages/message-row.js';
import { EDITS_UNDER_WAY, stateList } from '../storage/state-lists.js';
import { forgetInParts, type Store } from '../storage/store.js';

/**
 * Removes the texts of sensitive messages that nothing can need any more (SECRET-3). A message needs its text
 *
 * - until it ends: it may be posted, compared with what the gateway shows, or resolved;
 * - until the window for edits has passed;
 * - while an attempt without a proven outcome may still be shown by a late notification, in which it has to be hidden.
 *
 * An unresolved message keeps its text until it has expired and no evidence is possible any more.
 * @returns how many messages
 */
export function removeTexts(store: Store, nowMs: number): Promise<number> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const lastEvidence = sql`${new Date(nowMs - EVIDENCE_WINDOW_MS)}::timestamptz`;
  const hasEnded = sql`(m.state in ${stateList('taken', 'undeliverable', 'unsent')}
    or m.state in ${stateList('accepted')} and m.ended_at is not null
    or m.state in ${stateList('unresolved')} and ${expiresAt('m')} < ${now})`;
  return forgetInParts((limit) =>
    store.transaction(async (tx) => {
      const { rows } = await sql<{ id: MessageId }>`
        select m.id from messages m
        where m.hidden is not null and ${hasEnded}
          and greatest(m.created_at, m.accepted_at, m.sent_seen_at, m.ended_at)
            < ${now} - (${editableMsOf(sql`m.instance`)} + ${CLOCKS_MS}::integer) * interval '1 ms'
          and not exists (select from edits e where e.message_id = m.id and e.state in ${EDITS_UNDER_WAY})
          and not exists (select from attempts a where a.message_id = m.id and a.claimed_at >= ${lastEvidence}
            and (a.outcome is null or a.outcome = 'unknown'))
        order by m.id limit ${limit} for no key update of m skip locked`.execute(tx);
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      const are = (column: string) => sql`${sql.ref(column)} = any(${ids}::text[]) and hidden is not null`;
      await sql`update messages set hidden = null, text_removed_at = ${now} where ${are('id')}`.execute(tx);
      await sql`update attempts set hidden = null where ${are('message_id')}`.execute(tx);
      await sql`update edits set hidden = null where ${are('message_id')}`.execute(tx);
      await sql`update notifications set hidden = null where ${are('about')}`.execute(tx);
      await sql`update observations set hidden = null where ${are('about')}`.execute(tx);
      return ids.length;
    }),
  );
}

/** The window is the shorter one of two clocks; differences between clocks of workers come on top. */
const CLOCKS_MS = 60_000;
