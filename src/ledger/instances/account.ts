/**
 * Recurring jobs that read stories and groups of accounts.
 *
 * JOB-1 A job is due until a run of it has ended. A run writes its data before it ends; a run that died is repeated and
 *    writes the same data.
 * JOB-2 A story is stored once, as it was first seen.
 * JOB-3 Each state of a group is stored once, with the period in which it was seen.
 */
import { type Selectable, sql } from 'kysely';
import type { GroupData, GroupSnapshot, JobKind, RecurringJob, StoredStory } from '../../contract/index.js';
import { groupChanges } from '../../domain/index.js';
import { jsonHash } from '../storage/hashes.js';
import type { GroupSnapshotsTable, RecurringJobsTable } from '../storage/schema.js';
import { keyedHashOf } from '../storage/keyed-hash.js';
import { shown, jsonText } from '../storage/statements.js';
import { isOfInstances, type ListFilter, newestFirst, pageOf, cursorsByAge } from '../storage/pages.js';
import { type Db, LedgerPart, onlyRow } from '../storage/store.js';

interface OpenJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly instance: string;
  readonly groupId?: string | undefined;
  readonly everyMs: number;
  readonly nowMs: number;
}

const STORY_CURSORS = cursorsByAge('stories');

/** Recurring jobs, and the stories and groups that they read. */
export class Account extends LedgerPart {
  /** Writes the job, or gives it another interval; its first run is due at once. */
  async openJob({ id, kind, instance, groupId, everyMs, nowMs }: OpenJob) {
    const now = new Date(nowMs);
    const statement = sql<JobRow & { is_new: boolean }>`
      with known as (select from recurring_jobs where id = ${id})
      insert into recurring_jobs (id, kind, instance, group_id, every_ms, created_at, next_at)
      values (${id}, ${kind}, ${instance}, ${groupId}, ${everyMs}, ${now}, ${now})
      on conflict (id) do update set every_ms = excluded.every_ms, next_at = excluded.next_at
      returning *, not exists (select from known) as is_new`;
    const row = await this.database.run((db) => onlyRow(db, statement));
    return { job: jobOf(row), isNew: row.is_new };
  }

  /** @param instances  only jobs of these. @default all */
  async jobs(instances?: readonly string[]): Promise<RecurringJob[]> {
    const isIncluded = instances === undefined ? sql`true` : isOfInstances('instance', instances);
    const rows = await this.database.rows(sql<JobRow>`select * from recurring_jobs where ${isIncluded} order by id`);
    return rows.map(jobOf);
  }

  async job(id: string): Promise<RecurringJob | undefined> {
    const row = await this.database.row(sql<JobRow>`select * from recurring_jobs where id = ${id}`);
    return row && jobOf(row);
  }

  /** @returns whether the job existed */
  async stopJob(id: string): Promise<boolean> {
    const stopped = await this.database.rows(sql`delete from recurring_jobs where id = ${id} returning id`);
    return stopped.length > 0;
  }

  async due(nowMs: number): Promise<RecurringJob[]> {
    const rows = await this.database.rows(sql<JobRow>`
      select * from recurring_jobs where next_at <= ${new Date(nowMs)} order by next_at`);
    return rows.map(jobOf);
  }

  /** Sets its next time. A job that was stopped meanwhile stays stopped. */
  async endRun(id: string, { problem }: { readonly problem?: string }, nowMs: number): Promise<void> {
    const now = sql`${new Date(nowMs)}::timestamptz`;
    await this.database.rows(sql`
      update recurring_jobs set next_at = ${now} + every_ms * interval '1 millisecond', problem = ${problem}::text,
        last_at = case when ${problem}::text is null then ${now} else last_at end
      where id = ${id}`);
  }

  /** Stores each story once. @returns how many are new */
  async storeStories(
    instance: string,
    stories: readonly { readonly idMessage: string; readonly atMs: number; readonly story: StoredStory['story'] }[],
    nowMs: number,
  ): Promise<number> {
    const rows = stories.map(({ idMessage, atMs, story }) => ({ id_message: idMessage, at: new Date(atMs), story }));
    const stored = await this.database.rows(sql`
      insert into stories (instance, id_message, at, seen_at, story)
      select ${instance}::text, s.id_message, s.at, ${new Date(nowMs)}::timestamptz, s.story
      from json_to_recordset(${jsonText(rows)}::json) as s(id_message text, at timestamptz, story json)
      on conflict do nothing returning id_message`);
    return stored.length;
  }

  /** Newest first. */
  async stories(filter: ListFilter): Promise<{ readonly items: StoredStory[]; readonly cursor?: string }> {
    const by = { instance: 'instance', time: 'at', id: 'id_message', cursors: STORY_CURSORS };
    const rows = await this.database.run((db) =>
      newestFirst(db.selectFrom('stories').selectAll(), filter, by).execute(),
    );
    return pageOf(
      rows,
      filter.limit,
      (row) => ({ ...shown(row, 'instance', 'id_message', 'at', 'seen_at'), story: row.story }),
      ({ at, id_message }) => STORY_CURSORS.write(at, id_message),
    );
  }

  /** Writes a new row only if something has changed. */
  async storeSnapshot(instance: string, groupId: string, data: GroupData, nowMs: number): Promise<void> {
    const now = new Date(nowMs);
    await this.database.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`group ${instance} ${groupId}`}, 0))`.execute(tx);
      const hash = await keyedHashOf(tx, jsonHash(data));
      const [newest] = await snapshotRows(tx, instance, groupId, 1);
      if (newest?.data_hash === hash) {
        await sql`update group_snapshots set seen_until = ${now} where seq = ${newest.seq}`.execute(tx);
        return;
      }
      await sql`
        insert into group_snapshots (instance, group_id, taken_at, seen_until, data, data_hash)
        values (${instance}, ${groupId}, ${now}, ${now}, ${jsonText(data)}, ${hash})`.execute(tx);
    });
  }

  /** Newest first, each with its changes since the previous one. */
  async snapshots(instance: string, groupId: string, limit: number): Promise<GroupSnapshot[]> {
    const rows = await this.database.run((db) => snapshotRows(db, instance, groupId, limit + 1));
    return rows.slice(0, limit).map((row, at) => {
      const before = rows[at + 1];
      return {
        ...shown(row, 'instance', 'group_id', 'taken_at', 'seen_until'),
        ...row.data,
        ...(before === undefined ? {} : { changes: groupChanges(before.data, row.data) }),
      };
    });
  }
}

async function snapshotRows(db: Db, instance: string, groupId: string, limit: number) {
  const { rows } = await sql<Selectable<GroupSnapshotsTable>>`
    select * from group_snapshots where instance = ${instance} and group_id = ${groupId}
    order by seq desc limit ${limit}`.execute(db);
  return rows;
}

type JobRow = Selectable<RecurringJobsTable>;

function jobOf(row: JobRow): RecurringJob {
  return {
    ...shown(row, 'id', 'kind', 'instance', 'created_at', 'next_at', 'group_id', 'last_at', 'problem'),
    everyMs: Number(row.every_ms),
  };
}
