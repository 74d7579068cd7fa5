/**
 * The state of accounts, and how it pauses or delays all their messages.
 *
 * INSTANCE-1 Every observation of yellowCard, blocked or suspended pauses the instance, in the transaction that records
 *    it. The pause stays when the state ends.
 * INSTANCE-2 While an instance is paused nothing of it is claimed: no single message of any lifetime, and no recipient
 *    of a campaign. The claim itself checks this.
 * INSTANCE-3 An operator resumes a paused instance. If configured, a pause also ends once the account is authorized. A
 *    pause by a state of the account ends only while the account was last seen authorized.
 * INSTANCE-4 A late or repeated notification about a time before the end of a pause does not pause again.
 * INSTANCE-5 An account in any other state than authorized is away, which ends without an operator. While it is known
 *    to be away, no recipient of a campaign is claimed, and no single message with a lifetime below a day. An
 *    observation is valid for ten minutes.
 * INSTANCE-6 An operator can pause an instance in any state. Only an operator ends this pause, also while the account
 *    is not authorized.
 */
import { sql } from 'kysely';
import { type PauseReason, present, type ResumedBy } from '../../contract/index.js';
import { recordCommand, recordResult } from '../storage/commands.js';
import { LedgerPart, onlyRow } from '../storage/store.js';
import { activePauses, type InstancePause, operatorPause, pauseInstance, resume } from './pauses.js';

export class Instances extends LedgerPart {
  /** The active pauses, oldest first. */
  readonly pauses = this.statement(activePauses);

  /** INSTANCE-1, INSTANCE-4: for evidence other than an observation of the account's state. */
  readonly pause = this.statement(pauseInstance);

  /**
   * INSTANCE-6. A repeated command has no effect, also after a resume.
   * @returns the operator's pause, also if an earlier command began it
   * @throws AppError IDEMPOTENCY_MISMATCH
   */
  pauseByOperator(instance: string, commandId: string, witness: string, nowMs: number): Promise<InstancePause> {
    const subject = `instance:${instance}` as const;
    return this.database.transaction(async (tx) => {
      const { result } = await recordCommand(tx, subject, 'pause', { id: commandId, requestedBy: witness }, nowMs);
      if (result !== null) return result as unknown as InstancePause;
      const pause = await operatorPause(tx, instance, witness, nowMs);
      return (await recordResult(tx, subject, commandId, pause)) as InstancePause;
    });
  }

  /** How many POSTs are under way, and when the last one can be reconciled. */
  async underWay(instance: string): Promise<{ sending: number; reconcileAfterMs?: number }> {
    const statement = sql<{ sending: number; reconcile_after: Date | null }>`/* instance_under_way */
        select count(*)::integer as sending, max(reconcile_after) as reconcile_after from attempts
        where instance = ${instance} and identical_hash is not null and outcome is null`;
    const { sending, reconcile_after } = await this.database.run((db) => onlyRow(db, statement));
    return { sending, ...present({ reconcileAfterMs: reconcile_after?.getTime() }) };
  }

  /**
   * Records a requested resume. A repeated command is the same resume, and ends no later pause.
   * @returns the place in the ledger's sequence up to which it resumes, and the recorded result if there is one
   */
  async askResume(
    instance: string,
    commandId: string,
    witness: string,
    nowMs: number,
  ): Promise<{ readonly until: number; readonly resumed?: readonly InstancePause[] }> {
    const { asked, result } = await this.database.run((db) =>
      recordCommand(db, `instance:${instance}`, 'resume', { id: commandId, requestedBy: witness }, nowMs),
    );
    const resumed = (result ?? undefined) as readonly InstancePause[] | undefined;
    return { until: Number(asked), ...present({ resumed }) };
  }

  /** Only the first result is recorded. @returns the recorded result */
  async recordResume(
    instance: string,
    commandId: string,
    resumed: readonly InstancePause[],
  ): Promise<readonly InstancePause[]> {
    const result = await this.database.run((db) => recordResult(db, `instance:${instance}`, commandId, resumed));
    return result as readonly InstancePause[];
  }

  /**
   * INSTANCE-3. A repeated resume ends nothing more.
   * @param which.only   only pauses with these reasons. @default all
   * @param which.until  only pauses that began before this place in the ledger's sequence. @default all
   * @returns the pauses that it ended
   * @throws AppError INSTANCE_NOT_AUTHORIZED if a pause is by a state, and the account was not last seen authorized
   */
  resume(
    instance: string,
    by: ResumedBy,
    nowMs: number,
    which: { readonly only?: readonly PauseReason[]; readonly until?: number } = {},
  ): Promise<readonly InstancePause[]> {
    return this.database.transaction((tx) => resume(tx, instance, { by, nowMs, ...which }));
  }

  /** An observation older than the known one changes nothing. */
  async recordConnection(seen: { instance: string; status: string; atMs: number }): Promise<void> {
    const { instance, status } = seen;
    const at = new Date(seen.atMs);
    await this.database.rows(sql`/* record_connection */
        insert into instance_connections as c (instance, status, since)
        values (${instance}::text, ${status}::text, ${at}::timestamptz)
        on conflict (instance) do update set status = excluded.status, since = excluded.since
          where c.status <> excluded.status and c.since <= excluded.since`);
  }
}
