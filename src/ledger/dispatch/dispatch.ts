import type { CampaignId, InstanceSettings, MessageId } from '../../contract/index.js';
import { addEvidence } from '../evidence.js';
import type { Store } from '../store.js';
import { configure } from './configure.js';
import type {
  ConfiguredInstance,
  DispatcherView,
  DispatchLedger,
  DueAttempt,
  LastShift,
  Shift,
  ShiftBegun,
  Tick,
  TickResult,
  TypingFailure,
} from './dispatch-ledger.js';
import { rejectByTemplate } from '../templates/template-verdict.js';
import { expireDue } from './expire-due.js';
import { dueInstances, nextDue } from './next-due.js';
import { chatsOverFrequencyCap } from './limits.js';
import { postedSince } from './open-streams.js';
import { dispatcherView, lastShift } from './served.js';
import { readAhead, type ReadAhead } from './read-ahead.js';
import { campaignsToRead, type CampaignToRead } from './read-recipients.js';
import { retryingTransaction } from '../retrying.js';
import { removeEndedStreams } from './streams.js';
import { beginShift, endShift, openAttempts } from './shifts.js';
import { runTick } from './tick.js';

export class Dispatch implements DispatchLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  beginShift(shift: Shift, nowMs: number, settings: InstanceSettings = {}): Promise<ShiftBegun> {
    return retryingTransaction(this.#store, async (tx) => {
      const begun = await beginShift(tx, shift, nowMs);
      if (begun.granted) await configure(tx, [{ instance: shift.instance, settings }]);
      return begun;
    });
  }

  configure(instances: readonly ConfiguredInstance[]): Promise<readonly string[]> {
    return retryingTransaction(this.#store, (tx) => configure(tx, instances));
  }

  tick(tick: Tick): Promise<TickResult> {
    return runTick(this.#store, tick);
  }

  claimed(shift: Shift): Promise<DueAttempt[]> {
    return this.#store.transaction((tx) => openAttempts(tx, shift));
  }

  async recordTyping(messageId: MessageId, failure: TypingFailure | undefined, nowMs: number): Promise<void> {
    const fact = { messageId, fact: `typed:${nowMs}`, witness: 'response', nowMs };
    const what = failure === undefined ? { what: 'typing_shown' } : { what: 'typing_failed', detail: { ...failure } };
    await this.#store.run((db) => addEvidence(db, { ...fact, ...what }));
  }

  async endShift(shift: Shift, nowMs: number): Promise<{ readonly nextDueMs?: number }> {
    const hasEnded = await this.#store.run((db) => endShift(db, shift, nowMs));
    if (!hasEnded) return {};
    // A statement of its own: what was committed before it either is seen here, or its writer sees that the shift has ended.
    const due = await this.#store.run((db) => nextDue(db, [{ instance: shift.instance }], nowMs));
    const nextDueMs = due.get(shift.instance)?.atMs;
    return nextDueMs === undefined ? {} : { nextDueMs };
  }

  lastShift(instance: string, nowMs: number): Promise<LastShift | undefined> {
    return this.#store.run((db) => lastShift(db, instance, nowMs));
  }

  view(instance: string): Promise<DispatcherView> {
    return this.#store.run((db) => dispatcherView(db, instance));
  }

  overFrequencyCap(...[chatIds, cap]: Parameters<DispatchLedger['overFrequencyCap']>): Promise<ReadonlySet<string>> {
    return this.#store.run((db) => chatsOverFrequencyCap(db, chatIds, cap));
  }

  async postedSince(instance: string, campaign: CampaignId | undefined, sinceMs: number): Promise<number> {
    const posted = postedSince(instance, campaign, new Date(sinceMs)).as('posted');
    const { posted: count } = await this.#store.run((db) => db.selectNoFrom(posted).executeTakeFirstOrThrow());
    return count;
  }

  dueInstances(limit: number, nowMs: number): Promise<string[]> {
    return this.#store.run((db) => dueInstances(db, limit, nowMs));
  }

  expireDue(limit: number, nowMs: number): Promise<number> {
    return expireDue(this.#store, limit, nowMs);
  }

  rejectByTemplate(limit: number, nowMs: number): Promise<number> {
    return this.#store.run((db) => rejectByTemplate(db, limit, nowMs));
  }

  readAhead(id: CampaignId, input: ReadAhead): Promise<number> {
    return readAhead(this.#store, id, input);
  }

  campaignsToRead(instances: readonly string[], below: number, nowMs: number): Promise<CampaignToRead[]> {
    return this.#store.run((db) => campaignsToRead(db, instances, below, nowMs));
  }

  async removeEndedStreams(): Promise<void> {
    await this.#store.run((db) => removeEndedStreams(db));
  }
}
