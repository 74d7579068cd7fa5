/** One run of a recurring job, against the simulator. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recurringJobActivity } from '../../src/activities/recurring-job.js';
import { Secret, type InstanceDirectory } from '../../src/contract/index.js';
import { createGateway, type Gateway, type RateGate } from '../../src/gateway/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { MINUTE, NOW, useCast, type Cast } from '../ledger/cast.js';

const OPEN_GATE: RateGate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };
const HOUR = 60 * MINUTE;
const GROUP = '120363043968066561@g.us';

const cast = useCast();
let c: Cast;
let nowMs: number;
let simulator: Simulator;
let gateway: Gateway;

beforeEach(async () => {
  c = cast();
  nowMs = NOW;
  const clock = { nowMs: () => nowMs };
  simulator = await startSimulator({ clock, rateLimits: false });
  const instances: InstanceDirectory = {
    names: () => [c.instance],
    get: (name) => ({
      name,
      baseUrl: simulator.url,
      idInstance: '1101000001',
      apiTokenInstance: new Secret('simulator-token'),
    }),
  };
  gateway = createGateway({ instances, clock, gate: OPEN_GATE });
});
afterEach(async () => {
  await gateway.close();
  await simulator.close();
});

const run = (jobId: string) =>
  recurringJobActivity({ ledger: c.ledger, gateway, clock: { nowMs: () => nowMs } })({ jobId });

async function control(what: string, body: unknown): Promise<void> {
  const response = await fetch(`${simulator.url}/_sim/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

async function aJob(kind: 'stories' | 'group', groupId?: string): Promise<string> {
  const id = `job_${c.instance}_${kind}`;
  await c.ledger.account.openJob({ id, kind, instance: c.instance, groupId, everyMs: HOUR, nowMs });
  return id;
}

async function minutesAsked(): Promise<unknown[]> {
  return simulator
    .requests()
    .filter(({ method }) => method === 'getIncomingStories')
    .map(({ query }) => query['minutes']);
}

describe('a run of a recurring job', () => {
  it('stores the stories of a day, then those since the last run, each once', async () => {
    const job = await aJob('stories');
    await control('instances/1101000001/stories', { typeMessage: 'textMessage', textMessage: 'Good morning' });
    await run(job);
    await run(job);
    nowMs += HOUR;
    await control('instances/1101000001/stories', { typeMessage: 'textMessage', textMessage: 'Good night' });
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
    await control('instances/1101000001/groups', { groupId: GROUP, subject: 'Team', participants: [{ id: own }] });
    nowMs += HOUR;
    await run(job);

    expect(await c.ledger.account.job(job)).not.toHaveProperty('problem');
    expect(await c.ledger.account.snapshots(c.instance, GROUP, 5)).toMatchObject([{ fields: { subject: 'Team' } }]);
  });

  it('JOB-1 is repeated while the gateway is unavailable, and stays due', async () => {
    const job = await aJob('stories');
    await control('faults', { method: 'getIncomingStories', kind: 'status', status: 503, times: 1 });
    await expect(run(job)).rejects.toBeDefined();
    expect(await c.ledger.account.due(nowMs)).toMatchObject([{ id: job }]);
    await run(job);
    expect(await c.ledger.account.due(nowMs)).toEqual([]);
  });
});
