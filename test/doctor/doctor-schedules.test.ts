import { describe, expect, it } from 'vitest';
import { checkSchedules } from '../../src/doctor/check-ledger.js';

const COUNTS = { missed: 0, overlapped: 0, failed: 0 };
const AT = '2026-03-01T10:00:00.000Z';

const findings = (schedule: object) =>
  checkSchedules({
    listSchedules: () =>
      Promise.resolve({
        items: [{ id: 'weekly', campaign: { instance: 'main' }, counts: COUNTS, ...schedule }],
      } as never),
  });

/** Proves SCHEDULE-8. */
describe('the doctor and schedules', () => {
  it('finds nothing in a schedule that works, also while a campaign of it runs', async () => {
    expect(await findings({ counts: { ...COUNTS, missed: 3 } })).toEqual([]);
    expect(await findings({ blockedBy: { at: AT, campaignId: 'weekly-1' } })).toEqual([]);
  });

  it.each([
    ['failed', /^its run at .* failed: no file; 1 missed and 2 failed in all$/, /schedule trigger weekly/],
    ['missed', /^its run at .* was missed: no file/, /schedule trigger weekly/],
    ['pending', /^its run at .* fails and is retried: no file/, /schedule show weekly/],
  ])('reports a run that is %s', async (state, found, remedy) => {
    const failure = { at: AT, state, reason: 'SCHEDULE_RUN_FAILED', text: 'no file' };
    expect(await findings({ failure, counts: { missed: 1, overlapped: 0, failed: 2 } })).toEqual([
      {
        subject: 'schedule weekly',
        instance: 'main',
        verdict: 'broken',
        found: expect.stringMatching(found),
        remedy: expect.stringMatching(remedy),
      },
    ]);
  });

  it('reports a schedule that Temporal rejects', async () => {
    expect(await findings({ problem: 'Temporal rejects it' })).toMatchObject([{ verdict: 'broken' }]);
  });

  it('names the campaign that blocks the next time once times were skipped', async () => {
    const blockedBy = { at: AT, campaignId: 'weekly-1' };
    expect(await findings({ blockedBy, counts: { ...COUNTS, overlapped: 4 } })).toMatchObject([
      { verdict: 'advice', found: expect.stringMatching(/^4 of its times .* weekly-1 has not ended$/) },
    ]);
  });
});
