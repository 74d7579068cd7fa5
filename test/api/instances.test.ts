/** How the API shows, pauses and resumes accounts, and what follows when one is authorized. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InstanceConfig } from '../../src/contract/index.js';
import { onAuthorizedWith } from '../../src/starter/index.js';
import { messageId } from '../../src/starter/ids.js';
import { eventually } from '../support/eventually.js';
import { useLedger } from '../support/ledger/ledger.js';
import { ALICE, aDirectory, anInstance, ownApi, refusal } from './api-parts.js';
import { claimDue, shiftOf, showQueue } from '../support/shift.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const SECOND = 1_000;
const clock = { nowMs: () => NOW + 60 * SECOND };

const ledger = useLedger();

/** Two accounts of one test, and an API without Temporal over them. */
async function accounts(config: Partial<InstanceConfig> = {}) {
  const [main, other] = [`main-${randomUUID().slice(0, 8)}`, `other-${randomUUID().slice(0, 8)}`];
  const instances = aDirectory(
    anInstance({ ...config, name: main }),
    anInstance({ name: other, notifications: 'poll', allowedRecipients: [] }),
  );
  const { call } = await ownApi({ ledger, instances, clock });
  const command = (what: 'pause' | 'resume') => (key: string) =>
    call('POST', `/v1/instances/${main}/${what}`, undefined, { 'Idempotency-Key': key });
  return {
    main,
    other,
    call,
    pause: command('pause'),
    resume: command('resume'),
    see: (state: string, atMs = NOW) => ledger.instanceStates.record({ instance: main, state, atMs }),
  };
}

describe('a resume that is delivered again', () => {
  it('ends no later pause, and gets the same response', async () => {
    const { resume, see } = await accounts();
    await see('yellowCard');
    await see('authorized', NOW + SECOND);
    expect((await resume('once')).body.resumed).toMatchObject([{ reason: 'yellowCard' }]);
    await see('blocked', NOW + 70 * SECOND);
    await see('authorized', NOW + 71 * SECOND);

    const again = await resume('once');

    expect(again).toMatchObject({ status: 200, body: { resumed: [{ reason: 'yellowCard' }] } });
    expect(again.body.instance.pauses).toMatchObject([{ reason: 'blocked' }]);
  });

  it('does not end a pause that came between its request and its effect', async () => {
    const { main, see } = await accounts();
    await see('yellowCard');
    const { until } = await ledger.instances.askResume(main, 'command', 'loopback', NOW);
    await see('blocked', NOW + SECOND);
    await see('authorized', NOW + 2 * SECOND);

    const resumed = await ledger.instances.resume(main, 'operator', NOW + 3 * SECOND, { until });

    expect(resumed).toMatchObject([{ reason: 'yellowCard' }]);
    expect(await ledger.instances.pauses(main)).toMatchObject([{ reason: 'blocked' }]);
  });
});

const iso = (atMs: number): string => new Date(atMs).toISOString();

describe('the instances of the API', () => {
  it('are the configured ones, with their states, and without secrets', async () => {
    const { main, other, call, see } = await accounts();
    await see('yellowCard');
    const reading = { items: 4, atMs: NOW - 2_000 };
    const stats = { reading, estimatedDepth: 0, releaseIntervalMs: 500, inFlight: 2, window: 6 };
    await showQueue(ledger, main, stats, NOW);
    const { status, body } = await call('GET', '/v1/instances');
    expect(status).toBe(200);
    expect(body.items).toEqual([
      {
        name: main,
        idInstance: '1101000001',
        baseUrl: 'http://127.0.0.1:9',
        restricted: false,
        webhookAuthorization: true,
        notifications: 'push',
        messageWorkflows: 'always',
        state: 'yellowCard',
        stateSince: iso(NOW),
        stateSeenAt: iso(NOW),
        pauses: [{ reason: 'yellowCard', since: iso(NOW), witness: 'getStateInstance', resumedBy: 'operator' }],
        queue: {
          reading: { items: 4, at: iso(NOW - 2_000) },
          estimate: { items: 0, at: iso(NOW) },
          releaseIntervalMs: 500,
        },
        dispatcher: { worker: 'worker-1', servedSince: iso(NOW - 6_000), seenAt: iso(NOW), inFlight: 2, window: 6 },
        closed: [],
        waiting: { messages: 0, campaigns: [], unknownOutcomes: 0 },
      },
      expect.objectContaining({ name: other, notifications: 'poll', restricted: true, pauses: [], queue: {} }),
    ]);
    expect(JSON.stringify(body)).not.toMatch(/instance-token|hook-token/);
  });

  it('are shown, paused and resumed one by one, and not found when they are not configured', async () => {
    const { main, call } = await accounts();
    expect(await call('GET', `/v1/instances/${main}`)).toMatchObject({ status: 200, body: { name: main } });
    for (const unknown of [
      'GET /v1/instances/none',
      'POST /v1/instances/none/pause',
      'POST /v1/instances/none/resume',
    ]) {
      const [method = '', path = ''] = unknown.split(' ');
      expect(await call(method, path)).toMatchObject(refusal(404, 'INSTANCE_NOT_FOUND'));
    }
  });

  it('show which pauses end automatically', async () => {
    const { main, call, see } = await accounts({ autoResume: ['yellowCard'] });
    await see('yellowCard');
    await see('blocked', NOW + SECOND);
    const { body } = await call('GET', `/v1/instances/${main}`);
    expect(body.pauses).toMatchObject([
      { reason: 'yellowCard', resumedBy: 'authorized' },
      { reason: 'blocked', resumedBy: 'operator' },
    ]);
  });
});

describe('pausing an instance', () => {
  it("creates an operator’s pause, which is resumed whatever the account's state", async () => {
    const { main, pause, resume, see } = await accounts();
    await see('notAuthorized');
    const begun = { reason: 'operator', since: iso(NOW + 60 * SECOND), witness: 'loopback' };
    expect(await pause('one')).toMatchObject({
      status: 200,
      body: { pause: begun, instance: { name: main, pauses: [{ ...begun, resumedBy: 'operator' }] } },
    });
    const resumed = await resume(randomUUID());
    expect(resumed).toMatchObject({ status: 200, body: { resumed: [begun], instance: { pauses: [] } } });
  });

  it('is answered when POSTs under way have ended, or reports that they have not', async () => {
    const { main, call, pause } = await accounts();
    const id = messageId(main, 'posted');
    const request = { instance: main, chatId: ALICE, content: { kind: 'text', text: 'Hello' } } as const;
    const nowMs = clock.nowMs();
    await ledger.intake.open({ id, requestHash: 'hash', request, expiresAtMs: nowMs + 60 * SECOND, nowMs });
    const [attempt] = await claimDue(ledger.dispatch, shiftOf(main), nowMs);

    const notYet = await call('POST', `/v1/instances/${main}/pause?timeoutMs=0`);
    expect(notYet).toMatchObject({ status: 202, body: { pause: { reason: 'operator' } } });

    const paused = pause('waits');
    await eventually(async () => expect(await ledger.instances.pauses(main)).toHaveLength(1));
    const outcome = { kind: 'accepted', idMessage: '3EB0', httpStatus: 200 } as const;
    await ledger.dispatch.recordOutcomes([{ token: attempt?.token ?? '', outcome, atMs: nowMs }]);
    expect(await paused).toMatchObject({ status: 200, body: { instance: { pauses: [{ reason: 'operator' }] } } });
  });

  it('pauses nothing again with a used key', async () => {
    const { pause, resume } = await accounts();
    const first = await pause('one');
    await resume(randomUUID());
    const again = await pause('one');
    expect(again).toMatchObject({ status: 200, body: { pause: first.body.pause, instance: { pauses: [] } } });
  });
});

describe('resuming an instance', () => {
  it('is refused while the account is not authorized, and names the remedy', async () => {
    const { main, resume, see } = await accounts();
    await see('blocked');
    const refused = await resume(randomUUID());
    expect(refused).toMatchObject(refusal(409, 'INSTANCE_NOT_AUTHORIZED'));
    expect(refused.body.detail).toContain('last seen as blocked');
    expect(await ledger.instances.pauses(main)).toHaveLength(1);
  });

  it('ends the pauses by the last observed state, when the gateway cannot be asked', async () => {
    const { main, resume, see } = await accounts();
    await see('yellowCard');
    await see('authorized', NOW + SECOND);
    const resumed = await resume(randomUUID());
    expect(resumed).toMatchObject({
      status: 200,
      body: { resumed: [{ reason: 'yellowCard' }], instance: { name: main, state: 'authorized', pauses: [] } },
    });
    const again = await resume(randomUUID());
    expect(again).toMatchObject({ status: 200, body: { resumed: [], instance: { pauses: [] } } });
  });
});

describe('an account that is authorized', () => {
  /** The effect on the instance, and the instances that were woken. */
  function told(config: Partial<InstanceConfig>) {
    const instance = `i-${randomUUID().slice(0, 8)}`;
    const woken: string[] = [];
    const wake = (name: string) => Promise.resolve(void woken.push(name));
    const instances = aDirectory(anInstance({ name: instance, ...config }));
    const tell = onAuthorizedWith({ ledger, instances, clock, wake });
    return {
      woken,
      instance,
      tell,
      see: (state: string, atMs: number) => ledger.instanceStates.record({ instance, state, atMs }),
      pauses: async () => (await ledger.instances.pauses(instance)).map(({ reason }) => reason),
    };
  }

  it('is resumed automatically where that is configured, and woken', async () => {
    const account = told({ autoResume: ['yellowCard'] });
    await account.see('yellowCard', NOW);
    await account.see('blocked', NOW);
    await account.see('authorized', NOW + SECOND);
    await account.tell(account.instance, false);
    expect(await account.pauses()).toEqual(['blocked']);
    expect(account.woken).toEqual([account.instance]);
  });

  it('is not resumed by a late notification', async () => {
    const account = told({ autoResume: ['yellowCard'] });
    await account.see('yellowCard', NOW);
    await account.tell(account.instance);
    expect(await account.pauses()).toEqual(['yellowCard']);
  });

  it('is not resumed without that configuration, and not woken when it was authorized before', async () => {
    const account = told({});
    await account.see('yellowCard', NOW);
    await account.see('authorized', NOW + SECOND);
    await account.tell(account.instance, false);
    expect(await account.pauses()).toEqual(['yellowCard']);
    expect(account.woken).toEqual([]);
    await account.tell(account.instance);
    expect(account.woken).toEqual([account.instance]);
  });

  it('is ignored when it is not configured any more', async () => {
    const account = told({ autoResume: ['yellowCard'] });
    await account.tell('gone', false);
    expect(account.woken).toEqual([]);
  });
});
