/** The API answers a wait within this time; longer ones are asked again. */
const ONE_WAIT_MS = 25_000;

/** Asks again until the response is final or the time is up; every single wait is one the API grants. */
export async function askUntil<Result>(
  timeoutMs: number,
  isFinal: (response: Result) => boolean,
  askOnce: (waitMs: number) => Promise<Result>,
): Promise<Result> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, Math.round(endMs - performance.now()));
    const response = await askOnce(Math.min(leftMs, ONE_WAIT_MS));
    if (isFinal(response) || performance.now() >= endMs) return response;
  }
}
