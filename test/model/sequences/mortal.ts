/** A process that can die at any moment. */

/** Nothing of a dead process goes on: its calls never return, also those that had begun. */
export class Life {
  isOver = false;
  readonly died: Promise<void>;
  #die: () => void = () => undefined;

  constructor() {
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  end(): void {
    this.isOver = true;
    this.#die();
  }

  /** An object of which every call ends with this life. */
  bind<Bound extends object>(bound: Bound): Bound {
    const known = new Map<PropertyKey, unknown>();
    return new Proxy(bound, {
      get: (target, name) => {
        if (!known.has(name)) known.set(name, this.#bound(target, Reflect.get(target, name, target)));
        return known.get(name);
      },
    });
  }

  #bound(target: object, value: unknown): unknown {
    if (typeof value === 'function') {
      return (...args: unknown[]) => {
        if (this.isOver) return new Promise(() => undefined);
        const result: unknown = Reflect.apply(value, target, args);
        return result instanceof Promise ? this.#during(result) : result;
      };
    }
    return typeof value === 'object' && value !== null ? this.bind(value) : value;
  }

  #during<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      work.then(
        (result) => this.isOver || resolve(result),
        (error: unknown) => this.isOver || reject(error),
      );
    });
  }
}
