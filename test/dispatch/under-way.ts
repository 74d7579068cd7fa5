/** Counts the calls under way, so that a led clock does not move before they have ended. */
export class UnderWay {
  #count = 0;
  #onEnd: (() => void)[] = [];

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

  /** Waits until a call has ended, if any is under way. */
  async oneEnded(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onEnd.push(resolve));
  }

  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#count += 1;
    try {
      return await work;
    } finally {
      this.#end();
    }
  }

  /** A part of a call that waits for the clock. */
  async waiting(turn: Promise<void>): Promise<void> {
    this.#end();
    await turn;
    this.#count += 1;
  }

  #end(): void {
    this.#count -= 1;
    const onEnd = this.#onEnd;
    this.#onEnd = [];
    for (const resolve of onEnd) resolve();
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
