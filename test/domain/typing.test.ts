import { describe, expect, it } from 'vitest';
import { typingMsOf, withTyping } from '../../src/domain/index.js';

/** Proves TYPING-1 and TYPING-2. */
describe('typing before a content', () => {
  it.each([
    [{ kind: 'text' }, '3s', 3_000, 3_000],
    [{ kind: 'poll' }, '1500ms', 1_500, 1_500],
    [{ kind: 'forward' }, '20s', 20_000, 20_000],
    [{ kind: 'file' }, '1500ms', 2, 2_000],
    [{ kind: 'text', typingTime: 2_000 }, '3s', 2_000, 2_000],
    [{ kind: 'location' }, '3s', undefined, 0],
    [{ kind: 'text', typingTime: '{{pause}}' }, undefined, '{{pause}}', 0],
    [{ kind: 'file' }, undefined, undefined, 0],
  ] as const)('of %j with %s is the typingTime %j, which takes %i ms', (content, typing, typingTime, ms) => {
    const sent = withTyping<{ kind: typeof content.kind; typingTime?: unknown }>(content, typing);
    expect([sent.typingTime, typingMsOf(sent)]).toEqual([typingTime, ms]);
  });
});
