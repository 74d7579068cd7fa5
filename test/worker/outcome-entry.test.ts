import { expect, it } from 'vitest';
import type { DueAttempt } from '../../src/ledger/index.js';
import { outcomeEntry } from '../../src/worker/start-worker.js';

const attempt = {
  instance: 'main',
  messageId: 'msg_1',
  campaignId: 'c-1',
  chatId: '15550001111@c.us',
  content: { kind: 'text', text: 'hello' },
} as unknown as DueAttempt;

it('the line of an outcome has the ids, and neither recipient nor text', () => {
  expect(outcomeEntry(attempt, { kind: 'accepted', idMessage: 'G-1', httpStatus: 200 })).toEqual({
    level: 'debug',
    message: 'a message has an outcome',
    instance: 'main',
    messageId: 'msg_1',
    campaignId: 'c-1',
    outcome: 'accepted',
    idMessage: 'G-1',
  });
});

it('an outcome that an operator looks for is at the level info, with its code', () => {
  const unknown = outcomeEntry(attempt, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
  expect(unknown).toMatchObject({ level: 'info', outcome: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
  const { campaignId: _, ...single } = attempt;
  expect(outcomeEntry(single as DueAttempt, { kind: 'unknown', code: 'INTERNAL' })).not.toHaveProperty('campaignId');
});
