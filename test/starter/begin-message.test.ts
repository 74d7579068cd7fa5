import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { beginMessageWith } from '../../src/starter/begin-message.js';
import { messageId } from '../../src/starter/ids.js';
import type { MessageRuns } from '../../src/starter/message-runs.js';
import { aLedger } from '../support/ledger.js';
import { ALICE, SYSTEM_CLOCK } from './api-parts.js';

const REQUEST = { instance: 'main', chatId: ALICE, content: { kind: 'text', text: 'Hello' } } as const;

let ledger: Ledger;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());

/** Temporal as it cannot be had by order: there one moment, gone the next. */
function runsThat(start: () => Promise<'started' | 'same'>): MessageRuns {
  const never = (): never => {
    throw new Error('This test asks for no more than a start.');
  };
  return {
    reachable: () => Promise.resolve(),
    start,
    find: () => Promise.resolve(undefined),
    status: never,
    edit: never,
    editWithStart: never,
    waitFor: never,
    continueRun: never,
    cancel: never,
    notifyChanged: never,
    result: never,
  };
}

/** Proves BEGIN-1 to BEGIN-3. */
describe('a start that Temporal did not answer', () => {
  it('stays remembered, since it may have begun, and says how to find out', async () => {
    const runs = runsThat(() => Promise.reject(new AppError('TEMPORAL_UNAVAILABLE', 'Gone.', { retryAfterMs: 1_000 })));
    const begin = beginMessageWith({ ledger, runs, clock: SYSTEM_CLOCK });
    const id = messageId('main', 'unanswered');

    await expect(begin(REQUEST, 'unanswered')).rejects.toMatchObject({
      code: 'TEMPORAL_UNAVAILABLE',
      message: expect.stringMatching(new RegExp(`${id} may or may not have begun.*same Idempotency-Key`)),
      retryAfterMs: 1_000,
    });
    expect(await ledger.messages.rememberRequest(id, 'another', 0)).toBe('mismatch');
  });

  it('is settled by the same request with the same key', async () => {
    const begin = beginMessageWith({ ledger, runs: runsThat(() => Promise.resolve('same')), clock: SYSTEM_CLOCK });

    expect(await begin(REQUEST, 'unanswered')).toMatchObject({ state: 'pending', isReplay: true });
  });
});

describe('a start that Temporal refused', () => {
  it('is forgotten, since nothing began', async () => {
    const runs = runsThat(() => Promise.reject(new AppError('TEMPORAL_SETUP_NEEDED', 'No such attribute.')));
    const begin = beginMessageWith({ ledger, runs, clock: SYSTEM_CLOCK });

    await expect(begin(REQUEST, 'refused')).rejects.toMatchObject({ code: 'TEMPORAL_SETUP_NEEDED' });
    expect(await ledger.messages.rememberRequest(messageId('main', 'refused'), 'another', 0)).toBe('new');
  });
});
