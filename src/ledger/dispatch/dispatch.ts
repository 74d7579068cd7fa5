import { sql } from 'kysely';
import {
  present,
  type CampaignId,
  type FrequencyCap,
  type InstanceSettings,
  type MessageId,
} from '../../contract/index.js';
import { UNFINISHED } from '../campaigns/campaign-tally.js';
import { addEvidence } from '../messages/message-row.js';
import { jsonText } from '../storage/statements.js';
import { LedgerPart, retryingTransaction, type Tx } from '../storage/store.js';
import type {
  ConfiguredInstance,
  DispatcherView,
  DueAttempt,
  LastShift,
  LostShift,
  Shift,
  ShiftBegun,
  ShiftEnded,
  Tick,
  TickResult,
  TypingFailure,
} from './dispatch-ledger.js';
import { rejectByTemplate } from '../templates/template-messages.js';
import { expireDue } from './tick/set-aside.js';
import { dueInstances, nextDue } from './tick/next-due.js';
import { chatsOverFrequencyCap } from './streams/limits.js';
import { endOpenTimes, postedSince } from './streams/open-streams.js';
import { dispatcherView, lastShift, sayAlive, beginShift, endShift, instanceWaitsFor, openAttempts } from './shifts.js';
import { readAhead, type ReadAhead } from './read-ahead/read-ahead.js';
import { campaignsToRead, type CampaignToRead } from './read-ahead/read-recipients.js';
import { removeEndedStreams } from './streams/streams.js';
import { runTick } from './tick/tick.js';

/** The ledger's interface for the dispatcher of an instance: see DISPATCH-1 to DISPATCH-7. */
export class Dispatch extends LedgerPart {
  /** @param settings  of the instance, as this worker is configured; they apply from now on */
  beginShift(shift: Shift, nowMs: number, settings: InstanceSettings = {}): Promise<ShiftBegun> {
    return retryingTransaction(this.database, async (tx) => {
      const begun = await beginShift(tx, shift, nowMs);
      if (begun.granted) await configure(tx, [{ instance: shift.instance, settings }]);
      return begun;
    });
  }

  /**
   * Stores changed settings of instances, with or without a running shift.
   * @returns instances whose streams have to be selected again
   */
  configure(instances: readonly ConfiguredInstance[]): Promise<readonly string[]> {
    return retryingTransaction(this.database, (tx) => configure(tx, instances));
  }

  /**
   * One transaction: first all outcomes, unconditionally, then claims. If an outcome makes it fail, each outcome gets
   * its own transaction; if claims make it fail, each instance gets its own.
   * @throws AppError LEDGER_UNAVAILABLE when it is unknown whether the commit succeeded: ask {@link Dispatch.claimed}
   */
  tick(tick: Tick): Promise<TickResult> {
    return runTick(this.database, tick);
  }

  /** After a tick whose response was lost: the open attempts of the shift. */
  claimed(shift: Shift): Promise<DueAttempt[]> {
    return this.database.transaction((tx) => openAttempts(tx, shift));
  }

  /** Reports that a worker's process is alive. @returns shifts of dead processes, whose tries have to be ended */
  sayAlive(process: string): Promise<LostShift[]> {
    return this.database.run((db) => sayAlive(db, process));
  }

  /** Records the result of showing typing before a message: shown, or why not. */
  async recordTyping(messageId: MessageId, failure: TypingFailure | undefined, nowMs: number): Promise<void> {
    const fact = { messageId, fact: `typed:${nowMs}`, witness: 'response', nowMs };
    const what = failure === undefined ? { what: 'typing_shown' } : { what: 'typing_failed', detail: { ...failure } };
    await this.database.run((db) => addEvidence(db, { ...fact, ...what }));
  }

  /**
   * Records that the shift has ended, then reads the next due message.
   * @returns when the next message is due and why messages wait; absent: none is due, or none waits
   */
  async endShift(shift: Shift, nowMs: number): Promise<ShiftEnded> {
    const hasEnded = await this.database.run((db) => endShift(db, shift, nowMs));
    if (!hasEnded) return {};
    // A separate statement: it sees every write committed before it, or the writer sees that the shift has ended.
    const due = await this.database.run((db) => nextDue(db, [{ instance: shift.instance }], nowMs));
    const waitingFor = await this.database.run((db) => instanceWaitsFor(db, shift.instance, nowMs));
    return present({ nextDueMs: due.get(shift.instance)?.atMs, waitingFor });
  }

  /** Undefined if there was none. A running shift sees every message that was committed before this call. */
  lastShift(instance: string, nowMs: number): Promise<LastShift | undefined> {
    return this.database.run((db) => lastShift(db, instance, nowMs));
  }

  /** Empty for an instance that was never dispatched. */
  view(instance: string): Promise<DispatcherView> {
    return this.database.run((db) => dispatcherView(db, instance));
  }

  /** Which of these chats would exceed a frequency cap with one more marketing message (LIMIT-9). */
  overFrequencyCap(
    chatIds: readonly string[],
    cap: FrequencyCap & { readonly instance: string; readonly nowMs: number },
  ): Promise<ReadonlySet<string>> {
    return this.database.run((db) => chatsOverFrequencyCap(db, chatIds, cap));
  }

  /**
   * How many messages of the instance, or of one campaign, count for the cap of the day that began at this time
   * (LIMIT-5).
   */
  async postedSince(instance: string, campaign: CampaignId | undefined, sinceMs: number): Promise<number> {
    const posted = postedSince(instance, campaign, new Date(sinceMs)).as('posted');
    const { posted: count } = await this.database.run((db) => db.selectNoFrom(posted).executeTakeFirstOrThrow());
    return count;
  }

  /**
   * Instances without a shift that have a due message, a running campaign with unread recipients and no messages ahead,
   * or an attempt whose outcome is open or unknown.
   */
  dueInstances(limit: number, nowMs: number): Promise<string[]> {
    return this.database.run((db) => dueInstances(db, limit, nowMs));
  }

  /** Instances that a shift served since then, or that have something to send. */
  async inUse(sinceMs: number): Promise<ReadonlySet<string>> {
    const rows = await this.database.rows(sql<{ instance: string }>`/* instances_in_use */
        select instance from dispatchers where seen_at > ${new Date(sinceMs)}::timestamptz
        union
        select s.instance from streams s where exists (select from due_messages d where d.stream_id = s.id)
        union
        select instance from campaigns where state in ${UNFINISHED}`);
    return new Set(rows.map(({ instance }) => instance));
  }

  /**
   * Ends pending messages past their expiry, whether or not their stream is ready.
   * @returns how many were read; `limit` means that there may be more
   */
  expireDue(limit: number, nowMs: number): Promise<number> {
    return expireDue(this.database, limit, nowMs);
  }

  /**
   * Ends pending messages of templates that were refused, rejected or failed. The template's verdict ends most of them;
   * this call ends the rest.
   * @returns how many; `limit` means that there may be more
   */
  rejectByTemplate(limit: number, nowMs: number): Promise<number> {
    return this.database.run((db) => rejectByTemplate(db, limit, nowMs));
  }

  /**
   * Converts the next recipients of a running campaign to pending messages. Suppressed recipients, and those whose
   * content breaks a limit, end at once. Also composes messages again after the campaign's content was changed.
   * @returns how many were read; 0 if none are unread or the campaign does not run
   * @throws AppError CAMPAIGN_NOT_FOUND
   */
  readAhead(id: CampaignId, input: ReadAhead): Promise<number> {
    return readAhead(this.database, id, input);
  }

  /** Running campaigns of these instances with unread recipients and fewer than `below` messages ahead. */
  campaignsToRead(instances: readonly string[], below: number, nowMs: number): Promise<CampaignToRead[]> {
    return this.database.run((db) => campaignsToRead(db, instances, below, nowMs));
  }

  /** Removes the streams of ended campaigns, so that selection does not read them. A retry creates a new one. */
  async removeEndedStreams(): Promise<void> {
    await this.database.run((db) => removeEndedStreams(db));
  }
}

/**
 * LIMIT-4. Also ends the times of streams that were created under earlier settings.
 * @returns instances whose streams have new times
 */
async function configure(tx: Tx, instances: readonly ConfiguredInstance[]): Promise<readonly string[]> {
  const given = instances.map(({ instance, settings }) => ({
    instance,
    settings: Object.keys(settings).length === 0 ? null : settings,
  }));
  const { rows } = await sql<{ instance: string }>`/* configure_instances */
    with given as materialized (
      select * from json_to_recordset(${jsonText(given)}::json) as g(instance text, settings json)
    ), written as (
      insert into instance_settings as i (instance, settings)
      select instance, settings from given where settings is not null
      on conflict (instance) do update set settings = excluded.settings where i.settings::text <> excluded.settings::text
      returning instance
    ), removed as (
      delete from instance_settings i using given g where i.instance = g.instance and g.settings is null
      returning i.instance
    )
    select instance from written union all select instance from removed
    union all
    select g.instance from given g
    where g.settings is not null and exists (
      select from streams s where s.instance = g.instance and s.closes_at = 'infinity')`.execute(tx);
  const changed = [...new Set(rows.map(({ instance }) => instance))];
  if (changed.length > 0) await endOpenTimes(tx, sql`s.instance = any(${changed}::text[])`);
  return changed;
}
