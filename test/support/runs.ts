/** `npm test` runs a quarter of the random cases and long lists, `npm run verify` all (TEST_RUNS=1). */
const SHARE = Number(process.env['TEST_RUNS'] ?? 0.25);
if (!(SHARE > 0)) throw new Error('TEST_RUNS is not a number above 0.');

/** Whether nothing is omitted. */
export const runsEverything = SHARE >= 1;

/** @returns the number of random cases; TEST_RUNS=20 gives twenty times as many */
export function runs(whole: number): number {
  return Math.ceil(whole * SHARE);
}

/** @returns all, or items from the whole length of the list */
export function sampleOf<Item>(all: readonly Item[]): readonly Item[] {
  return runsEverything ? all : all.filter((_, at) => at % Math.round(1 / SHARE) === 0);
}
