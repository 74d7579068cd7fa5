import { describe, expect, it } from 'vitest';
import { fixedInstances } from '../../src/config/index.js';
import { ACCOUNT_STATES, PAUSE_STATES, Secret, type InstanceConfig } from '../../src/contract/index.js';
import {
  isPauseState,
  isRestart,
  isRestarting,
  isSendingState,
  deadlinesOf,
  timesOfInstances,
} from '../../src/domain/index.js';

function meaning(state: string): string[] {
  const words = { isSendingState, isPauseState, isRestart, isRestarting };
  return Object.entries(words).flatMap(([name, is]) => (is(state) ? [name] : []));
}

describe('the state of an account', () => {
  it('has one meaning for sending, pausing and reconciling', () => {
    expect(Object.fromEntries(ACCOUNT_STATES.map((state) => [state, meaning(state)]))).toEqual({
      authorized: ['isSendingState'],
      notAuthorized: ['isRestart'],
      starting: ['isRestart', 'isRestarting'],
      sleepMode: [],
      yellowCard: ['isPauseState'],
      blocked: ['isPauseState'],
      suspended: ['isPauseState'],
    });
    expect(ACCOUNT_STATES.filter(isPauseState)).toEqual(PAUSE_STATES);
  });

  it.each(['paused', '', 'constructor', 'Authorized'])('counts as away when its word is unknown: %j', (word) => {
    expect(meaning(word)).toEqual([]);
  });
});

const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 15_000, settleTimeMs: 15_000 };

function anInstance(name: string, more: Partial<InstanceConfig> = {}): InstanceConfig {
  const account = { baseUrl: 'https://gateway.example', idInstance: '1101', apiTokenInstance: new Secret('token') };
  return { name, ...account, ...more };
}

describe('the times of an instance', () => {
  const timesOf = timesOfInstances(
    fixedInstances([anInstance('shop'), anInstance('slow', { settleTimeMs: 60_000 })]),
    TIMES,
  );

  it('are those of the process', () => {
    expect(timesOf('shop')).toEqual(TIMES);
  });

  it('are its own where the instances file has them', () => {
    expect(timesOf('slow')).toEqual({ ...TIMES, settleTimeMs: 60_000 });
  });

  it('are those of the process once it has left the instances file', () => {
    expect(timesOf('gone')).toEqual(TIMES);
  });

  it('decide until when a request may leave, and from when on its outcome is reconciled', () => {
    expect(deadlinesOf(timesOf('slow'), 1_000)).toEqual({ postingDeadlineMs: 6_000, reconcileAfterMs: 81_000 });
  });
});
