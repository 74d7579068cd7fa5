import { generate, type Rates } from './generate.js';
import { verdictsOf, type Variant } from './verdicts.js';
import { play } from './play.js';
import { truthOf } from './world.js';

export interface Row {
  readonly name: string;
  concluded: number;
  /** Of messages that left the queue, or were cleared or dropped. */
  doubled: number;
  harmless: number;
  /** The first world in which it doubled a message. */
  seed?: number;
}

export interface Tally {
  readonly worlds: number;
  readonly rows: readonly Row[];
  absent: number;
  accepted: number;
  adopted: number;
  /** Adoptions of another sender's id. */
  adoptedWrongly: number;
}

/** Plays the worlds of these seeds and counts the conclusions of each variant. */
export function tally(
  rates: Rates,
  variants: readonly Variant[],
  { worlds, seed = 1, remembersReadings = true }: { worlds: number; seed?: number; remembersReadings?: boolean },
): Tally {
  const rows = variants.map(({ name }): Row => ({ name, concluded: 0, doubled: 0, harmless: 0 }));
  const all: Tally = { worlds, rows, absent: 0, accepted: 0, adopted: 0, adoptedWrongly: 0 };
  for (let at = seed; at < seed + worlds; at += 1) {
    for (const { attempt, adopted, concludedAt } of verdictsOf(play(generate(at, rates)), variants, {
      remembersReadings,
    })) {
      const truth = truthOf(attempt);
      if (truth === 'absent') all.absent += 1;
      else all.accepted += 1;
      if (adopted !== null) all.adopted += 1;
      if (adopted !== null && adopted !== attempt) all.adoptedWrongly += 1;
      for (const [number, row] of rows.entries()) {
        if (concludedAt[number] === 0) continue;
        row.concluded += 1;
        if (truth !== 'absent') row[truth] += 1;
        if (truth === 'doubled') row.seed ??= at;
      }
    }
  }
  return all;
}
