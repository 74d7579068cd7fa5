import { describe, expect, it } from 'vitest';
import { fixedInstances } from '../../src/config/index.js';
import { Secret, type InstanceConfig } from '../../src/contract/index.js';
import { deadlinesOf, timesOfInstances } from '../../src/domain/index.js';

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
