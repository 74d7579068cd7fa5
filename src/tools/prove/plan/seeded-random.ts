/** A random generator whose sequence the seed determines. */
export interface SeededRandom {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** The Mulberry32 generator: 32 bits of state are enough for a plan, and the sequence is equal on all platforms. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    between,
    shuffled(items) {
      const deck = [...items];
      for (let last = deck.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        [deck[last], deck[other]] = [deck[other] as (typeof deck)[number], deck[last] as (typeof deck)[number]];
      }
      return deck;
    },
  };
}
