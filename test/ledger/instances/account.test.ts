import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MINUTE, NOW, useCast } from '../cast.js';

const cast = useCast();
const HOUR = 60 * MINUTE;
const GROUP = '120363043968066561@g.us';

const aStory = (idMessage: string, atMs = NOW) => ({ idMessage, atMs, story: { typeMessage: 'textMessage' } });
const members = (...ids: string[]) => ids.map((id) => ({ id, isAdmin: id === 'a' }));

describe('a recurring job', () => {
  it('JOB-1 is due at once, and again one interval after its run has ended', async () => {
    const { ledger, instance } = cast();
    const id = `job_${randomUUID()}`;
    const asked = { id, kind: 'stories', instance, everyMs: HOUR, nowMs: NOW } as const;
    const dueAt = async (nowMs: number) => (await ledger.account.due(nowMs)).map((job) => job.id).includes(id);
    expect(await ledger.account.openJob(asked)).toMatchObject({ isNew: true, job: { everyMs: HOUR } });

    expect(await dueAt(NOW)).toBe(true);
    await ledger.account.endRun(id, {}, NOW + MINUTE);
    expect(await dueAt(NOW + HOUR)).toBe(false);
    expect(await dueAt(NOW + HOUR + MINUTE)).toBe(true);
    await ledger.account.endRun(id, { problem: 'Error: forbidden' }, NOW + HOUR + MINUTE);
    expect(await ledger.account.job(id)).toMatchObject({
      problem: 'Error: forbidden',
      lastAt: new Date(NOW + MINUTE).toISOString(),
    });
    expect(await ledger.account.openJob({ ...asked, everyMs: 2 * HOUR })).toMatchObject({ isNew: false });
    expect(await ledger.account.stopJob(id)).toBe(true);
    await ledger.account.endRun(id, {}, NOW);
    expect(await ledger.account.job(id)).toBeUndefined();
    expect(await ledger.account.stopJob(id)).toBe(false);
  });
});

describe('stories', () => {
  it('JOB-2 are stored once, as they were first seen, and listed newest first', async () => {
    const { ledger, instance } = cast();
    const { account } = ledger;
    expect(await account.storeStories(instance, [aStory('S1'), aStory('S2', NOW + MINUTE)], NOW)).toBe(2);
    expect(await account.storeStories(instance, [aStory('S1', NOW + HOUR), aStory('S3')], NOW)).toBe(1);
    expect(await account.storeStories(instance, [], NOW)).toBe(0);

    const first = await account.stories({ instance, limit: 2 });
    expect(first.items.map(({ idMessage }) => idMessage)).toEqual(['S2', 'S3']);
    const rest = await account.stories({ instance, limit: 2, cursor: first.cursor });
    expect(rest).toEqual({ items: [expect.objectContaining({ idMessage: 'S1', at: new Date(NOW).toISOString() })] });
  });
});

describe('the snapshots of a group', () => {
  it('JOB-3 have a row for each state, with how long it was seen and what changed', async () => {
    const { ledger, instance } = cast();
    const { account } = ledger;
    const before = { fields: { subject: 'Team' }, participants: members('a', 'b') };
    const after = { fields: { subject: 'Team 2' }, participants: members('a', 'c') };
    await account.storeSnapshot(instance, GROUP, before, NOW);
    await account.storeSnapshot(instance, GROUP, before, NOW + HOUR);
    await account.storeSnapshot(instance, GROUP, after, NOW + 2 * HOUR);

    const [newest, oldest, ...more] = await account.snapshots(instance, GROUP, 10);
    expect(more).toEqual([]);
    expect(oldest).toMatchObject({
      takenAt: new Date(NOW).toISOString(),
      seenUntil: new Date(NOW + HOUR).toISOString(),
    });
    expect(oldest).not.toHaveProperty('changes');
    expect(newest?.changes).toEqual({
      joined: ['c'],
      left: ['b'],
      becameAdmin: [],
      noLongerAdmin: [],
      fields: [{ name: 'subject', before: 'Team', after: 'Team 2' }],
    });
    expect((await account.snapshots(instance, GROUP, 1))[0]?.changes).toEqual(newest?.changes);
  });
});
