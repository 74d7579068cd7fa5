const WINDOW_MS = 1000;

/** Counts the requests of each instance and operation in the last second of the simulator's clock. */
export class RateGates {
  readonly #takenAtMs = new Map<string, number[]>();

  /** @returns whether the request is within `perSecond`; a refused request is not counted */
  take(idInstance: string, operation: string, perSecond: number, nowMs: number): boolean {
    const key = `${idInstance} ${operation}`;
    const recent = (this.#takenAtMs.get(key) ?? []).filter((atMs) => atMs > nowMs - WINDOW_MS);
    const taken = recent.length < perSecond;
    this.#takenAtMs.set(key, taken ? [...recent, nowMs] : recent);
    return taken;
  }

  reset(): void {
    this.#takenAtMs.clear();
  }
}
