import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import {
  editId,
  isEditId,
  isMessageId,
  keyHashOfOperation,
  messageId,
  operationId,
  operationKeyHash,
  requestHash,
} from '../../src/starter/ids.js';

describe('ids', () => {
  it('are the same for the same instance and key, on every machine', () => {
    expect(messageId('main', 'order-1')).toBe('msg_cvsacv4nymae8hgc');
    expect(editId('msg_1' as MessageId, 'order-1')).toBe(editId('msg_1' as MessageId, 'order-1'));
  });

  it('never contain the key, which may be a phone number', () => {
    expect(messageId('main', '15550000001')).not.toContain('1555');
  });

  it('differ when the border between two parts moves', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (instance, key, moved) => {
        expect(messageId(instance + moved, key)).not.toBe(messageId(instance, moved + key));
        expect(operationKeyHash('readChat', instance + moved, key)).not.toBe(
          operationKeyHash('readChat', instance, moved + key),
        );
      }),
    );
  });

  it('are recognised by their form alone', () => {
    expect(isMessageId(messageId('main', 'a'))).toBe(true);
    expect(isMessageId('msg_1')).toBe(false);
    expect(isEditId(editId(messageId('main', 'a'), 'b'))).toBe(true);
    expect(isEditId(messageId('main', 'a'))).toBe(false);
    const keyHash = operationKeyHash('readChat', 'main', 'a');
    expect(keyHashOfOperation(operationId(keyHash))).toBe(keyHash);
    expect(keyHashOfOperation('op_1')).toBeUndefined();
  });
});

describe('the hash of a request', () => {
  it('does not depend on the order of fields, nor on absent fields', () => {
    expect(requestHash({ b: { y: 1, x: [1, 2] }, a: 'ä' })).toBe(
      requestHash({ a: 'ä', b: { x: [1, 2], y: 1 }, c: undefined }),
    );
  });

  it.each([
    ['another value', { a: 2 }],
    ['another order in a list', { a: [2, 1] }],
    ['an additional field', { a: 1, b: 1 }],
  ])('differs for %s', (_, other) => {
    expect(requestHash(other)).not.toBe(requestHash({ a: 1 }));
  });
});
