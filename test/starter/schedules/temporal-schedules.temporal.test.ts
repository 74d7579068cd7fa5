import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { ScheduleId } from '../../../src/contract/index.js';
import { temporalSchedules } from '../../../src/starter/index.js';
import { test } from '../../support/temporal/temporal.js';

test('Temporal shows the version of the schedule that it has, after each change', async ({ temporal, taskQueue }) => {
  const id = `s-${randomUUID().slice(0, 8)}` as ScheduleId;
  const driver = temporalSchedules({ client: temporal.client, taskQueue });
  onTestFinished(async () => void (await driver.remove(id)));
  const nowMs = Date.now();
  for (const version of [1, 4]) {
    const schedule: Parameters<typeof driver.ensure>[0] = {
      id,
      version,
      state: 'active',
      definition: { message: { instance: 'main', content: { kind: 'status', text: 'Open' } }, cron: ['0 0 1 1 *'] },
      missedSeen: 0,
      missedUntil: new Date(nowMs).toISOString(),
      overlapped: 0,
      isSynced: false,
      createdAt: new Date(nowMs).toISOString(),
    };
    await driver.ensure(schedule, nowMs, nowMs);
    expect(await driver.describe(id)).toMatchObject({ version, isPaused: false });
  }
});
