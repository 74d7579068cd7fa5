import { describe, expect, it } from 'vitest';
import { forEachConcurrently } from '../../src/contract/index.js';

/** Work that is under way until its item is ended. */
function aWork() {
  const begun: string[] = [];
  const endings = new Map<string, (error?: Error) => void>();
  return {
    begun,
    work: (item: string) =>
      new Promise<void>((resolve, reject) => {
        begun.push(item);
        endings.set(item, (error) => (error === undefined ? resolve() : reject(error)));
      }),
    async end(item: string, error?: Error) {
      endings.get(item)?.(error);
      await new Promise(setImmediate);
    },
  };
}

describe('work for each item of a list', () => {
  it('is done in order, for so many items at a time', async () => {
    const { begun, work, end } = aWork();
    const all = forEachConcurrently(2, ['a', 'b', 'c', 'd'], work);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await end('a');
    await end('d');
    await all;
  });

  it('continues for the other items after a failure, which is thrown once all work has ended', async () => {
    const { begun, work, end } = aWork();
    let failure: unknown;
    const all = forEachConcurrently(2, ['a', 'b', 'c'], work).catch((error: unknown) => (failure = error));
    await end('a', new Error('a is bad'));
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    expect(failure).toBeUndefined();
    await end('c');
    await all;
    expect(failure).toEqual(new Error('a is bad'));
  });

  it('is tried for so many items at most where every one fails', async () => {
    const tried: number[] = [];
    const all = forEachConcurrently(3, Array(10).keys(), async (item) => {
      tried.push(item);
      throw new Error('unavailable');
    });
    await expect(all).rejects.toThrow('unavailable');
    expect(tried).toEqual([0, 1, 2]);
  });

  it('is none for an empty list', async () => {
    await expect(forEachConcurrently(3, [], () => Promise.reject(new Error('begun')))).resolves.toBeUndefined();
  });
});
