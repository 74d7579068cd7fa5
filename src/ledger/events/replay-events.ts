/**
 * Delivers stored events again: one, or those of a period.
 *
 * REPLAY-1 A replay runs in parts, each a short transaction that also records the command's progress.
 * REPLAY-2 A repeated request with the same command continues the replay, also after a kill: no event is replayed
 *    twice. The end of the period stays that of the first request.
 */
import { sql } from 'kysely';
import {
  lockedResult,
  recordCommand,
  recordProgress,
  type AskedCommand,
  type CommandSubject,
} from '../storage/commands.js';
import { onlyRow, type Store, type Tx } from '../storage/store.js';

/** Events of one transaction. */
const AT_ONCE = 1_000;

/** The events that a replay delivers again: one, or those of a period. */
export type ReplayedEvents = { readonly sequence: string } | { readonly fromMs: number; readonly toMs: number };

/** The progress of a replay, in the command's row during the replay and after its end. */
interface Progress {
  readonly events: number;
  readonly which: ReplayedEvents;
  /** Position of the last event so far, with all digits of its time. */
  readonly after?: { readonly at: string; readonly seq: string };
  readonly hasEnded: boolean;
}

interface Part {
  readonly events: number;
  readonly at: string | null;
  readonly seq: string | number | null;
}

/** @returns how many events */
export async function replayEvents(
  store: Store,
  endpointId: string,
  asked: ReplayedEvents,
  command: AskedCommand,
  nowMs: number,
): Promise<number> {
  const subject: CommandSubject = `eventEndpoint:${endpointId}`;
  await store.run((db) => recordCommand(db, subject, 'replay', command, nowMs));
  for (;;) {
    const progress = await store.transaction(async (tx) => {
      const known = (await lockedResult(tx, subject, command.id)) as Progress | null;
      if (known?.hasEnded === true) return known;
      const { events, which, after } = known ?? { events: 0, which: asked };
      const part = await replayPart(tx, endpointId, which, after);
      const next: Progress = {
        events: events + part.events,
        which,
        hasEnded: part.events < AT_ONCE,
        ...(part.at === null ? {} : { after: { at: part.at, seq: String(part.seq) } }),
      };
      await recordProgress(tx, subject, command.id, next);
      return next;
    });
    if (progress.hasEnded) return progress.events;
  }
}

function replayPart(tx: Tx, endpointId: string, which: ReplayedEvents, after: Progress['after']): Promise<Part> {
  // One lower bound: an index scan would begin at that of the row, and pass everything before the period.
  const isReplayed =
    'sequence' in which
      ? sql`n.seq = ${which.sequence}::bigint`
      : sql`(n.at, n.seq) > (${after?.at ?? new Date(which.fromMs).toISOString()}::timestamptz, ${after?.seq ?? '-1'}::bigint)
          and n.at < ${new Date(which.toMs)}::timestamptz`;
  return onlyRow(
    tx,
    sql<Part>`
    with part as materialized (
      select n.seq, n.at, n.ordering_key
      from event_endpoints e join events n on n.instance = e.instance
      where e.id = ${endpointId} and n.endpoint_id is null and wants_event(e, n.type, n.notification_id is not null)
        and ${isReplayed}
      order by n.at, n.seq limit ${sql.lit(AT_ONCE)}
    ), due as (
      insert into event_deliveries as d (event_seq, endpoint_id, target, ordering_key)
      select seq, ${endpointId}, ${endpointId}, ordering_key from part
      on conflict (event_seq, endpoint_id) do update
      set created_at = clock_timestamp(), next_try_at = '-infinity', tries = 0, problem = null, ended_at = null,
        delivered = false
    )
    select (select count(*)::integer from part) as events, l.at::text as at, l.seq
    from (values (true)) one(is_here) left join lateral (
      select at, seq from part order by at desc, seq desc limit 1) l on true`,
  );
}
