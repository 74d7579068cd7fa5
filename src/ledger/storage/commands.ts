/**
 * Commands of operators on a campaign, an instance, a schedule or an event endpoint.
 *
 * COMMAND-1 A command has an id. It takes effect once: delivered again, it changes nothing and gets the recorded
 *    result.
 * COMMAND-2 Its row is written in the transaction of its effect, under the lock of the campaign's row.
 * COMMAND-3 Commands on a campaign are numbered by the ledger's sequence when they are requested. A command is refused
 *    if another command took effect after its request. A command that would change nothing is still answered.
 */
import { type Selectable, sql } from 'kysely';
import { AppError, type CampaignId } from '../../contract/index.js';
import type { CommandsTable } from './schema.js';
import { keyedHash, keyedHashOf } from './keyed-hash.js';
import { shown, jsonText } from './statements.js';
import { type Db, onlyRow, type Tx } from './store.js';

/** The object of a command. */
export type CommandSubject =
  `campaign:${string}` | `instance:${string}` | `schedule:${string}` | `eventEndpoint:${string}`;

export type CommandKind = 'create' | 'start' | 'pause' | 'resume' | 'cancel' | 'update' | 'retry' | 'amend' | 'replay';

/** A command as requested. */
export interface AskedCommand {
  /** Unique for its subject. */
  readonly id: string;
  /** Detects another request with the same id. */
  readonly requestHash?: string;
  /** The newest command that the sender knew of: the command is refused if another has taken effect since. */
  readonly after?: number;
  /** The requester. Absent: it came through Temporal. */
  readonly requestedBy?: string;
  /** For operators: the names of changed fields, or everpost's own reason. Never a value. */
  readonly what?: string;
}

type CommandRow = Selectable<CommandsTable>;

/**
 * Records a requested command; a repeated request has no effect.
 * @throws AppError IDEMPOTENCY_MISMATCH when the id is another command's
 */
export async function recordCommand(
  db: Db,
  subject: CommandSubject,
  kind: CommandKind,
  { id, requestHash, requestedBy, what }: AskedCommand,
  nowMs: number,
): Promise<CommandRow> {
  const { rows } = await sql<CommandRow>`
    insert into commands (subject, id, kind, request_hash, asked_at, requested_by, what)
    values (${subject}, ${id}, ${kind}, ${requestHash === undefined ? null : keyedHash(requestHash)}, ${new Date(nowMs)}, ${requestedBy}, ${what})
    on conflict (subject, id) do nothing returning *`.execute(db);
  const [recorded] = rows;
  if (recorded !== undefined) return recorded;
  const row = await commandRows(db, subject, id).executeTakeFirstOrThrow();
  const isOtherRequest =
    requestHash !== undefined && row.request_hash !== null && !(await isSameHash(db, row.request_hash, requestHash));
  assertSameRequest(
    row.kind === kind && !isOtherRequest,
    `Command ${kind} on ${subject.replace(':', ' ')} was not applied: its key was used for another request. Use a new Idempotency-Key.`,
  );
  return row;
}

/**
 * Makes a command on a campaign take effect in this transaction, which holds the lock of the campaign's row. Without
 * `asked` it is everpost's own command, requested now.
 * @param isAlreadySo  it would change nothing
 * @returns `isNew`: false if it took effect before, so that only its unfinished part may still run; `begunAtMs`: when it
 *   took effect first; `place`: its number among the campaign's commands; `retried`: how many recipients a retry has made
 *   pending again so far
 * @throws AppError COMMAND_SUPERSEDED | IDEMPOTENCY_MISMATCH
 */
export async function beginCommand(
  tx: Tx,
  campaign: { readonly id: CampaignId; readonly command_asked: string | number | bigint },
  kind: CommandKind,
  asked: AskedCommand | undefined,
  { isAlreadySo, nowMs }: { readonly isAlreadySo: boolean; readonly nowMs: number },
) {
  if (asked === undefined) {
    const own = { isNew: true, begunAtMs: nowMs, retried: 0 };
    if (isAlreadySo) return { ...own, place: Number(campaign.command_asked) };
    // After this, a command that was requested earlier is refused.
    const { command_asked } = await onlyRow(
      tx,
      sql<{ command_asked: string }>`
        update campaigns set command_asked = nextval('ledger_seq') where id = ${campaign.id} returning command_asked`,
    );
    return { ...own, place: Number(command_asked) };
  }
  const subject: CommandSubject = `campaign:${campaign.id}`;
  const row = await recordCommand(tx, subject, kind, asked, nowMs);
  const place = Number(row.asked);
  if (row.begun_at !== null) {
    return { isNew: false, begunAtMs: row.begun_at.getTime(), place, retried: row.retried };
  }
  const askedAfter = asked.after ?? place;
  if (!isAlreadySo && Number(campaign.command_asked) > askedAfter) throw superseded(kind, campaign.id);
  await markBegun(tx, subject, asked.id, nowMs);
  await sql`
    update campaigns set command_asked = greatest(command_asked, ${row.asked}) where id = ${campaign.id}`.execute(tx);
  return { isNew: true, begunAtMs: nowMs, place, retried: 0 };
}

/** The command takes effect now. */
export async function markBegun(tx: Tx, subject: CommandSubject, id: string, nowMs: number): Promise<void> {
  await changing(tx, subject, id)
    .set({ begun_at: new Date(nowMs) })
    .execute();
}

/** Written with each part of a retry, so that an interrupted retry still counts all its recipients. */
export async function countRetried(tx: Tx, id: CampaignId, asked: AskedCommand | undefined, more: number) {
  if (asked === undefined || more === 0) return;
  await changing(tx, `campaign:${id}`, asked.id)
    .set((is) => ({ retried: is('retried', '+', more) }))
    .execute();
}

/** True for a command that took effect before, whether or not its result was recorded. */
export async function tookEffect(db: Db, subject: CommandSubject, id: string): Promise<boolean> {
  const row = await commandRows(db, subject, id).executeTakeFirst();
  return row !== undefined && row.begun_at !== null;
}

export async function commandResult(db: Db, subject: CommandSubject, id: string): Promise<unknown> {
  return (await commandRows(db, subject, id).executeTakeFirst())?.result ?? undefined;
}

/** Only the first result is recorded. @returns the recorded result */
export async function recordResult(db: Db, subject: CommandSubject, id: string, result: unknown): Promise<unknown> {
  const recorded = await changing(db, subject, id)
    .set({ result: jsonText(result) })
    .where('result', 'is', null)
    .returning('result')
    .executeTakeFirst();
  return recorded?.result ?? (await commandResult(db, subject, id)) ?? result;
}

/** The result of a command so far, locked until the transaction ends. */
export async function lockedResult(tx: Tx, subject: CommandSubject, id: string): Promise<unknown> {
  const { result } = await commandRows(tx, subject, id).forUpdate().executeTakeFirstOrThrow();
  return result;
}

/** The progress of a command in parts; replaces the recorded one. */
export async function recordProgress(tx: Tx, subject: CommandSubject, id: string, progress: unknown): Promise<void> {
  await changing(tx, subject, id)
    .set({ result: jsonText(progress) })
    .execute();
}

/** The latest commands on a subject, in the order of their requests. */
export async function latestCommands(db: Db, subject: CommandSubject, limit: number) {
  const { rows } = await sql<Pick<CommandRow, 'kind' | 'asked_at' | 'begun_at' | 'requested_by' | 'what'>>`
    select kind, asked_at, begun_at, requested_by, what from commands
    where subject = ${subject} order by asked desc limit ${limit}`.execute(db);
  return rows.toReversed().map((row) => ({
    ...shown(row, 'kind', 'what', 'asked_at', 'begun_at'),
    requestedBy: row.requested_by ?? 'temporal',
  }));
}

function commandRows(db: Db, subject: CommandSubject, id: string) {
  return db.selectFrom('commands').selectAll().where('subject', '=', subject).where('id', '=', id);
}

function changing(db: Db, subject: CommandSubject, id: string) {
  return db.updateTable('commands').where('subject', '=', subject).where('id', '=', id);
}

export function superseded(kind: CommandKind, id: CampaignId): AppError {
  return new AppError(
    'COMMAND_SUPERSEDED',
    `Command ${kind} on campaign ${id} was not applied: another command has taken effect since its request. Check the campaign: everpost campaign show ${id}. Then repeat the command with a new Idempotency-Key.`,
  );
}

/** Whether the request is the one whose keyed hash is stored. */
export async function isSameHash(db: Db, stored: string, requestHash: string): Promise<boolean> {
  return stored === (await keyedHashOf(db, requestHash));
}

/**
 * An idempotency key names one row, so a second request with the same key finds the row of the first. Compares the two.
 * @param refusal  which row it is, and what to do
 * @throws AppError IDEMPOTENCY_MISMATCH unless both are the same request
 */
export function assertSameRequest(isSame: boolean, refusal: string): void {
  if (!isSame) throw new AppError('IDEMPOTENCY_MISMATCH', refusal);
}
