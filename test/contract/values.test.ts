import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dispatchTaskQueue } from '../../src/contract/index.js';
import {
  parseDurationMs,
  LARGEST_LINE,
  SHORT_ID_PATTERN,
  asTyped,
  fromBase32,
  recipientMessageId,
  recipientOfMessageId,
  shortId,
  toBase32,
  type MessageId,
  forEachConcurrently,
} from '../../src/contract/index.js';

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['15s', 15_000],
    ['1.5m', 90_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    [' 20s ', 20_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each(['15', '15 s', '-1s', 's', '1y', '1s2m', ''])('%j is refused with the accepted form', (text) => {
    expect(() => parseDurationMs(text)).toThrow('must be a number with its unit, e.g. 500ms, 15s, 1m, 24h');
  });
});

const campaignKeys = fc.string().map((text) => shortId(createHash('sha256').update(text).digest()).slice(0, 10));

describe('a short id', () => {
  it('contains 80 bits in 16 characters without look-alikes', () => {
    expect(shortId(Buffer.from('00112233445566778899', 'hex'))).toBe('008j4ct4ank7f24s');
    expect(shortId(Buffer.alloc(32, 0xff))).toBe('zzzzzzzzzzzzzzzz');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 40 }), (bytes) => {
        expect(shortId(bytes)).toMatch(new RegExp(`^${SHORT_ID_PATTERN}$`));
        expect(shortId(bytes)).not.toMatch(/[ilou]/);
      }),
    );
  });

  it('is read as written, also by an operator', () => {
    expect(fromBase32(toBase32(987_654_321, 6))).toBe(987_654_321);
    expect(fromBase32('oil')).toBeUndefined();
    expect(asTyped('MSG_O1IL')).toBe('msg_0111');
  });
});

describe('the message id of a recipient', () => {
  it('determines campaign and line, and is unique to its recipient', () => {
    fc.assert(
      fc.property(campaignKeys, fc.nat({ max: LARGEST_LINE }), (key, line) => {
        const id = recipientMessageId(key, line);
        expect(id).toMatch(new RegExp(`^msg_${SHORT_ID_PATTERN}$`));
        expect(recipientOfMessageId(id)).toEqual({ campaignKey: key, line });
      }),
    );
  });

  it('differs from those of the same campaign and of the same line in its first eight characters', () => {
    const keys = Array.from({ length: 40 }, (_, at) =>
      shortId(createHash('sha256').update(`${at}`).digest()).slice(0, 10),
    );
    const ids = keys.flatMap((key) => Array.from({ length: 500 }, (_, line) => recipientMessageId(key, line)));
    expect(new Set(ids.map((id) => id.slice(0, 'msg_'.length + 8))).size).toBe(ids.length);
  });

  it.each(['msg_1', 'msg_0123456789abcdefg', 'op_0123456789abcdef', 'msg_ooooooaaaaaaaaaa'])(
    'is distinguished from %s, which is none',
    (id) => {
      expect(recipientOfMessageId(id as MessageId)).toBeUndefined();
    },
  );
});

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

it('TASKS-1: what sends shares a task queue with nothing else', () => {
  expect(dispatchTaskQueue('everpost')).not.toBe('everpost');
});
