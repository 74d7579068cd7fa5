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
import { jsonHash } from '../messages/identical.js';
import type { GroupSnapshotsTable, RecurringJobsTable, StoriesTable } from '../schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { isOfInstances, type ListFilter, newestFirst, pageOf, cursorAfter } from '../storage/pages.js';
import { type Db, LedgerPart } from '../storage/store.js';

interface OpenJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly instance: string;
  readonly groupId?: string | undefined;
  readonly everyMs: number;
  readonly nowMs: number;
}

/** A story as it is stored. */
interface NewStory {
  readonly idMessage: string;
  readonly atMs: number;
  readonly story: Readonly<Record<string, unknown>>;
}

/** Recurring jobs, and the stories and groups that they read. */
export class Account extends LedgerPart {
  /** Writes the job, or gives it another interval; its first run is due at once. */
  async openJob({ id, kind, instance, groupId, everyMs, nowMs }: OpenJob) {
    const now = new Date(nowMs);
    return this.database.transaction(async (tx) => {
      const known = await readJob(tx, id);
      const row = await tx
        .insertInto('recurring_jobs')
        .values({
          id,
          kind,
          instance,
          group_id: groupId ?? null,
          every_ms: everyMs,
          created_at: now,
          next_at: now,
        })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ every_ms: everyMs, next_at: now }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return { job: jobOf(row), isNew: known === undefined };
    });
  }

  /** @param instances  only jobs of these. @default all */
  async jobs(instances?: readonly string[]): Promise<RecurringJob[]> {
    const rows = await this.database.run((db) => {
      const query = db.selectFrom('recurring_jobs').selectAll().orderBy('id');
      return (instances === undefined ? query : query.where(isOfInstances('instance', instances))).execute();
    });
    return rows.map(jobOf);
  }

  async job(id: string): Promise<RecurringJob | undefined> {
    const row = await this.database.run((db) => readJob(db, id));
    return row && jobOf(row);
  }

  /** @returns whether the job existed */
  async stopJob(id: string): Promise<boolean> {
    const stopped = await this.database.run((db) =>
      db.deleteFrom('recurring_jobs').where('id', '=', id).returning('id').executeTakeFirst(),
    );
    return stopped !== undefined;
  }

  async due(nowMs: number): Promise<RecurringJob[]> {
    const rows = await this.database.run((db) =>
      db.selectFrom('recurring_jobs').selectAll().where('next_at', '<=', new Date(nowMs)).orderBy('next_at').execute(),
    );
    return rows.map(jobOf);
  }

  /** Sets its next time. A job that was stopped meanwhile stays stopped. */
  async endRun(id: string, { problem }: { readonly problem?: string }, nowMs: number): Promise<void> {
    await this.database.run((db) =>
      db
        .updateTable('recurring_jobs')
        .set({
          next_at: sql`${new Date(nowMs)}::timestamptz + every_ms * interval '1 millisecond'`,
          problem: problem ?? null,
          ...(problem === undefined ? { last_at: new Date(nowMs) } : {}),
        })
        .where('id', '=', id)
        .execute(),
    );
  }

  /** Stores each story once. @returns how many are new */
  async storeStories(instance: string, stories: readonly NewStory[], nowMs: number): Promise<number> {
    if (stories.length === 0) return 0;
    const stored = await this.database.run((db) =>
      db
        .insertInto('stories')
        .values(
          stories.map(({ idMessage, atMs, story }) => ({
            instance,
            id_message: idMessage,
            at: new Date(atMs),
            seen_at: new Date(nowMs),
            story: jsonText(story),
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('id_message')
        .execute(),
    );
    return stored.length;
  }

  /** Newest first. */
  async stories(filter: ListFilter): Promise<{ readonly items: StoredStory[]; readonly cursor?: string }> {
    const by = { instance: 'instance', time: 'at', id: 'id_message' };
    const rows = await this.database.run((db) =>
      newestFirst(db.selectFrom('stories').selectAll(), filter, by).execute(),
    );
    return pageOf(rows, filter.limit, storyOf, ({ at, id_message }) => cursorAfter(at, id_message));
  }

  /** Writes a new row only if something has changed. */
  async storeSnapshot(instance: string, groupId: string, data: GroupData, nowMs: number): Promise<void> {
    const hash = jsonHash(data);
    const now = new Date(nowMs);
    await this.database.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`group ${instance} ${groupId}`}, 0))`.execute(tx);
      const [newest] = await snapshotRows(tx, instance, groupId, 1);
      if (newest?.data_hash === hash) {
        await tx.updateTable('group_snapshots').set({ seen_until: now }).where('seq', '=', newest.seq).execute();
        return;
      }
      await tx
        .insertInto('group_snapshots')
        .values({
          instance,
          group_id: groupId,
          taken_at: now,
          seen_until: now,
          data: jsonText(data),
          data_hash: hash,
        })
        .execute();
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

function storyOf(row: Selectable<StoriesTable>): StoredStory {
  return { ...shown(row, 'instance', 'id_message', 'at', 'seen_at'), story: row.story };
}

function readJob(db: Db, id: string): Promise<Selectable<RecurringJobsTable> | undefined> {
  return db.selectFrom('recurring_jobs').selectAll().where('id', '=', id).executeTakeFirst();
}

function snapshotRows(
  db: Db,
  instance: string,
  groupId: string,
  limit: number,
): Promise<Selectable<GroupSnapshotsTable>[]> {
  return db
    .selectFrom('group_snapshots')
    .selectAll()
    .where('instance', '=', instance)
    .where('group_id', '=', groupId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
}

function jobOf(row: Selectable<RecurringJobsTable>): RecurringJob {
  return {
    ...shown(row, 'id', 'kind', 'instance', 'created_at', 'next_at', 'group_id', 'last_at', 'problem'),
    everyMs: Number(row.every_ms),
  };
}
