import { AppError, PRIORITIES, type AttemptOutcome, type MessageId, type Priority } from '../../src/contract/index.js';
import type {
  DueAttempt,
  InstanceTick,
  Ledger,
  Outcome,
  Shift,
  ShiftTry,
  Tick,
  TickResult,
  Want,
} from '../../src/ledger/index.js';
import type { LedClock } from './led-clock.js';

const COMMIT_MS = 2;
const WEIGHT = { unknown: 1, not_accepted: 2, rejected: 3, accepted: 4 } as const;

export interface Row {
  readonly id: MessageId;
  readonly instance: string;
  readonly chatId: string;
  readonly priority: Priority;
  readonly addedAtMs: number;
  dueAtMs: number;
  state: 'pending' | 'sending' | 'unknown' | 'accepted' | 'rejected';
  tries: number;
}

export interface AttemptRow {
  readonly token: string;
  readonly row: Row;
  readonly try: ShiftTry;
  readonly postingDeadlineMs: number;
  outcome?: AttemptOutcome;
}

export interface NewMessage {
  readonly priority?: Priority;
  readonly chatId?: string;
  readonly inMs?: number;
}

/**
 * The rules DISPATCH-1 to DISPATCH-7 in memory, for one run; each call takes as long as a commit. They are
 * written here again on purpose: the real ones are SQL, which test/ledger/dispatch/model.test.ts compares with a list.
 */
export class FakeLedger implements Pick<
  Ledger['dispatch'],
  'beginShift' | 'tick' | 'claimed' | 'endShift' | 'dueInstances' | 'campaignsToRead' | 'reveal'
> {
  readonly rows: Row[] = [];
  readonly attempts = new Map<string, AttemptRow>();
  calls = 0;
  ticks = 0;
  /** Calls fail without effect. */
  isAway = false;
  /** This many of the next ticks take effect, and their response is lost. */
  lostCommits = 0;
  readonly #pending = new Map<string, Record<Priority, Row[]>>();
  /** By instance: the shift that serves it. */
  readonly #serving = new Map<string, ShiftTry>();
  readonly #clock: LedClock;

  constructor(clock: LedClock) {
    this.#clock = clock;
  }

  add(instance: string, { priority = 'normal', chatId, inMs = 0 }: NewMessage = {}): Row {
    const id = `msg_${this.rows.length}` as MessageId;
    const nowMs = this.#clock.wall.nowMs();
    const row: Row = {
      id,
      instance,
      chatId: chatId ?? `${this.rows.length}@c.us`,
      priority,
      addedAtMs: this.#clock.nowMs(),
      dueAtMs: nowMs + inMs,
      state: 'pending',
      tries: 0,
    };
    this.rows.push(row);
    this.#pendingOf(instance)[priority].push(row);
    return row;
  }

  async beginShift({ instance, try: own }: Shift) {
    await this.#commit();
    const known = this.#serving.get(instance);
    if (known !== undefined && compare(own, known) <= 0) return { granted: false } as const;
    this.#serving.set(instance, own);
    const open = [...this.attempts.values()].filter(
      ({ row, outcome }) => row.instance === instance && outcome === undefined,
    );
    for (const { token } of open) this.record({ token, outcome: { kind: 'unknown', code: 'TAKEN_OVER' }, atMs: 0 });
    const unknown = this.rows.filter((row) => row.instance === instance && row.state === 'unknown');
    return { granted: true, epoch: String(own.attempt), unknown: unknown.map(({ id }) => id) } as const;
  }

  /** Nothing is hidden here. */
  reveal(attempt: DueAttempt): DueAttempt {
    return attempt;
  }

  async tick(input: Tick): Promise<TickResult> {
    this.ticks += 1;
    await this.#commit();
    for (const outcome of input.outcomes) this.record(outcome);
    const claimed: DueAttempt[] = [];
    const byInstance = new Map<string, InstanceTick>();
    for (const want of input.wants) {
      const { instance } = want.shift;
      const isLost = !this.#isCurrent(want.shift);
      const own = isLost ? [] : this.#claim(want, input);
      claimed.push(...own);
      const atMs = isLost || own.length >= want.free ? undefined : this.#nextDue(instance);
      byInstance.set(instance, { isLost, ...(atMs === undefined ? {} : { next: { atMs, extraRoom: 0 } }) });
    }
    await this.#commit();
    if (this.lostCommits > 0) {
      this.lostCommits -= 1;
      throw new AppError('LEDGER_UNAVAILABLE', 'The response was lost.');
    }
    return { claimed, edits: [], byInstance, unrecorded: new Map() };
  }

  async claimed(shift: Shift): Promise<DueAttempt[]> {
    await this.#commit();
    const open = [...this.attempts.values()].filter(
      ({ row, try: own, outcome }) =>
        row.instance === shift.instance && compare(own, shift.try) === 0 && outcome === undefined,
    );
    return this.#isCurrent(shift) ? open.map(dueOf) : [];
  }

  async endShift({ instance }: Shift) {
    await this.#commit();
    const nextDueMs = this.#nextDue(instance);
    return nextDueMs === undefined ? {} : { nextDueMs };
  }

  dueInstances(): Promise<string[]> {
    return Promise.resolve([]);
  }

  campaignsToRead(): Promise<[]> {
    return Promise.resolve([]);
  }

  /** Finds the attempt by token; an outcome only moves forward. */
  record({ token, outcome }: Outcome): void {
    const attempt = this.attempts.get(token);
    if (attempt === undefined) throw new Error(`no attempt has the token ${token}`);
    if (attempt.outcome !== undefined && WEIGHT[attempt.outcome.kind] >= WEIGHT[outcome.kind]) return;
    attempt.outcome = outcome;
    const { row } = attempt;
    if (outcome.kind !== 'not_accepted') {
      row.state = outcome.kind;
      return;
    }
    row.state = 'pending';
    row.dueAtMs = this.#clock.wall.nowMs() + (outcome.retryAfterMs ?? 0);
    this.#pendingOf(row.instance)[row.priority].push(row);
  }

  #pendingOf(instance: string): Record<Priority, Row[]> {
    const known = this.#pending.get(instance) ?? { urgent: [], high: [], normal: [], low: [] };
    this.#pending.set(instance, known);
    return known;
  }

  #isCurrent({ instance, try: own }: Shift): boolean {
    const known = this.#serving.get(instance);
    return known !== undefined && compare(known, own) === 0;
  }

  #nextDue(instance: string): number | undefined {
    const lists = this.#pendingOf(instance);
    const firsts = PRIORITIES.map((priority) =>
      Math.min(Infinity, ...lists[priority].slice(0, 50).map((r) => r.dueAtMs)),
    );
    const next = Math.min(...firsts);
    return next === Infinity ? undefined : next;
  }

  #claim(want: Want, { nowMs }: Tick): DueAttempt[] {
    const lists = this.#pendingOf(want.shift.instance);
    const busy = new Set(want.busyRecipients);
    const claimed: DueAttempt[] = [];
    const take = (order: readonly Priority[]): boolean => {
      // All messages here are texts.
      if (want.delayed?.includes('sendMessage')) return false;
      for (const priority of order) {
        if (claimed.length >= want.room[priority]) continue;
        if (claimed.length >= (want.slots?.[priority] ?? want.free)) continue;
        const at = lists[priority].findIndex(({ dueAtMs, chatId }) => dueAtMs <= nowMs && !busy.has(chatId));
        const [row] = at === -1 ? [] : lists[priority].splice(at, 1);
        if (row === undefined) continue;
        busy.add(row.chatId);
        claimed.push(this.#intend(row, want.shift.try, want.postingDeadlineMs));
        return true;
      }
      return false;
    };
    const top = PRIORITIES.find((priority) => lists[priority].some(({ dueAtMs }) => dueAtMs <= nowMs));
    if (want.lowerFirst && want.free > 0) take(PRIORITIES.slice(PRIORITIES.indexOf(top ?? 'low') + 1));
    while (claimed.length < want.free && take(PRIORITIES)) continue;
    return claimed;
  }

  #intend(row: Row, own: ShiftTry, postingDeadlineMs: number): DueAttempt {
    row.state = 'sending';
    row.tries += 1;
    const token = `${row.id}.${row.tries}`;
    const attempt = { token, row, try: own, postingDeadlineMs };
    this.attempts.set(token, attempt);
    return dueOf(attempt);
  }

  async #commit(): Promise<void> {
    this.calls += 1;
    await this.#clock.sleep(COMMIT_MS / 2);
    if (this.isAway) throw new AppError('LEDGER_UNAVAILABLE', 'Connection refused.');
  }
}

function dueOf({ token, row, postingDeadlineMs }: AttemptRow): DueAttempt {
  const { id: messageId, instance, chatId, priority, tries } = row;
  return {
    messageId,
    instance,
    chatId,
    recipientKey: chatId,
    priority,
    tries,
    token,
    postingDeadlineMs,
    content: { kind: 'text', text: token },
  };
}

function compare(one: ShiftTry, other: ShiftTry): number {
  return one.shift - other.shift || one.attempt - other.attempt;
}
