/** A step, the list that collects them, and what several steps do. */
import { ModelLedger } from './model-ledger.js';
import type { Rule } from './rules.js';
import { itemOf } from './world.js';
import type { Conduct, Fault, Item, Run, Scenario, World } from './world.js';

export interface Step {
  readonly label: string;
  /** Happens in the end, unless a fault prevents it. */
  readonly isFair: boolean;
  /** Changes the given world, which is a copy. */
  readonly apply: (world: World) => void;
}

export class StepList {
  protected readonly world: World;
  protected readonly scenario: Scenario;
  protected readonly conduct: Conduct;
  protected readonly steps: Step[] = [];
  protected readonly off: (rule: Rule) => boolean;

  constructor(world: World, scenario: Scenario, conduct: Conduct) {
    this.world = world;
    this.scenario = scenario;
    this.conduct = conduct;
    this.off = (rule) => conduct.without === rule;
  }

  protected add(label: string, isFair: boolean, apply: (world: World) => void): void {
    this.steps.push({ label, isFair, apply });
  }

  /** A step that uses up one occurrence of a fault. */
  protected fault(fault: Fault, label: string, apply: (world: World) => void): void {
    this.add(`${fault}: ${label}`, false, (world) => {
      world.budget[fault] = (world.budget[fault] ?? 0) - 1;
      apply(world);
    });
  }

  protected ledger(world: World): ModelLedger {
    return new ModelLedger(world, this.off);
  }
}

export function claim(me: Run, world: World, ledger: ModelLedger, off: (rule: Rule) => boolean = ledger.off): void {
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

export function response(world: World, attempt: number, change: (run: Run) => void): void {
  const run = world.runs.find((one) => one.step === 'await' && one.attempt === attempt);
  if (run !== undefined) change(run);
}

export function unmatchedItem(world: World, of: Pick<Item, 'text' | 'chat' | 'api'>): Item {
  const number = [...world.queue, ...world.phone, ...world.cleared].filter(({ row }) => row < 0).length;
  return itemOf({ id: `s${number}`, row: -1, ...of });
}
