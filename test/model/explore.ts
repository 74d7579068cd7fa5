/** Paths through a world: all of them in a small world, random ones in a large world. */
import { alwaysWrong, wrongAtTheEnd } from './check.js';
import { stepsOf, type Step } from './steps.js';
import { begin, copy, type Conduct, type Row, type Scenario, type World } from './world.js';

export interface Exploration {
  /** The number of different worlds. */
  readonly worlds: number;
  /** The number of worlds in which nothing more happens by itself. */
  readonly ends: number;
  /** The first violation, with the shortest path to it. */
  readonly wrong?: { readonly what: string; readonly trace: readonly string[] };
}

/** More steps than any path has that ends. */
const ENDLESS = 1_000;

/** Visits every order of events, breadth first. */
export function exploreAll(scenario: Scenario, conduct: Conduct = {}, limit = 2_000_000): Exploration {
  const first = begin(scenario);
  const seen = new Map<string, { from: string; label: string }>([[keyOf(first, conduct), { from: '', label: '' }]]);
  let frontier: { world: World; key: string }[] = [{ world: first, key: keyOf(first, conduct) }];
  let ends = 0;
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { world, key } of frontier) {
      const steps = stepsOf(world, scenario, conduct);
      const isEnd = steps.every(({ isFair }) => !isFair);
      if (isEnd) ends += 1;
      const wrong = alwaysWrong(world) ?? (isEnd ? wrongAtTheEnd(world, scenario) : undefined);
      if (wrong !== undefined) return { worlds: seen.size, ends, wrong: { what: wrong, trace: traceTo(seen, key) } };
      for (const step of steps) {
        const after = applied(world, step);
        const afterKey = keyOf(after, conduct);
        if (seen.has(afterKey)) continue;
        seen.set(afterKey, { from: key, label: step.label });
        next.push({ world: after, key: afterKey });
      }
    }
    if (seen.size > limit) throw new Error(`${scenario.name}: more than ${limit} worlds`);
    frontier = next;
  }
  return { worlds: seen.size, ends };
}

/**
 * One path: each number selects a possible step; after the last number, fair steps follow until the end.
 * @returns a violation and the path to it
 */
export function walk(scenario: Scenario, choices: readonly number[], conduct: Conduct = {}): Exploration['wrong'] {
  let world = begin(scenario);
  const trace: string[] = [];
  const chosen = choices[Symbol.iterator]();
  for (;;) {
    const steps = stepsOf(world, scenario, conduct);
    const fair = steps.filter(({ isFair }) => isFair);
    const wrong = alwaysWrong(world) ?? (fair.length === 0 ? wrongAtTheEnd(world, scenario) : undefined);
    if (wrong !== undefined) return { what: wrong, trace };
    if (fair.length === 0) return undefined;
    if (trace.length > ENDLESS) return { what: 'it never ends', trace: trace.slice(-ENDLESS / 10) };
    const choice = chosen.next();
    const step =
      choice.done === true ? fair[scattered(trace.length) % fair.length]! : steps[choice.value % steps.length]!;
    trace.push(step.label);
    world = applied(world, step);
  }
}

/** The order is irregular: two runs that wait for each other's pauses would wait forever. */
function scattered(number: number): number {
  return Math.imul(number ^ (number >>> 3), 0x9e3779b1) >>> 7;
}

function applied(world: World, step: Step): World {
  const next = copy(world);
  step.apply(next);
  return next;
}

/** Worlds that differ only in irrelevant parts are equal. */
function keyOf(world: World, { without }: Conduct): string {
  const runs = world.runs.filter(
    ({ row, step, replaced }) =>
      step !== 'poll' || (!replaced && (without === 'PROTOCOL-8.row-decides' || isOpen(world.rows[row]!))),
  );
  return JSON.stringify({ ...world, runs });
}

function isOpen({ state }: Row): boolean {
  return state === 'pending' || state === 'sending' || state === 'unknown' || state === 'unresolved';
}

function traceTo(seen: ReadonlyMap<string, { from: string; label: string }>, key: string): string[] {
  const trace: string[] = [];
  for (let at = seen.get(key); at !== undefined && at.label !== ''; at = seen.get(at.from)) trace.unshift(at.label);
  return trace;
}
