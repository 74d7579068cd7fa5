/**
 * Posts claimed edits, and reads the journal for those that nothing has confirmed.
 *
 * EDITPOST-1 Each claim is posted once, after its commit. Its outcome is kept like that of a message until a tick has
 *    recorded it or the shift returns it.
 * EDITPOST-2 A reading is recorded by itself. One that is lost is repeated, since the ledger makes it due again.
 */
import { AppError, ErrorNext, present, type AttemptOutcome, type MessageId } from '../../contract/index.js';
import type { DueEdit, EditReading, Outcome } from '../../ledger/index.js';
import type { DispatcherDependencies } from '../shift/dependencies.js';
import type { ActiveShift } from '../shift/active-shift.js';
import { factsOf, outcomeOf } from './poster.js';

interface Edited {
  readonly active: ActiveShift;
  readonly messageId: MessageId;
  readonly outcome: Outcome;
  /** A response after the timeout: the shift has counted the edit as lost. */
  readonly isLate: boolean;
}

export class EditPoster {
  readonly #deps: DispatcherDependencies;
  readonly #keep: (edited: Edited) => void;
  readonly #readEnded: () => void;

  /** @param keep  called with each outcome of a post */
  constructor(deps: DispatcherDependencies, keep: (edited: Edited) => void, readEnded: () => void) {
    this.#deps = deps;
    this.#keep = keep;
    this.#readEnded = readEnded;
  }

  begin(active: ActiveShift, due: DueEdit): void {
    active.edits.begun(due.post === undefined ? 'read' : 'post');
    if (due.post === undefined) void this.#read(active, due);
    else if (active.end === undefined) void this.#post(active, due, due.post);
    else this.#ended(active, due, { kind: 'not_accepted', code: 'MESSAGE_NOT_ADMITTED' });
  }

  #ended(active: ActiveShift, { editId, messageId, post }: DueEdit, outcome: AttemptOutcome, isLate = false): void {
    const { timers, clock, editConfirmTimeoutMs: confirmWithinMs } = this.#deps;
    if (!isLate) active.edits.posted(outcome, timers.nowMs());
    const edit = { id: editId, confirmWithinMs };
    this.#keep({ active, messageId, isLate, outcome: { token: post!.token, edit, outcome, atMs: clock.nowMs() } });
  }

  async #post(active: ActiveShift, due: DueEdit, post: NonNullable<DueEdit['post']>): Promise<void> {
    const { editId, messageId, instance, chatId, idMessage } = due;
    const { deadlineMs, trace: parent } = post;
    const { gateway, ledger, timesOf, reached, tracing, log } = this.#deps;
    const span = parent && tracing?.begin('edit', { instance, messageId }, { parent });
    let outcome: AttemptOutcome;
    try {
      const request = { chatId, idMessage, message: ledger.revealEdit(due) };
      const { response, httpStatus } = await gateway.call(instance, 'editMessage', request, {
        deadlineMs,
        ...present({ trace: span?.context }),
        listenMs: timesOf(instance).settleTimeMs,
        onLeft: () => reached?.('bytes.left'),
        onLate: (late) => {
          if ('response' in late) this.#ended(active, due, accepted(late), true);
        },
      });
      reached?.('response.received');
      outcome = accepted({ response, httpStatus });
    } catch (error) {
      if (!(error instanceof AppError)) log({ level: 'error', message: 'an edit failed unexpectedly', editId, error });
      outcome = error instanceof AppError ? outcomeOf(error) : { kind: 'unknown', code: 'INTERNAL' };
      if (error instanceof AppError && outcome.kind === 'not_accepted') {
        outcome = { ...outcome, retryAfterMs: error.retryAfterMs ?? 0 };
      }
    }
    span?.end(factsOf(outcome));
    this.#ended(active, due, outcome);
  }

  async #read(active: ActiveShift, { editId, messageId, instance, chatId, idMessage }: DueEdit): Promise<void> {
    const { ledger, gateway, clock, recorded, log } = this.#deps;
    try {
      const seen = await gateway
        .call(instance, 'getMessage', { chatId, idMessage })
        .then(({ response }): EditReading => {
          const text = response?.textMessage ?? response?.extendedTextMessage?.text;
          return typeof text === 'string' ? { kind: 'text', text } : { kind: 'no_journal_entry' };
        }, unreadable);
      await ledger.recordEditReading(editId, seen, clock.nowMs());
      recorded?.([messageId]);
    } catch (error) {
      log({ level: 'warn', message: 'an edit could not be looked up; retried automatically', instance, editId, error });
    }
    active.edits.read();
    this.#readEnded();
  }
}

function accepted({
  response,
  httpStatus,
}: {
  readonly response: { readonly idMessage: string };
  readonly httpStatus: number;
}) {
  return { kind: 'accepted', idMessage: response.idMessage, httpStatus } as const;
}

/** The journal is optional. An instance without one responds with an error, which does not refuse the edit. */
function unreadable(error: unknown): EditReading {
  if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE' || error.next === ErrorNext.bug) throw error;
  const { code, httpStatus, next } = error;
  return { kind: 'journal_unreadable', code, ...present({ httpStatus }), mayRespondLater: next !== ErrorNext.stop };
}
