/**
 * The claims of edits in a tick: which are posted now, and which are looked up in the journal.
 *
 * EDITCLAIM-1 Edits of single messages go before those of amendments. The newest one goes first; those of amendments in
 *    the order of ORDER-1 and ORDER-2.
 * EDITCLAIM-2 Only these hold an edit back: what it waits for (EDITLIFE-2), its window, an operator's pause, and the
 *    shift (its epoch, the pace of editMessage and its 429). Hours, caps and the gateway's queue do not.
 *
 * A shift wants edits only when one is due, which the first statement of its ticks shows. A tick without
 * edits has no further statement for them.
 */
import { sql } from 'kysely';
import { present, type EditId } from '../../../contract/index.js';
import { orderEdits } from '../../../domain/index.js';
import { editsIn, moveEdits } from '../../messages/edits/move-edits.js';
import { jsonText } from '../../storage/statements.js';
import type { Db, Tx } from '../../storage/store.js';
import type { DueEdit, EditWant, NextEdits } from '../dispatch-ledger.js';

/** More edits than fit into a window. */
const MOST_OF_AMENDMENTS = 1_000;
/** If its reading is never recorded, the journal is read again after this time. */
const READING_MS = 30_000;

interface Candidate {
  readonly instance: string;
  readonly id: EditId;
  readonly kind: 'single' | 'amendment' | 'read';
  readonly closes_at: Date;
}

/**
 * For the first statement of a tick: when an edit of the instance of `d` is due. The probes cost microseconds where it
 * has none.
 */
export const EDITS_DUE = sql`(
      select post.at from (
        select min(e.due_at) as at from edits e where e.instance = d.instance and e.step = 'post') post
      where post.at is not null and not exists (
        select from instance_pauses p where p.instance = d.instance and p.reason = 'operator' and p.resumed_at is null)
    ) as post_at, (
      select min(e.due_at) from edits e where e.instance = d.instance and e.step = 'read') as read_at`;

export async function claimEdits(tx: Tx, wants: readonly EditWant[], nowMs: number): Promise<DueEdit[]> {
  if (wants.length === 0) return [];
  const found = await candidates(tx, wants, nowMs);
  const ofWant = wants.map((want) => ({ want, own: found.filter(({ instance }) => instance === want.shift.instance) }));
  const claimed: DueEdit[] = [];
  for (const { want, own } of ofWant) claimed.push(...(await claimPosts(tx, want, own, nowMs)));
  const reads = found.filter(({ kind }) => kind === 'read').map(({ id }) => id);
  if (reads.length === 0) return claimed;
  const which = { ...editsIn(reads), skipsLocked: true };
  const moved = await moveEdits(tx, 'readAgain', which, { due: new Date(nowMs + READING_MS), nowMs });
  for (const { id, message_id, instance, chat_id, id_message } of moved) {
    if (chat_id === null || id_message === null) continue;
    claimed.push({ editId: id, messageId: message_id, instance, chatId: chat_id, idMessage: id_message });
  }
  return claimed;
}

async function candidates(tx: Tx, wants: readonly EditWant[], nowMs: number): Promise<Candidate[]> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const wanted = wants.map(({ shift, posts, reads }) => ({
    instance: shift.instance,
    posts,
    amendments: posts > 0 ? MOST_OF_AMENDMENTS : 0,
    reads,
  }));
  const toPost = sql`e.instance = w.instance and e.step = 'post' and e.due_at <= ${now} and e.closes_at > ${now}`;
  const { rows } = await sql<Candidate>`/* claim_edits */
    select w.instance, e.* from json_to_recordset(${jsonText(wanted)}::json) as w(
      instance text, posts integer, amendments integer, reads integer)
    cross join lateral (
      (select e.id, 'single' as kind, e.closes_at from edits e
      where ${toPost} and e.campaign_id is null order by e.seq desc limit w.posts)
      union all
      (select e.id, 'amendment', e.closes_at from edits e
      where ${toPost} and e.campaign_id is not null order by e.closes_at desc limit w.amendments)
      union all
      (select e.id, 'read', e.closes_at from edits e
      where e.instance = w.instance and e.step = 'read' and e.due_at <= ${now} order by e.due_at limit w.reads)) e`.execute(
    tx,
  );
  return rows;
}

/** EDITCLAIM-1 */
async function claimPosts(tx: Tx, want: EditWant, own: readonly Candidate[], nowMs: number): Promise<DueEdit[]> {
  const { posts, spacingMs } = want;
  const chosen = own.filter(({ kind }) => kind === 'single').map(({ id }) => id);
  let others = own
    .filter(({ kind }) => kind === 'amendment')
    .map(({ id, closes_at }) => ({ id, untilMs: closes_at.getTime() }));
  while (chosen.length < posts) {
    const { next } = orderEdits(others, { nowMs, spacingMs });
    if (next === undefined) break;
    chosen.push(next.id);
    others = others.filter(({ id }) => id !== next.id);
  }
  if (chosen.length === 0) return [];
  const which = { ...editsIn(chosen), skipsLocked: true };
  const moved = await moveEdits(tx, 'claimed', which, {
    witness: 'claim',
    try_token: sql`gen_random_uuid()::text`,
    tried_at: new Date(nowMs),
    may_have_arrived: sql`e.state = 'sending'`,
    settles_at: new Date(want.settlesAtMs),
    id_message_given: sql`c.id_message`,
    due: new Date(want.settlesAtMs),
    nowMs,
  });
  return moved.flatMap(({ id, message_id, instance, chat_id, id_message, try_token, text, closes_at, ...row }) => {
    if (chat_id === null || id_message === null || try_token === null) return [];
    const deadlineMs = Math.min(want.postingDeadlineMs, closes_at?.getTime() ?? 0);
    const post = { token: try_token, text, deadlineMs, ...present({ hidden: row.hidden, trace: row.trace_context }) };
    return [{ editId: id, messageId: message_id, instance, chatId: chat_id, idMessage: id_message, post }];
  });
}

export interface EditsDueRow {
  readonly post_at: Date | null;
  readonly read_at: Date | null;
}

export function nextEditsOf({ post_at, read_at }: EditsDueRow): NextEdits {
  return present({ postAtMs: post_at?.getTime(), readAtMs: read_at?.getTime() });
}

export async function nextEdits(db: Db, instances: readonly string[]): Promise<ReadonlyMap<string, NextEdits>> {
  if (instances.length === 0) return new Map();
  const { rows } = await sql<EditsDueRow & { instance: string }>`/* next_edits */
    select d.instance, ${EDITS_DUE} from unnest(${instances}::text[]) as d(instance)`.execute(db);
  return new Map(rows.map((row) => [row.instance, nextEditsOf(row)]));
}
