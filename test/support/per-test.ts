import { beforeEach } from 'vitest';

/** What each test has one of its own of, made before the test. It stands for the one of the test that runs. */
export function perTest<Made extends object>(make: () => Made): Made {
  let made: Made | undefined;
  const current = (): Made => {
    if (made === undefined) throw new Error('It is made before each test, and no test has begun.');
    return made;
  };
  beforeEach(() => {
    made = make();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it forwards everything
  return new Proxy({} as Made, {
    get: (_, name) => {
      const value: unknown = Reflect.get(current(), name, current());
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    set: (_, name, value) => Reflect.set(current(), name, value, current()),
  });
}
