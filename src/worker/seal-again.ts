import type { BackgroundJob, JobDependencies } from './background-job.js';

const HOUR_MS = 60 * 60_000;

/** Seals the ledger's secrets with the first encryption key, so that a former key can be removed. Runs at each start. */
export function sealAgain({ ledger, clock, log }: JobDependencies): BackgroundJob {
  return {
    name: 'seal secrets with the first key',
    everyMs: HOUR_MS,
    // It must not wait for the lease of a worker that was killed: an operator waits for it to remove a key.
    inEveryWorker: true,
    async round() {
      const endpoints = await ledger.eventEndpoints.sealAgain(clock.nowMs());
      const operations = await ledger.operations.sealAgain();
      if (endpoints + operations === 0) return;
      log({ level: 'info', message: 'secrets were sealed with the first encryption key', endpoints, operations });
    },
  };
}
