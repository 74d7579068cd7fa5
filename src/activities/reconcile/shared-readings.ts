/**
 * Readings of a witness, shared by all callers that wait for one: the gateway allows about one a second, and after an
 * outage many rows ask at once. A caller that asks while a reading is under way gets the next one: a reading that began
 * before the request may be too old to prove anything.
 */
export class SharedReadings<Reading> {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<Reading>>();

  /**
   * @param of  what is read: readings of the same are shared
   * @returns a reading that was begun after this call
   * @throws what `readNow` throws
   */
  read(of: string, readNow: () => Promise<Reading>): Promise<Reading> {
    const next = this.#next.get(of) ?? this.#after(this.#running.get(of), of, readNow);
    this.#next.set(of, next);
    return next;
  }

  async #after(running: Promise<unknown> | undefined, of: string, readNow: () => Promise<Reading>): Promise<Reading> {
    await Promise.allSettled([running]);
    this.#next.delete(of);
    const reading = readNow();
    this.#running.set(of, reading);
    return reading;
  }
}
