/** Counts the calls under way, so that a led clock does not move before they have ended. */
export class UnderWay {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Wraps an object: a call of it, or of an object in it, counts until its promise has settled. */
  watch<Watched extends object>(watched: Watched): Watched {
    const known = new Map<PropertyKey, unknown>();
    return new Proxy(watched, {
      get: (target, name) => {
        if (!known.has(name)) known.set(name, this.#wrapped(target, Reflect.get(target, name, target)));
        return known.get(name);
      },
    });
  }

  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#count += 1;
    try {
      return await work;
    } finally {
      this.#count -= 1;
    }
  }

  /** A part of a call that waits for the clock. */
  async waiting(turn: Promise<void>): Promise<void> {
    this.#count -= 1;
    await turn;
    this.#count += 1;
  }

  #wrapped(target: object, value: unknown): unknown {
    if (typeof value === 'function') {
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        return result instanceof Promise ? this.during(result) : result;
      };
    }
    return typeof value === 'object' && value !== null ? this.watch(value) : value;
  }
}
