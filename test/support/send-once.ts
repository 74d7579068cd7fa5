import { explainRejection } from '../../src/activities/index.js';
import type { AppError, AttemptOutcome, Clock, MessageId, MessageSnapshot } from '../../src/contract/index.js';
import { deadlinesOf, type SendTimes } from '../../src/domain/index.js';
import { postAttempt } from '../../src/dispatch/index.js';
import type { Gateway } from '../../src/gateway/index.js';
import type { DueAttempt, Ledger, Shift } from '../../src/ledger/index.js';
import { shiftOf, tickAt, wantOf } from './shift.js';

export interface SendOnceDependencies {
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly times: SendTimes;
}

type Claiming = Pick<SendOnceDependencies, 'ledger' | 'clock' | 'times'>;

export interface SentOnce {
  readonly snapshot: MessageSnapshot;
  /** Absent when nothing was claimed. */
  readonly outcome?: AttemptOutcome;
  /** Why it was not accepted. */
  readonly error?: AppError;
}

const shifts = new WeakMap<Ledger, Map<string, Shift>>();

/**
 * Claims the message, posts it and records the outcome, as the dispatcher does: in one shift for each instance.
 * @param onLate called once an outcome from a late response is in the ledger
 */
export async function sendOnce(
  deps: SendOnceDependencies,
  id: MessageId,
  onLate: (snapshot: MessageSnapshot) => void = () => undefined,
): Promise<SentOnce> {
  const due = await claim(deps, id);
  if (due === undefined) return { snapshot: await snapshotOf(deps, id) };
  const posting = {
    gateway: deps.gateway,
    ledger: deps.ledger.dispatch,
    timesOf: () => deps.times,
    explainRejection: (attempt: DueAttempt, error: AppError) => explainRejection(deps, attempt, error),
    log: () => undefined,
  };
  const { outcome, error } = await postAttempt(posting, due, async (late) => {
    await record(deps, due, late);
    onLate(await snapshotOf(deps, id));
  });
  await record(deps, due, outcome);
  return { snapshot: await snapshotOf(deps, id), outcome, ...(error === undefined ? {} : { error }) };
}

/** Claims the message, whatever else of its instance is due; undefined when it cannot be claimed now. */
export async function claim(deps: Claiming, id: MessageId): Promise<DueAttempt | undefined> {
  const view = await deps.ledger.views.message(id, Date.now());
  if (view === undefined) throw new Error(`${id} is not in the ledger`);
  const shift = await begunShift(deps, view.instance);
  const nowMs = deps.clock.nowMs();
  const { claimed } = await tickAt(deps.ledger.dispatch, nowMs, {
    wants: [wantOf(shift, { free: 1, ...deadlinesOf(deps.times, nowMs) })],
  });
  const [due] = claimed;
  if (due !== undefined && due.messageId !== id) throw new Error(`${due.messageId} was due before ${id}`);
  return due;
}

/** The shift of all claims of the instance. Begun before a message is due, no other one is woken for it. */
export async function begunShift({ ledger, clock }: Claiming, instance: string): Promise<Shift> {
  const known = shifts.get(ledger) ?? new Map<string, Shift>();
  shifts.set(ledger, known);
  const begun = known.get(instance);
  if (begun !== undefined) return begun;
  const shift = shiftOf(instance, 1, String(clock.nowMs()));
  known.set(instance, shift);
  await ledger.dispatch.beginShift(shift, clock.nowMs());
  return shift;
}

async function record({ ledger, clock }: SendOnceDependencies, { token }: DueAttempt, outcome: AttemptOutcome) {
  const nowMs = clock.nowMs();
  await tickAt(ledger.dispatch, nowMs, { outcomes: [{ token, outcome, atMs: nowMs }] });
}

async function snapshotOf({ ledger }: SendOnceDependencies, id: MessageId): Promise<MessageSnapshot> {
  const snapshot = await ledger.messages.snapshot(id);
  if (snapshot === undefined) throw new Error(`${id} is not in the ledger`);
  return snapshot;
}
