import { setMaxListeners } from 'node:events';
import { AppError, type InstanceDirectory, type OperationName, present, settingsOf } from '../contract/index.js';
import { deadlinesOf, editSpacingMs as spacingOfEdits } from '../domain/index.js';
import { operationContracts } from '../gateway/index.js';
import type { EndedShift, Outcome, Shift } from '../ledger/index.js';
import { ActiveShift, type ActiveShiftFacts, type ShiftEnd, type ShiftView } from './shift/active-shift.js';
import type { Refusal } from './shift/caution.js';
import type { DispatcherDependencies } from './shift/dependencies.js';
import { QueueDepth } from './queue/queue-depth.js';
import { Reconciler } from './shift/reconciler.js';
import { Ticker } from './ticker.js';
import { EditTurns } from './shift/edit-turns.js';
import { Latencies } from './shift/window.js';

/** How a shift ended. The caller converts it to the result or failure of the activity. */
export interface ShiftResult extends EndedShift {
  readonly ended: ShiftEnd;
  /** Why the instance accepts no messages, if the end is `refused`. */
  readonly refusal?: Refusal;
  /** Outcomes that the ledger did not accept. The caller must record them. */
  readonly unrecorded: readonly Outcome[];
}

/** The dispatcher of one process. It serves any number of instances, with at most one shift of each at a time. */
export interface Dispatcher {
  /**
   * Runs one shift to its end.
   * @param stopping  aborted to end the shift: it stops claiming, finishes its POSTs and records their outcomes
   * @throws AppError INSTANCE_NOT_FOUND, or LEDGER_UNAVAILABLE if the shift could not begin
   */
  run(shift: Shift, stopping: AbortSignal): Promise<ShiftResult>;
  /** Notifies the shift of the instance, if it runs here, of a due message or a changed campaign. */
  wake(instance: string): void;
  /** The instances whose shift runs here, or begins or ends. */
  serving(): readonly string[];
  /** The state of the instance's shift; undefined if none runs here. */
  view(instance: string): ShiftView | undefined;
  /** For how long a round has been due without ending, in milliseconds. */
  lateMs(): number;
}

/** The delay until the next shift if the end of this one could not be recorded. */
const AFTER_UNRECORDED_END_MS = 5_000;

export function createDispatcher(deps: DispatcherDependencies): Dispatcher {
  const ticker = new Ticker(deps);
  /** Knowledge about each gateway, which outlasts a shift. */
  const learned = new Map<string, Pick<ActiveShiftFacts, 'queue' | 'latencies' | 'delays' | 'refusals' | 'edits'>>();
  const running = new Set<Shift>();

  async function begin(shift: Shift): Promise<ActiveShift | undefined> {
    const { instance } = shift;
    const rateLimit = rateLimitOf(deps.instances, instance, 'sendMessage');
    const nowMs = deps.clock.nowMs();
    const { reconcileAfterMs } = deadlinesOf(deps.timesOf(instance), nowMs);
    const settings = settingsOf(deps.instances.get(instance));
    const begun = await deps.ledger.beginShift(shift, nowMs, settings, reconcileAfterMs);
    if (!begun.granted) return undefined;
    const readEveryMs = 1_000 / rateLimitOf(deps.instances, instance, 'showMessagesQueue');
    const known = learned.get(instance) ?? {
      queue: new QueueDepth(readEveryMs),
      latencies: new Latencies(),
      delays: new Map(),
      refusals: { inARow: 0 },
      edits: new EditTurns(),
    };
    learned.set(instance, known);
    known.queue.forgetReading(begun.queueDepth);
    const reconcile: typeof deps.reconcile = async (messageId) => {
      // The poll alone would take a removed instance for a gateway that does not respond.
      deps.instances.get(instance);
      return deps.reconcile(messageId);
    };
    const reconciler = new Reconciler({ ...deps, reconcile }, (messageId) => {
      ticker.noLongerUnknown(instance, messageId);
    });
    const editSpacingMs = spacingOfEdits(rateLimitOf(deps.instances, instance, 'editMessage'));
    const own = { shift, epoch: begun.epoch, unknown: begun.unknown, reconciler };
    const facts = { ...own, rateLimit, editSpacingMs, ...known };
    return new ActiveShift(facts, deps.timers.nowMs());
  }

  /** Records the end of the shift before it reads due messages, so that no writer relies on a shift that has ended. */
  async function finish({ shift, end, mark, last }: ActiveShift): Promise<EndedShift> {
    if (end === 'superseded') return { mark };
    try {
      return { mark, ...(await deps.ledger.endShift(shift, deps.clock.nowMs(), last)) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LEDGER_UNAVAILABLE') throw error;
      deps.log({ level: 'warn', message: 'the end of a shift was not recorded', instance: shift.instance, error });
      // Until the shift counts as dead, writers leave the wakes to it, so the next shift must begin without a wake.
      return { nextDueMs: deps.clock.nowMs() + AFTER_UNRECORDED_END_MS, mark };
    }
  }

  async function run(shift: Shift, stopping: AbortSignal): Promise<ShiftResult> {
    const active = await begin(shift);
    if (active === undefined) return { ended: 'superseded', unrecorded: [] };
    const stop = (): void => {
      ticker.close(active, 'stopping');
    };
    // All shifts of a worker may have the same signal.
    setMaxListeners(0, stopping);
    stopping.addEventListener('abort', stop, { once: true });
    if (stopping.aborted) active.close('stopping');
    const unrecorded = await ticker.serve(active);
    stopping.removeEventListener('abort', stop);
    const refusal = active.end === 'refused' ? active.caution.refusal : undefined;
    const next = await finish(active);
    return { ended: active.end ?? 'idle', unrecorded, ...next, ...present({ refusal }) };
  }

  return {
    async run(shift, stopping) {
      running.add(shift);
      try {
        return await run(shift, stopping);
      } finally {
        running.delete(shift);
      }
    },
    wake(instance) {
      ticker.messagesDue(instance);
    },
    serving: () => [...running].map(({ instance }) => instance),
    view: (instance) => ticker.view(instance),
    lateMs: () => ticker.lateMs,
  };
}

/** The rate limit of texts, which the shift uses for all sends. The rate gate applies the limit of each other kind. */
function rateLimitOf(instances: InstanceDirectory, instance: string, operation: OperationName): number {
  const perSecond = instances.get(instance).rateLimits?.[operation] ?? operationContracts[operation].perSecond;
  return perSecond > 0 ? perSecond : Infinity;
}
