import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LARGEST_LINE,
  SHORT_ID_PATTERN,
  asTyped,
  fromBase32,
  recipientMessageId,
  recipientOfMessageId,
  shortId,
  toBase32,
  type MessageId,
} from '../../src/contract/index.js';

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
