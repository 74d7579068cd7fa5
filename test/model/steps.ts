/** Every step that is possible in a world: of the runs, of the gateway, and of the faults. */
import { ModelLedger } from './model-ledger.js';
import { decideRow } from './question.js';
import type { Rule } from './rules.js';
import { RECONCILE_TICKS, SETTLE_TICKS, idOfAttempt, itemOf, newRun, receiptsOf } from './world.js';
import type { Conduct, Fault, Item, Run, Scenario, World } from './world.js';

export interface Step {
  readonly label: string;
  /** Happens in the end, unless a fault prevents it. */
  readonly isFair: boolean;
  /** Changes the given world, which is a copy. */
  readonly apply: (world: World) => void;
}

export function stepsOf(world: World, scenario: Scenario, conduct: Conduct): Step[] {
  return new Steps(world, scenario, conduct).all();
}

type Act = (run: Run, world: World, ledger: ModelLedger) => void;
/** Adds a step of one run. */
type Does = (what: string, act: Act, isFair?: boolean) => void;

class Steps {
  private readonly world: World;
  private readonly scenario: Scenario;
  private readonly conduct: Conduct;
  private readonly steps: Step[] = [];
  private readonly off: (rule: Rule) => boolean;

  constructor(world: World, scenario: Scenario, conduct: Conduct) {
    this.world = world;
    this.scenario = scenario;
    this.conduct = conduct;
    this.off = (rule) => conduct.without === rule;
  }

  private add(label: string, isFair: boolean, apply: (world: World) => void): void {
    this.steps.push({ label, isFair, apply });
  }

  /** A step that uses up one occurrence of a fault. */
  private fault(fault: Fault, label: string, apply: (world: World) => void): void {
    this.add(`${fault}: ${label}`, false, (world) => {
      world.budget[fault] = (world.budget[fault] ?? 0) - 1;
      apply(world);
    });
  }

  private ledger(world: World): ModelLedger {
    return new ModelLedger(world, this.off);
  }

  all(): Step[] {
    for (const [number, run] of this.world.runs.entries()) this.stepsOfRun(number, run);
    this.gatewaySteps();
    this.lateEvidence();
    this.tick();
    for (const [fault, left] of Object.entries(this.world.budget)) if (left > 0) this.faults(fault as Fault);
    return this.steps;
  }

  private stepsOfRun(number: number, run: Run): void {
    const does: Does = (what, act, isFair = true) => {
      const apply = (world: World) => act(world.runs[number]!, world, this.ledger(world));
      this.add(`run ${number} of ${run.row} ${what}`, isFair && !run.replaced, apply);
    };
    switch (run.step) {
      case 'poll':
        // The run that replaced a zombie continues from the row; the zombie only finishes what it has begun.
        if (!run.replaced) this.poll(run, does);
        return;
      case 'claim':
        return does('claims what it saw pending', claim);
      case 'post':
        if (this.world.attempts[run.attempt]!.claimedAt === this.world.now || this.off('PROTOCOL-3.posting-deadline')) {
          return does('posts: bytes leave', (me, world) => {
            world.flights.push({ attempt: me.attempt, leftAt: world.now });
            me.step = 'await';
          });
        }
        return does('is past its deadline', (me, _, ledger) => {
          ledger.makePending(me.attempt);
          me.step = 'poll';
        });
      case 'responded':
        return does('writes that it was accepted', (me, _, ledger) => {
          ledger.recordAccepted(me.attempt, me.idMessage);
          // Without a durable intent only the outcome moves the row.
          me.step = 'poll';
        });
      case 'lost':
        return does('writes that it does not know', (me, _, ledger) => {
          if (this.off('PROTOCOL-1.no-blind-repeat')) me.step = 'post';
          else {
            ledger.recordUnknown(me.attempt);
            me.step = 'poll';
          }
        });
      case 'decide':
        return does('decides', (me, world) => this.decide(me, world));
      case 'await':
    }
  }

  private poll(run: Run, does: Does): void {
    const row = this.world.rows[run.row]!;
    const isNew = this.off('PROTOCOL-8.row-decides') && run.attempt === -1 && row.state !== 'cancelled';
    const state = isNew ? 'pending' : row.state;
    if (state === 'pending') {
      if (this.ledger(this.world).hasIdentical(run.row) && !this.off('PROTOCOL-5.identical-wait')) return;
      if (this.off('PROTOCOL-2.compare-and-set')) does('sees it pending', (me) => void (me.step = 'claim'));
      else does('claims', (me, world, ledger) => claim(me, world, ledger, this.off));
      if (this.off('PROTOCOL-2.same-token-same-attempt') && (this.world.budget.loseCommit ?? 0) > 0) {
        this.fault('loseCommit', `a run of ${run.row} claims and does not hear of it`, (world) => {
          const ledger = this.ledger(world);
          ledger.claim(run.row, ledger.row(run.row).text);
        });
      }
    } else if (state === 'sending') {
      const reconcileAt = this.world.attempts[row.attempt]!.claimedAt + RECONCILE_TICKS;
      if (this.world.now < reconcileAt) return;
      does('reconciles the claim abandoned', (me, _, ledger) => ledger.recordUnknown(ledger.row(me.row).attempt));
    } else if (state === 'unknown' || (state === 'unresolved' && this.scenario.unresolvedPollsAgain === true)) {
      const read: Act = (me, world) => {
        me.reading = { begunAt: world.now, items: world.queue, accounted: world.ids };
        if (this.scenario.slowReadings === true) me.step = 'decide';
        else this.decide(me, world);
      };
      does('reads the queue', read, state === 'unknown');
    }
  }

  private decide(me: Run, world: World): void {
    const { reading } = me;
    me.reading = null;
    me.step = 'poll';
    const row = world.rows[me.row]!;
    if (reading === null || (row.state !== 'unknown' && row.state !== 'unresolved')) return;
    const decision = decideRow(world, this.scenario, this.off, me.row, reading);
    const ledger = this.ledger(world);
    if (decision.kind === 'adopt') return ledger.adopt(me.row, row.attempt, decision.idMessage);
    // A positive sign or an operator settles an unresolved message.
    if (row.state === 'unresolved') return;
    switch (decision.kind) {
      case 'absent':
      case 'presumed_absent':
        return ledger.makePending(row.attempt);
      case 'undecided':
        if (decision.nextPollAfterMs === undefined) row.state = 'unresolved';
    }
  }

  private gatewaySteps(): void {
    const { world } = this;
    for (const [index, flight] of world.flights.entries()) {
      const awaits = world.runs.some(({ step, attempt }) => step === 'await' && attempt === flight.attempt);
      this.add(`gateway accepts attempt ${flight.attempt}`, true, (next) => {
        this.accept(next, index);
        response(next, flight.attempt, (run) => {
          run.step = 'responded';
          run.idMessage = idOfAttempt(flight.attempt);
        });
      });
      const lose = (next: World) =>
        response(next, flight.attempt, (run) => {
          run.step = 'lost';
          next.rows[run.row]!.mayBeUnresolved = true;
        });
      if (awaits && (world.budget.loseResponse ?? 0) > 0) {
        this.fault('loseResponse', `gateway accepts attempt ${flight.attempt}`, (next) => {
          this.accept(next, index);
          lose(next);
        });
      }
      if (awaits && (world.budget.cutConnection ?? 0) > 0) {
        this.fault('cutConnection', `attempt ${flight.attempt} goes on alone`, lose);
      }
      if (!awaits || (world.budget.loseRequest ?? 0) > 0) {
        const drop = (next: World) => {
          next.flights.splice(index, 1);
          lose(next);
        };
        if (awaits) this.fault('loseRequest', `attempt ${flight.attempt} is never accepted`, drop);
        else this.add(`attempt ${flight.attempt} is never accepted`, false, drop);
      }
    }
    const leaving = this.conduct.unless === 'ASSUME-1.fifo' ? world.queue.length : Math.min(1, world.queue.length);
    for (let index = 0; index < leaving; index += 1) {
      this.add(`${world.queue[index]!.id} leaves the queue`, true, (next) => this.release(next, index));
    }
    const [notice] = world.outbox;
    if (notice !== undefined) {
      this.add(`notice of ${notice.about} ${notice.item.id} comes`, true, (next) => this.deliver(next));
    }
  }

  private accept(world: World, flightIndex: number): void {
    const [flight] = world.flights.splice(flightIndex, 1);
    const { row, text } = world.attempts[flight!.attempt]!;
    const { chat, kind } = world.rows[row]!;
    // When the client repeats a request, each repetition is a message.
    const id = idOfAttempt(flight!.attempt);
    const isRepeat = [...world.queue, ...world.phone].some((item) => item.id === id);
    world.queue.push(itemOf({ id: isRepeat ? `${id}-again` : id, row, text, chat, kind }));
  }

  private release(world: World, index: number): void {
    const [left] = world.queue.splice(index, 1);
    const item: Item = { ...left!, leftAt: world.now, reworded: false };
    world.phone.push(item);
    if (this.scenario.notices === false) return;
    world.outbox.push({ about: 'message', level: 0, item });
    for (let level = 1; level <= receiptsOf(this.scenario) && item.row >= 0; level += 1) {
      world.outbox.push({ about: 'status', level, item });
    }
  }

  private deliver(world: World): void {
    const [notice] = world.outbox.splice(0, 1);
    const { about, item, level } = notice!;
    if (about === 'status') return this.ledger(world).applyStatus(item.id, level);
    world.stored.push(item);
    this.adoptStored(world);
  }

  /** Decides by notifications alone: when one arrives, and again when an identical message has been settled. */
  private adoptStored(world: World): boolean {
    const ledger = this.ledger(world);
    const open = [...world.rows.entries()].filter(([, { state }]) => state === 'unknown' || state === 'unresolved');
    for (const [number, row] of open.toSorted(([, a], [, b]) => (a.state < b.state ? 1 : -1))) {
      const decision = decideRow(world, this.scenario, this.off, number, null);
      if (decision.kind !== 'adopt') continue;
      ledger.adopt(number, row.attempt, decision.idMessage);
      if (world.rows[number]!.state === 'accepted') return true;
    }
    return false;
  }

  private lateEvidence(): void {
    if (this.world.stored.length === 0 || !this.world.rows.some(({ state }) => state === 'unresolved')) return;
    const known = new Set(this.world.ids.map(({ id }) => id));
    if (this.world.stored.every(({ id }) => known.has(id))) return;
    const trial = { ...this.world, rows: this.world.rows.map((row) => ({ ...row })), ids: [...this.world.ids] };
    if (this.adoptStored(trial))
      this.add('late evidence is looked at again', true, (world) => void this.adoptStored(world));
  }

  private tick(): void {
    const { world, scenario, conduct } = this;
    const isOverdue = world.flights.some(({ leftAt }) => world.now >= leftAt + SETTLE_TICKS);
    if (isOverdue && conduct.unless !== 'ASSUME-2.settle') return;
    // A healthy worker acts at once; a stalled one is the fault `freeze`.
    const isBusy = world.runs.some(({ step, replaced }) => !replaced && step !== 'poll' && step !== 'await');
    const open = world.rows.filter(({ state }) => state === 'sending' || state === 'unknown');
    if (isBusy || (open.length === 0 && world.flights.length === 0)) return;
    const isAwaited = open.some(({ attempt }) => world.now < world.attempts[attempt]!.claimedAt + RECONCILE_TICKS);
    if (world.now < scenario.ticks || isAwaited) this.add('time passes', true, (next) => void (next.now += 1));
  }

  private faults(fault: Fault): void {
    const { world } = this;
    const runs = [...world.runs.entries()].filter(([, run]) => !run.replaced && run.step !== 'poll');
    switch (fault) {
      case 'crash':
        for (const [number, { row }] of runs) {
          this.fault(fault, `run ${number} of ${row}`, (next) => {
            const [dead] = next.runs.splice(number, 1);
            next.rows[row]!.mayBeUnresolved = true;
            if (!this.off('PROTOCOL-8.sweeper')) next.runs.push(newRun(row, dead!.input));
          });
        }
        return;
      case 'freeze':
        for (const [number, { row, input }] of runs) {
          this.fault(fault, `run ${number} of ${row}`, (next) => {
            next.runs[number]!.replaced = true;
            next.rows[row]!.mayBeUnresolved = true;
            next.runs.push(newRun(row, input));
          });
        }
        return;
      case 'clear':
        if (world.queue.length === 0) return;
        return this.fault(fault, 'the queue', (next) => {
          next.cleared.push(...next.queue);
          next.queue = [];
        });
      case 'restart':
        return this.fault(fault, 'the instance, and its queue is in another order', (next) => {
          next.queue.reverse();
          next.restartedAt = next.sequence += 1;
        });
      case 'unmatchedOther':
        return this.fault(fault, 'puts a text of its own into the queue', (next) => {
          next.queue.push(unmatchedItem(next, { text: 'other', chat: 'z', api: true }));
        });
      case 'unmatchedEqual':
        return this.fault(fault, 'puts an equal text into the queue', (next) => {
          next.queue.push(unmatchedItem(next, { text: next.rows[0]!.text, chat: next.rows[0]!.chat, api: true }));
        });
      case 'phoneEqual':
        return this.fault(fault, 'a contact sends an equal text', (next) => {
          const item = unmatchedItem(next, { text: next.rows[0]!.text, chat: next.rows[0]!.chat, api: false });
          next.outbox.push({ about: 'message', level: 0, item: { ...item, leftAt: next.now } });
        });
      case 'reword':
        for (const [index, item] of world.queue.entries()) {
          if (item.row < 0 || item.reworded) continue;
          this.fault(fault, item.id, (next) => void (next.queue[index] = { ...item, reworded: true }));
        }
        return;
      case 'swapNotices':
        if (world.outbox.length < 2) return;
        return this.fault(fault, 'the first two', (next) => {
          const [first, second] = next.outbox.splice(0, 2);
          next.outbox.unshift(second!, first!);
        });
      case 'dropNotice':
        if (world.outbox.length === 0) return;
        return this.fault(fault, 'the first', (next) => void next.outbox.shift());
      case 'edit':
        for (const [number, { state, text }] of world.rows.entries()) {
          const takesEffect =
            state === 'pending' || (this.off('PROTOCOL-2.edits-wait-after-claim') && state === 'sending');
          if (takesEffect || (this.off('PROTOCOL-6.compare-with-attempt') && state === 'unknown')) {
            this.fault(fault, `row ${number} before it is sent`, (next) => {
              next.rows[number]!.text = `${text}, edited`;
            });
          }
        }
        return;
      case 'cancel':
        for (const [number, { state, cancelRequested }] of world.rows.entries()) {
          if (cancelRequested || state === 'accepted' || state === 'cancelled' || state === 'suppressed') continue;
          this.fault(fault, `row ${number}`, (next) => {
            next.rows[number]!.cancelRequested = true;
            if (state === 'pending') next.rows[number]!.state = 'cancelled';
          });
        }
        return;
      case 'stop':
        for (const [number, { isUnwanted }] of world.rows.entries()) {
          if (!isUnwanted) this.fault(fault, `of row ${number}`, (next) => void (next.rows[number]!.isUnwanted = true));
        }
        return;
      // These faults are part of the step that they affect.
      case 'loseResponse':
      case 'loseRequest':
      case 'cutConnection':
      case 'loseCommit':
    }
  }
}

function claim(me: Run, world: World, ledger: ModelLedger, off: (rule: Rule) => boolean = ledger.off): void {
  const row = world.rows[me.row]!;
  if (row.isUnwanted && !off('PROTOCOL-12.list-in-the-claim')) {
    row.state = 'suppressed';
    me.step = 'poll';
    return;
  }
  const text = off('PROTOCOL-2.text-of-the-claim') ? me.input : row.text;
  me.attempt = ledger.claim(me.row, text);
  me.step = 'post';
}

function response(world: World, attempt: number, change: (run: Run) => void): void {
  const run = world.runs.find((one) => one.step === 'await' && one.attempt === attempt);
  if (run !== undefined) change(run);
}

function unmatchedItem(world: World, of: Pick<Item, 'text' | 'chat' | 'api'>): Item {
  const number = [...world.queue, ...world.phone, ...world.cleared].filter(({ row }) => row < 0).length;
  return itemOf({ id: `s${number}`, row: -1, ...of });
}
