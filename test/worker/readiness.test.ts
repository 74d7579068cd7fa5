import { expect, test } from 'vitest';
import { createReadiness, type WorkerSigns } from '../../src/worker/readiness.js';

const JOB = { name: 'report', everyMs: 1_000, round: () => Promise.resolve() };

function aWorker(signs: Partial<WorkerSigns> = {}) {
  const now = { ms: 0 };
  const readiness = createReadiness({ monotonicMs: () => now.ms });
  readiness.follow({
    isPolling: () => true,
    askTemporal: () => Promise.resolve(),
    clockProblem: () => undefined,
    roundLateMs: () => 0,
    ...signs,
  });
  const missing = async () => Object.fromEntries((await readiness.missing()) ?? []);
  return { now, readiness, missing };
}

test('READY-1: a worker is ready once it has reported to the ledger and every part works', async () => {
  expect(await createReadiness().missing()).toBeUndefined();
  const { readiness, missing } = aWorker();
  expect(await missing()).toEqual({ ledger: 'the worker has not written to the ledger yet' });
  await readiness.reporting(JOB).round();
  expect(await missing()).toEqual({});
});

test('READY-1: it names every part that does not work', async () => {
  const { missing } = aWorker({
    askTemporal: () => Promise.reject(new Error('Temporal does not respond')),
    clockProblem: () => 'its clock is 90 s ahead',
    roundLateMs: () => 21_400,
  });
  expect(await missing()).toEqual({
    temporal: 'Temporal does not respond',
    ledger: 'the worker has not written to the ledger yet',
    clock: 'its clock is 90 s ahead',
    dispatcher: 'a round has been due for 21 s',
  });
});

test('READY-1: a worker that drains does not poll, and a round of a statement that waits for a lock is not late', async () => {
  const { readiness, missing } = aWorker({ isPolling: () => false, roundLateMs: () => 20_000 });
  await readiness.reporting(JOB).round();
  expect(await missing()).toEqual({ temporal: expect.stringContaining('does not poll') });
});

test('READY-2: a ledger to which the worker cannot write counts as missing after ten seconds, until a report succeeds', async () => {
  const { now, readiness, missing } = aWorker();
  let isWritable = true;
  const job = readiness.reporting({
    ...JOB,
    round: () =>
      isWritable ? Promise.resolve() : Promise.reject(new Error('cannot execute INSERT in a read-only transaction')),
  });
  await job.round();
  isWritable = false;
  now.ms = 10_000;
  await expect(job.round()).rejects.toThrow('read-only');
  expect(await missing()).toEqual({});
  now.ms = 10_500;
  expect(await missing()).toEqual({ ledger: 'the worker could not write to the ledger for 11 s' });
  isWritable = true;
  await job.round();
  expect(await missing()).toEqual({});
});
