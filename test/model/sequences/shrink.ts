/** Finds a shorter sequence that shows the same. */
import type { Sequence } from './play.js';

/** Each try plays a whole sequence, for about a second. */
const SHRINKS_FOR_MS = 60_000;

/** @param failureOf  what a sequence shows, if it shows anything */
export async function shrink(
  sequence: Sequence,
  shown: string,
  failureOf: (one: Sequence) => Promise<string | undefined>,
): Promise<string> {
  const untilMs = performance.now() + SHRINKS_FOR_MS;
  let [shortest, message] = [sequence, shown];
  for (let size = Math.ceil(sequence.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.steps.length && performance.now() < untilMs;) {
      const steps = shortest.steps.toSpliced(from, size);
      const without = await failureOf({ ...shortest, steps });
      if (without !== undefined && ruleOf(without) === ruleOf(shown)) {
        [shortest, message] = [{ ...shortest, steps }, without];
      } else from += size;
    }
  }
  return message;
}

function ruleOf(message: string): string {
  return /^\w+ \d+/.exec(message)?.[0] ?? message.slice(0, 40);
}
