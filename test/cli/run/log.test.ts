import { expect, it } from 'vitest';
import { readable } from '../../../src/cli/commands/run/log.js';

const line = (facts: object) =>
  readable(JSON.stringify({ level: 'warn', time: '2026-03-01T10:21:03.120Z', msg: 'gateway failed', ...facts }));

it('a line of the log in a terminal has time, level, what happened, and each fact by its name', () => {
  expect(line({ messageId: 'msg_1', instance: 'main', durationMs: 12 })).toBe(
    '10:21:03.120 WARN  gateway failed  messageId=msg_1 instance=main durationMs=12',
  );
  expect(line({})).toBe('10:21:03.120 WARN  gateway failed');
});

it('a fact that could be mistaken for others is quoted', () => {
  expect(line({ reason: 'no response, code=1', error: { code: 'GATEWAY_BUSY', message: 'busy' } })).toBe(
    '10:21:03.120 WARN  gateway failed  reason="no response, code=1" error={"code":"GATEWAY_BUSY","message":"busy"}',
  );
  expect(line({ reason: '' })).toBe('10:21:03.120 WARN  gateway failed  reason=""');
});
