export type SeededRandom = ReturnType<typeof seededRandom>;

/**
 * A random generator whose sequence the seed determines: Mulberry32. Its 32 bits of state are enough for a plan, and the
 * sequence is equal on all platforms.
 */
export function seededRandom(seed: number) {
  let state = seed >>> 0;
  /** A whole number from `min` to `max`, both included. */
  function between(min: number, max: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return min + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (max - min + 1));
  }
  return {
    between,
    shuffled<Item>(items: readonly Item[]): Item[] {
      const deck = [...items];
      for (let last = deck.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        [deck[last], deck[other]] = [deck[other] as Item, deck[last] as Item];
      }
      return deck;
    },
  };
}
