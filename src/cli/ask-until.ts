/** The API answers a wait within this time; longer ones are asked again. */
const ONE_WAIT_MS = 25_000;

/** Asks again until the answer is final or the time is up; every single wait is one the API grants. */
export async function askUntil<Answer>(
  timeoutMs: number,
  isFinal: (answer: Answer) => boolean,
  askOnce: (waitMs: number) => Promise<Answer>,
): Promise<Answer> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, Math.round(endMs - performance.now()));
    const answer = await askOnce(Math.min(leftMs, ONE_WAIT_MS));
    if (isFinal(answer) || performance.now() >= endMs) return answer;
  }
}
