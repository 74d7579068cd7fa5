/** The activity of one run of a recurring job. */
export const JOB_ACTIVITY = 'runRecurringJob';

export const JOB_KINDS = ['stories', 'group'] as const;
/** `stories`: incoming stories are stored, each once. `group`: a group's data is stored when it has changed. */
export type JobKind = (typeof JOB_KINDS)[number];

export interface JobInput {
  readonly jobId: string;
}

/** Reads something of an account again and again. */
export interface RecurringJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly instance: string;
  readonly groupId?: string;
  readonly everyMs: number;
  readonly createdAt: string;
  readonly nextAt: string;
  /** When it last succeeded. */
  readonly lastAt?: string;
  /** Why its last run did not. */
  readonly problem?: string;
}

/** An incoming story, as it was first seen. */
export interface StoredStory {
  readonly instance: string;
  readonly idMessage: string;
  /** By the gateway's clock. */
  readonly at: string;
  readonly seenAt: string;
  /** As getIncomingStories gave it. */
  readonly story: Readonly<Record<string, unknown>>;
}

export interface GroupParticipant {
  readonly id: string;
  readonly isAdmin: boolean;
}

/** What is kept of a group's data. */
export interface GroupData {
  /** All but the participants, by the gateway's names; without the invitation link. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  /** By id. */
  readonly participants: readonly GroupParticipant[];
}

export interface GroupChanges {
  readonly joined: readonly string[];
  readonly left: readonly string[];
  readonly becameAdmin: readonly string[];
  readonly noLongerAdmin: readonly string[];
  readonly fields: readonly { readonly name: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** A group as it was from `takenAt` until `seenUntil`, at least. */
export interface GroupSnapshot extends GroupData {
  readonly instance: string;
  readonly groupId: string;
  readonly takenAt: string;
  readonly seenUntil: string;
  /** Since the snapshot before; absent for the first one. */
  readonly changes?: GroupChanges;
}
