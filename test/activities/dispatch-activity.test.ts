/** The activity `dispatch` of an instance that is no longer in the instances file. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { dispatchActivity } from '../../src/activities/dispatch-activity.js';
import { AppError } from '../../src/contract/index.js';

async function shiftOfRemoved(withWork: readonly string[]) {
  const activity = dispatchActivity(
    {
      worker: 'worker',
      processId: 'process',
      clock: { nowMs: () => 1_000 },
      ledger: { dispatch: { inUse: async () => new Set(withWork) } },
    },
    {
      wake: () => undefined,
      serving: () => [],
      view: () => undefined,
      lateMs: () => 0,
      run: () => Promise.reject(new AppError('INSTANCE_NOT_FOUND', 'Instance west is not known.')),
    },
  );
  return new MockActivityEnvironment().run(activity, { instance: 'west', shift: 1 });
}

test('The shift of a removed instance fails, with its reason, while messages wait for the instance', async () => {
  await expect(shiftOfRemoved(['north', 'west'])).rejects.toMatchObject({ code: 'INSTANCE_NOT_FOUND' });
});

test('The shift of a removed instance ends once nothing is left to send, and asks for no other', async () => {
  expect(await shiftOfRemoved(['north'])).toEqual({ ended: 'idle', unrecorded: [] });
});
