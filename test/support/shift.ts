/** A shift of an instance, as tests play it in the ledger: it begins, claims what is due and records outcomes. */
import type { DueAttempt, Ledger, Shift, ShiftStats, Tick, TickResult, Want } from '../../src/ledger/index.js';

type Dispatch = Pick<Ledger['dispatch'], 'beginShift' | 'tick'>;

/** More than any test posts. */
export const AMPLE_ROOM = { urgent: 1_000, high: 1_000, normal: 1_000, low: 1_000 };

export function shiftOf(instance: string, attempt = 1, run = 'run'): Shift {
  return { instance, try: { run, shift: 1, attempt }, worker: 'worker-1' };
}

/** What a shift wants; {@link tickAt} adds the deadlines that are missing. */
export type PlannedWant = Omit<Want, 'postingDeadlineMs' | 'reconcileAfterMs'> & Partial<Want>;

export function wantOf(shift: Shift, want: Partial<Want> = {}): PlannedWant {
  return { shift, free: 10, room: AMPLE_ROOM, busyRecipients: [], lowerFirst: false, ...want };
}

/** A tick that claims nothing and records nothing, unless asked to. */
export function tickAt(
  dispatch: Pick<Dispatch, 'tick'>,
  nowMs: number,
  { wants = [], outcomes = [] }: { wants?: readonly PlannedWant[]; outcomes?: Tick['outcomes'] },
): Promise<TickResult> {
  const deadlines = { postingDeadlineMs: nowMs + 5_000, reconcileAfterMs: nowMs + 35_000 };
  return dispatch.tick({ wants: wants.map((want) => ({ ...deadlines, ...want })), outcomes, nowMs });
}

/** Begins a shift and claims what is due, in a tick of its own. */
export async function claimDue(
  dispatch: Dispatch,
  shift: Shift,
  nowMs: number,
  want: Partial<Want> = {},
): Promise<readonly DueAttempt[]> {
  await dispatch.beginShift(shift, nowMs);
  return (await tickAt(dispatch, nowMs, { wants: [wantOf(shift, want)] })).claimed;
}

/** Begins a shift that knows this of the gateway's queue, and claims nothing. */
export async function showQueue(
  { dispatch, queueReadings }: Pick<Ledger, 'dispatch' | 'queueReadings'>,
  instance: string,
  { reading, ...stats }: ShiftStats & { readonly reading?: { items: number; atMs: number } },
  nowMs: number,
): Promise<void> {
  if (reading !== undefined) await queueReadings.record(instance, aReading(reading));
  const shift = shiftOf(instance, 1, String(nowMs));
  // A tick keeps what a shift knows once five seconds have passed since its row was written.
  await dispatch.beginShift(shift, nowMs - 6_000);
  await tickAt(dispatch, nowMs, { wants: [wantOf(shift, { free: 0, stats })] });
}

/** A reading that lists so many items. */
export function aReading({ items, atMs }: { readonly items: number; readonly atMs: number }) {
  const item = { ids: [], kind: 'text', chat: '' } as const;
  return { begunAtMs: atMs, endedAtMs: atMs, items: Array.from({ length: items }, () => item) };
}
