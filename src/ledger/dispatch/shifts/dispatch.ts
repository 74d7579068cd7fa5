import { type InstanceSettings, present } from '../../../contract/index.js';
import { TextPart } from '../../sensitive/texts.js';
import { retryingTransaction, type Tx } from '../../storage/store.js';
import { rejectByTemplate } from '../../templates/template-messages.js';
import { dispatcherView } from '../../instances/dispatcher-view.js';
import { recordReading } from '../../messages/receipts/record-edit.js';
import type { DueAttempt, DueEdit, EndedShift, Shift, Tick } from '../dispatch-ledger.js';
import { recordOutcomes } from '../outcomes/record-outcomes.js';
import { chooseSender, spreadTail } from '../read-ahead/choose-accounts.js';
import { readAhead } from '../read-ahead/read-ahead.js';
import { campaignsToRead } from '../read-ahead/read-recipients.js';
import { beginShift, endShift, instanceWaitsFor, lastShift, openAttempts, readClock, sayAlive } from './shifts.js';
import { chatsOverFrequencyCap } from '../../streams/limits.js';
import { configureInstances, usedCaps } from '../../streams/open-streams.js';
import { removeEndedStreams } from '../../streams/streams.js';
import { nextEdits } from '../tick/claim-edits.js';
import { dueInstances, instancesInUse, nextDue } from '../tick/next-due.js';
import { expireDue } from '../tick/set-aside.js';
import { runTick } from '../tick/tick.js';
import { checkOrigin, doubtLost, findRestore, wentBack } from '../went-back.js';

/** The ledger's interface for the dispatcher of an instance: see DISPATCH-1 to DISPATCH-7. */
export class Dispatch extends TextPart {
  readonly configure = this.#committed(configureInstances);
  readonly claimed = this.#committed(openAttempts);
  readonly sayAlive = this.statement(sayAlive);
  readonly clockMs = this.statement(readClock);
  readonly lastShift = this.statement(lastShift);
  readonly view = this.statement(dispatcherView);
  readonly overFrequencyCap = this.statement(chatsOverFrequencyCap);
  readonly usedCaps = this.statement(usedCaps);
  readonly dueInstances = this.statement(dueInstances);
  readonly inUse = this.statement(instancesInUse);
  readonly rejectByTemplate = this.statement(rejectByTemplate);
  readonly chooseSender = this.statement(chooseSender);
  readonly campaignsToRead = this.statement(campaignsToRead);
  readonly removeEndedStreams = this.#committed(removeEndedStreams);
  readonly expireDue = this.#committed(expireDue);
  readonly recordOutcomes = this.#committed(recordOutcomes);
  readonly recordEditReading = recordReading.bind(undefined, this.database, this.texts);
  readonly readAhead = readAhead.bind(undefined, this.database, this.texts);
  readonly spreadTail = spreadTail.bind(undefined, this.database);

  readonly checkOrigin = this.statement(checkOrigin);

  /**
   * Begins a shift, once the instance has settled the newest restore of the ledger (RETURN-2).
   * @param settledMs  from then on no request that was claimed before can still arrive
   */
  async beginShift(shift: Shift, nowMs: number, settings?: InstanceSettings, settledMs = nowMs) {
    await this.checkOrigin();
    const { restore, isSettled } = await retryingTransaction(this.database, (tx) => findRestore(tx, shift, nowMs));
    const times = { nowMs, settledMs };
    for (let isDone = isSettled; !isDone;) {
      isDone = await retryingTransaction(this.database, (tx) => doubtLost(tx, shift, restore, times));
    }
    return retryingTransaction(this.database, (tx) => beginShift(tx, shift, restore, nowMs, settings));
  }

  tick(tick: Tick) {
    return runTick(this.database, tick);
  }

  /**
   * The attempt as it is posted, with the texts of a sensitive message. Only for the request to the gateway.
   * @throws AppError ENCRYPTION_KEY_MISSING
   */
  reveal({ hidden, ...attempt }: DueAttempt): DueAttempt {
    if (hidden === undefined) return attempt;
    return { ...attempt, content: this.texts.reveal(attempt.messageId, { content: attempt.content, hidden }) };
  }

  /** The text of a claimed edit. @throws AppError ENCRYPTION_KEY_MISSING */
  revealEdit({ messageId, post }: DueEdit): string {
    const { hidden, text = '' } = post ?? {};
    return hidden === undefined ? text : String(this.texts.open(messageId, hidden)['text']);
  }

  /**
   * Records that the shift has ended, then reads the next due message.
   * @param last  the last attempt that the shift has claimed
   * @returns when the next message is due, why messages wait (a code, and its reasons), what the shift did last, and
   *   whether an older copy left messages unresolved; absent: nothing of the kind
   */
  async endShift(shift: Shift, nowMs: number, last?: string): Promise<EndedShift> {
    const { instance } = shift;
    const mark = await retryingTransaction(this.database, (tx) => endShift(tx, shift, last, nowMs));
    if (mark === undefined) return {};
    // In other statements: they see every write committed before them, or the writer sees that the shift has ended.
    return this.database.run(async (db) => {
      const dueAtMs = (await nextDue(db, [{ shift }], nowMs)).get(instance)?.atMs ?? Infinity;
      const { postAtMs = Infinity, readAtMs = Infinity } = (await nextEdits(db, [instance])).get(instance) ?? {};
      const nextDueMs = Math.min(dueAtMs, postAtMs, readAtMs);
      return {
        mark,
        ...present({
          nextDueMs: nextDueMs === Infinity ? undefined : nextDueMs,
          waitingFor: await instanceWaitsFor(db, instance, nowMs),
          wentBack: await wentBack(db, instance),
        }),
      };
    });
  }

  #committed<Given extends readonly unknown[], Result>(run: (tx: Tx, ...given: Given) => Promise<Result>) {
    return (...given: Given): Promise<Result> => retryingTransaction(this.database, (tx) => run(tx, ...given));
  }
}
