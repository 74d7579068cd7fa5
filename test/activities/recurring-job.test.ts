/** One run of a recurring job, against the simulator. */
import { describe, expect, it } from 'vitest';
import { recurringJobActivity } from '../../src/activities/operation-activities.js';
import { MINUTE, useOwnCast } from '../ledger/cast.js';
import { useGatewayScene } from './gateway-scene.js';

const HOUR = 60 * MINUTE;
const GROUP = '120363043968066561@g.us';

const c = useOwnCast();
const the = useGatewayScene(() => c.instance);

const run = (jobId: string) =>
  recurringJobActivity({ ledger: c.ledger, gateway: the.gateway, clock: the.clock })({ jobId });

async function aJob(kind: 'stories' | 'group', groupId?: string): Promise<string> {
  const id = `job_${c.instance}_${kind}`;
  await c.ledger.account.openJob({ id, kind, instance: c.instance, groupId, everyMs: HOUR, nowMs: the.nowMs });
  return id;
}

async function minutesAsked(): Promise<unknown[]> {
  return the.simulator
    .requests()
    .filter(({ method }) => method === 'getIncomingStories')
    .map(({ query }) => query['minutes']);
}

describe('a run of a recurring job', () => {
  it('stores the stories of a day, then those since the last run, each once', async () => {
    const job = await aJob('stories');
    await the.control('instances/1101000001/stories', { typeMessage: 'textMessage', textMessage: 'Good morning' });
    await run(job);
    await run(job);
    the.nowMs += HOUR;
    await the.control('instances/1101000001/stories', { typeMessage: 'textMessage', textMessage: 'Good night' });
    await run(job);

    expect(await minutesAsked()).toEqual(['1440', '70']);
    const { items } = await c.ledger.account.stories({ instance: c.instance });
    expect(items.map(({ story }) => story['textMessage'])).toEqual(['Good night', 'Good morning']);
  });

  it('stores a group when it has changed, or the reason why it cannot', async () => {
    const job = await aJob('group', GROUP);
    await run(job);
    expect(await c.ledger.account.job(job)).toMatchObject({ problem: 'Error: item-not-found' });
    const own = '11101000001@c.us';
    await the.control('instances/1101000001/groups', {
      groupId: GROUP,
      subject: 'Team',
      participants: [{ id: own, lid: '77000111333@lid' }],
    });
    the.nowMs += HOUR;
    await run(job);

    expect(await c.ledger.account.job(job)).not.toHaveProperty('problem');
    expect(await c.ledger.account.snapshots(c.instance, GROUP, 5)).toMatchObject([{ fields: { subject: 'Team' } }]);
    expect(await c.ledger.lids.formsOf(own)).toEqual([own, '77000111333@lid']);
  });

  it('JOB-1 is repeated while the gateway is unavailable, and stays due', async () => {
    const job = await aJob('stories');
    await the.control('faults', { method: 'getIncomingStories', kind: 'status', status: 503, times: 1 });
    await expect(run(job)).rejects.toBeDefined();
    expect(await c.ledger.account.due(the.nowMs)).toMatchObject([{ id: job }]);
    await run(job);
    expect(await c.ledger.account.due(the.nowMs)).toEqual([]);
  });
});
