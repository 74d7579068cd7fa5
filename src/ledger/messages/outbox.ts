/**
 * What runs in Temporal still have to get: the completion of an activity that waits for a row, an update that shows an
 * edit, or the start of a run for a campaign that was taken back from its end.
 *
 * AWAIT-1 A wait is recorded under the lock of its row, with the states that end it. A trigger makes it due in the
 *    transaction of the change. So no change is missed, none waits for Temporal, and a process that dies loses none.
 * AWAIT-2 A completion carries the row's present state, and the id of the run that waits for it.
 * AWAIT-3 A wait lasts as long as the activity's try in Temporal. The next try records it again.
 * AWAIT-7 A campaign that is taken back from its end gets a run by the same trigger, whichever command or job did it. Its
 *    earlier run may be closing, so a start alone would find it open and have no effect.
 */
import { type Selectable, sql } from 'kysely';
import {
  type CampaignId,
  type EditId,
  type EditSnapshot,
  isEditOutcome,
  type MessageId,
  type MessageState,
  messageWorkflowId,
  type ShownMessage,
  WAITING_TRY_MS,
} from '../../contract/index.js';
import type { OutboxTable } from '../storage/schema.js';
import { LedgerPart, type Tx } from '../storage/store.js';
import { type EditColumns, editSnapshotOf, existingShown, readShown } from './message-row.js';
import { runTakesOver } from './runs.js';

/** An activity that waits in a run. */
export interface WaitingActivity {
  readonly workflowId: string;
  readonly runId: string;
  readonly activityId: string;
}

/** What one run has to get. */
export type OutboxEntry = MessageEntry | CampaignEntry;

interface Entry {
  readonly seq: string;
  readonly workflowId: string;
  /** How often it was postponed. */
  readonly tries: number;
}

interface MessageEntry extends Entry {
  readonly messageId: MessageId;
  readonly campaignId?: never;
  /** The activity to complete; absent: the run is asked to show the edit. */
  readonly activity?: Omit<WaitingActivity, 'workflowId'>;
  /** The message as it is now. */
  readonly message: ShownMessage;
  /** The edit as it is now, without its text. */
  readonly edit?: EditSnapshot;
}

/** A campaign has changed, or was taken back from its end. */
interface CampaignEntry extends Entry {
  readonly campaignId: CampaignId;
  /** The activity to complete; absent: the campaign needs a run (AWAIT-7). */
  readonly activity?: Omit<WaitingActivity, 'workflowId'>;
  readonly messageId?: never;
  readonly message?: never;
  readonly edit?: never;
}

interface StateWait {
  readonly messageId: MessageId;
  readonly activity: WaitingActivity;
  readonly until: readonly MessageState[];
  /** The wait ends then in any state. */
  readonly deadlineMs?: number;
  /** Temporal's namespace of the run. */
  readonly namespace: string;
  readonly nowMs: number;
}

interface EditWait {
  readonly messageId: MessageId;
  readonly editId: EditId;
  readonly activity: WaitingActivity;
  readonly nowMs: number;
}

type Wait = Pick<StateWait, 'activity' | 'nowMs'> & Partial<StateWait & EditWait & { readonly campaignId: CampaignId }>;

type EntryRow = Omit<Selectable<OutboxTable>, 'due_at' | 'problem'>;

export class Outbox extends LedgerPart {
  /** @throws AppError MESSAGE_NOT_FOUND */
  readonly shown = this.statement(existingShown);

  /**
   * AWAIT-1. @returns the message if the wait is over; undefined: its completion will come
   * @throws AppError MESSAGE_NOT_FOUND
   */
  async awaitState(wait: StateWait): Promise<ShownMessage | undefined> {
    const { messageId, until, deadlineMs = Infinity, nowMs } = wait;
    const isOver = ({ state, hasEnded }: ShownMessage): boolean =>
      hasEnded || until.includes(state) || deadlineMs <= nowMs;
    const read = await this.shown(messageId);
    if (isOver(read)) return read;
    return this.database.transaction(async (tx) => {
      const { rows } = await sql<{ run: string }>`/* lock_awaited_message */
        select run from messages where id = ${messageId} for no key update`.execute(tx);
      const { namespace } = wait;
      // The run may begin before the process that started it has marked the row.
      if (rows[0]?.run !== 'started') await runTakesOver(tx, messageId, { namespace });
      const message = await existingShown(tx, messageId);
      if (isOver(message)) return message;
      await recordWait(tx, wait);
      return undefined;
    });
  }

  /**
   * AWAIT-1. @returns the edit and its message once it has ended; undefined: its completion will come
   * @throws AppError MESSAGE_NOT_FOUND
   */
  async awaitEdit(wait: EditWait): Promise<{ edit: EditSnapshot; message: ShownMessage } | 'unknown' | undefined> {
    const { messageId, editId } = wait;
    return this.database.transaction(async (tx) => {
      const { rows } = await sql<EditColumns>`
        select id, state, via from edits
        where id = ${editId} and message_id = ${messageId} for no key update`.execute(tx);
      const [edit] = rows;
      if (edit === undefined) return 'unknown';
      if (!isEditOutcome(edit.state)) {
        await recordWait(tx, wait);
        return undefined;
      }
      const message = await existingShown(tx, messageId);
      return { edit: editSnapshotOf(edit), message };
    });
  }

  /**
   * Due entries, oldest first. No other process gets them for a while. Waits whose try is over are removed (AWAIT-3).
   * @param which.forMs  how long
   */
  async claim(which: {
    readonly nowMs: number;
    readonly forMs: number;
    readonly limit: number;
  }): Promise<readonly OutboxEntry[]> {
    const { nowMs, forMs, limit } = which;
    const claimed = await this.database.rows(sql<EntryRow>`/* claim_outbox */
      with due as (
        select seq from outbox e where due_at <= ${new Date(nowMs)}::timestamptz
          and (activity_id is not null
            or not exists (select from messages m where m.id = e.message_id and m.run = 'wanted'))
        order by due_at, seq limit ${limit} for update skip locked
      )
      update outbox o set due_at = ${new Date(nowMs + forMs)}::timestamptz
      from due where o.seq = due.seq
      returning o.seq, o.message_id, o.campaign_id, o.edit_id, o.workflow_id, o.run_id, o.activity_id, o.until, o.deadline_at,
        o.reached_at, o.tries`);
    if (claimed.length === 0) return [];
    const ids = new Set(claimed.flatMap(({ message_id }) => message_id ?? []));
    const messages = await this.database.run((db) => readShown(db, [...ids]));
    const edits = await this.#edits(claimed.flatMap(({ edit_id }) => edit_id ?? []));
    const entries: OutboxEntry[] = [];
    const over: string[] = [];
    for (const row of claimed) {
      const entry = entryOf(row, messages, edits, nowMs);
      if (entry === undefined) over.push(String(row.seq));
      else entries.push(entry);
    }
    await this.remove(over);
    return entries;
  }

  /** Entries that were sent, or that no run can get any more. */
  async remove(seqs: readonly string[]): Promise<void> {
    if (seqs.length === 0) return;
    await this.database.rows(sql`/* remove_from_outbox */
      delete from outbox where seq = any(${seqs}::bigint[])`);
  }

  /** Claimed entries that were not tried are due again. */
  async release(seqs: readonly string[], nowMs: number): Promise<void> {
    if (seqs.length === 0) return;
    await this.database.rows(sql`
      update outbox set due_at = ${new Date(nowMs)} where seq = any(${seqs}::bigint[])`);
  }

  /** Postpones one entry until that time, for its own reason. */
  async putOff(seq: string, problem: string, nextTryAtMs: number): Promise<void> {
    await this.database.rows(sql`
      update outbox set due_at = ${new Date(nextTryAtMs)}, tries = tries + 1, problem = ${problem} where seq = ${seq}::bigint`);
  }

  async #edits(ids: readonly EditId[]): Promise<ReadonlyMap<EditId, EditSnapshot>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.rows(sql<EditColumns>`
      select id, state, via from edits where id = any(${ids}::text[])`);
    return new Map(rows.map((row) => [row.id, editSnapshotOf(row)]));
  }
}

/** The run shows an edit that did not come through it. Only a run that has begun can. */
export async function showEdit(tx: Tx, message: { id: MessageId; workflow_id: string | null }, editId: EditId) {
  await sql`
    insert into outbox (message_id, edit_id, workflow_id, due_at, reached_at)
    values (${message.id}, ${editId}, ${message.workflow_id ?? messageWorkflowId(message.id)}, '-infinity', clock_timestamp())`.execute(
    tx,
  );
}

/**
 * AWAIT-3. A later try of the same activity replaces the wait of an earlier one, with a number of its own: a worker that
 * still sends or removes the earlier one leaves it alone.
 */
export async function recordWait(tx: Tx, wait: Wait): Promise<void> {
  const { messageId, campaignId, editId, activity, until, deadlineMs, nowMs } = wait;
  const tryEndsMs = nowMs + WAITING_TRY_MS;
  await sql`/* record_wait */
    insert into outbox (message_id, campaign_id, edit_id, workflow_id, run_id, activity_id, until, deadline_at, due_at)
    values (${messageId ?? null}, ${campaignId ?? null}, ${editId ?? null}, ${activity.workflowId}, ${activity.runId},
      ${activity.activityId}, ${until ?? null}::text[], ${deadlineMs === undefined ? null : new Date(deadlineMs)}, ${new Date(Math.min(deadlineMs ?? tryEndsMs, tryEndsMs))})
    on conflict (run_id, activity_id) do update set seq = excluded.seq, until = excluded.until, edit_id = excluded.edit_id,
      deadline_at = excluded.deadline_at, due_at = excluded.due_at, reached_at = null, tries = 0, problem = null`.execute(
    tx,
  );
}

/** @returns undefined for a wait whose try is over, and for a message that was deleted */
function entryOf(
  row: EntryRow,
  messages: ReadonlyMap<MessageId, ShownMessage>,
  edits: ReadonlyMap<EditId, EditSnapshot>,
  nowMs: number,
): OutboxEntry | undefined {
  const { message_id: messageId, campaign_id: campaignId, edit_id, run_id: runId, activity_id: activityId } = row;
  const { until, deadline_at, reached_at } = row;
  const activity = runId === null || activityId === null ? {} : { activity: { runId, activityId } };
  const own = { seq: String(row.seq), workflowId: row.workflow_id, tries: row.tries, ...activity };
  if (messageId === null) return campaignId === null || reached_at === null ? undefined : { ...own, campaignId };
  const message = messages.get(messageId);
  const edit = edit_id === null ? undefined : edits.get(edit_id);
  if (message === undefined) return undefined;
  if (until === null) {
    // A run that only shows an edit gets it in any state.
    if (edit === undefined || (activityId !== null && !isEditOutcome(edit.state))) return undefined;
  } else if (!message.hasEnded && !until.includes(message.state)) {
    if (deadline_at === null || deadline_at.getTime() > nowMs) return undefined;
  }
  return { ...own, messageId, message, ...(edit === undefined ? {} : { edit }) };
}
