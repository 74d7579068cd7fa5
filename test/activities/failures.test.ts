import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { speakingTemporal, toApplicationFailure } from '../../src/activities/failures.js';
import { AppError, ERROR_NEXT, type ErrorCode } from '../../src/contract/index.js';
import { withoutSecrets } from '../../src/activities/operation-activities.js';

function failureOf(error: AppError): ApplicationFailure {
  const failure = toApplicationFailure(error);
  if (!(failure instanceof ApplicationFailure)) throw new Error('expected an ApplicationFailure');
  return failure;
}

describe('an error as a Temporal failure', () => {
  test.each(Object.keys(ERROR_NEXT) as ErrorCode[])('%s keeps its code, and only "stop" ends the retries', (code) => {
    const failure = failureOf(new AppError(code, 'What failed.'));
    expect(failure.type).toBe(code);
    expect(failure.nonRetryable).toBe(ERROR_NEXT[code] === 'stop');
  });

  test('uses the delay that the other side asks for', () => {
    expect(failureOf(new AppError('GATEWAY_BUSY', 'Busy.', { retryAfterMs: 7_000 })).nextRetryDelay).toBe(7_000);
  });

  test('is retried every half minute when an operator has to correct its cause', () => {
    expect(failureOf(new AppError('GATEWAY_UNAUTHORIZED', 'Token refused.')).nextRetryDelay).toBe(30_000);
  });

  test('logs no alarm for a wait', () => {
    expect(failureOf(new AppError('GATEWAY_UNREACHABLE', 'Refused.')).category).toBe(ApplicationFailureCategory.BENIGN);
  });

  test('is unchanged when it is foreign', async () => {
    const bug = new TypeError('undefined is not a function');
    await expect(speakingTemporal(() => Promise.reject(bug))(undefined)).rejects.toBe(bug);
  });
});

test('redaction removes secret fields at any depth and keeps everything else', () => {
  const response = {
    webhookUrl: 'https://hooks.example/',
    webhookUrlToken: 'Bearer s3cret',
    groups: [{ subject: 'Team', groupInviteLink: 'https://chat.example/AbC' }],
  };
  expect(withoutSecrets(response)).toEqual({
    webhookUrl: 'https://hooks.example/',
    webhookUrlToken: '[removed]',
    groups: [{ subject: 'Team', groupInviteLink: '[removed]' }],
  });
});

test('redaction keeps an empty secret field, since emptiness is no secret', () => {
  expect(withoutSecrets({ groupInviteLink: '' })).toEqual({ groupInviteLink: '' });
});

test.each([null, 'Error: forbidden', 7, true])('redaction leaves a bare %s unchanged', (value) => {
  expect(withoutSecrets(value)).toBe(value);
});
