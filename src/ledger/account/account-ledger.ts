import type { GroupData, GroupSnapshot, JobKind, RecurringJob, StoredStory } from '../../contract/index.js';

export interface OpenJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly instance: string;
  readonly groupId?: string | undefined;
  readonly everyMs: number;
  readonly nowMs: number;
}

/** A story as it is stored. */
export interface NewStory {
  readonly idMessage: string;
  readonly atMs: number;
  readonly story: Readonly<Record<string, unknown>>;
}

/** What is read of accounts again and again, and what was read. */
export interface AccountLedger {
  /** Writes the job, or gives it another interval; its first run is due at once. */
  openJob(job: OpenJob): Promise<{ readonly job: RecurringJob; readonly isNew: boolean }>;
  jobs(): Promise<RecurringJob[]>;
  job(id: string): Promise<RecurringJob | undefined>;
  /** @returns whether there was one */
  stopJob(id: string): Promise<boolean>;
  due(nowMs: number): Promise<RecurringJob[]>;
  /** Sets when it runs next. One that was stopped meanwhile stays stopped. */
  endRun(id: string, end: { readonly problem?: string }, nowMs: number): Promise<void>;
  /** Each once. @returns how many are new */
  storeStories(instance: string, stories: readonly NewStory[], nowMs: number): Promise<number>;
  /** The newest first. */
  stories(filter: {
    readonly instance?: string | undefined;
    readonly cursor?: string | undefined;
    readonly limit?: number | undefined;
  }): Promise<{ readonly items: StoredStory[]; readonly cursor?: string }>;
  /** A new row only where something has changed. */
  storeSnapshot(instance: string, groupId: string, data: GroupData, nowMs: number): Promise<void>;
  /** The newest first, each with its changes since the one before. */
  snapshots(instance: string, groupId: string, limit: number): Promise<GroupSnapshot[]>;
}
