import { describe, expect, inject, onTestFinished } from 'vitest';
import { fixedInstances, simulatorInstance } from '../../src/config/index.js';
import {
  MESSAGE_EDIT_UPDATE,
  WAKE_SIGNAL,
  WORKFLOW,
  dispatchTaskQueue,
  instanceWorkflowId,
  makeCurrentCommand,
  type MessageId,
} from '../../src/contract/index.js';
import type { Ask } from '../../src/doctor/check-runs.js';
import { checkTaskQueues } from '../../src/doctor/check-task-queues.js';
import { createGateway } from '../../src/gateway/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { createEverpost } from '../../src/index.js';
import { createWorkflowInputs } from '../../src/starter/index.js';
import { saveGatewayClocks, startWorker, type WorkerOptions } from '../../src/worker/index.js';
import { aLedger } from '../support/ledger/ledger.js';
import { test, type TemporalForTests } from '../support/temporal/temporal.js';
import { eventually } from '../support/eventually.js';

const clock = { nowMs: () => Date.now() };
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 5_000, settleTimeMs: 1_000, editConfirmTimeoutMs: 1_000 };

/** A worker's real environment; closed after the test. */
async function surroundings() {
  const simulator = await startSimulator();
  const ledger = await aLedger();
  const instances = fixedInstances([simulatorInstance(simulator.url)]);
  const gateway = createGateway({
    instances,
    clock,
    onClock: saveGatewayClocks(ledger.gatewayClocks, clock, () => undefined),
  });
  onTestFinished(async () => {
    await gateway.close();
    await simulator.close();
    await ledger.close();
  });
  const inputs = createWorkflowInputs({ ledger, instances, checkOperation: gateway.check.bind(gateway) });
  return { simulator, ledger, instances, gateway, inputs };
}

function optionsFor(
  { ledger, instances, gateway, inputs }: Awaited<ReturnType<typeof surroundings>>,
  place: { readonly address: string; readonly namespace: string; readonly taskQueue: string },
): WorkerOptions {
  return {
    temporal: { connectionOptions: () => ({ address: place.address }), namespace: place.namespace },
    version: { buildId: 'test' },
    taskQueue: place.taskQueue,
    bundlePath: inject('temporal').workflowBundlePath,
    inputs,
    ledger,
    instances,
    gateway,
    clock,
    times: TIMES,
    timesOf: () => TIMES,
    wake: () => undefined,
    runSchedule: () => Promise.reject(new Error('no schedule runs here')),
    log: () => undefined,
  };
}

/** Options of a worker that starts the workflow of its instance, under an id that parallel tests do not share. */
function wokenOptions(
  parts: Awaited<ReturnType<typeof surroundings>>,
  { address, namespace, client }: TemporalForTests,
  taskQueue: string,
) {
  const workflowId = `${instanceWorkflowId('main')}:${taskQueue}`;
  const start = { workflowId, taskQueue: dispatchTaskQueue(taskQueue), signal: WAKE_SIGNAL };
  const wake = (instance: string): void => {
    void client.workflow.signalWithStart(WORKFLOW.instance, { ...start, args: [{ instance }] });
  };
  return { workflowId, options: { ...optionsFor(parts, { address, namespace, taskQueue }), wake } };
}

describe('a worker', () => {
  test('finishes the request under way and records its outcome when it is stopped', async ({ temporal, taskQueue }) => {
    const parts = await surroundings();
    const { simulator, ledger } = parts;
    await fetch(`${simulator.url}/_sim/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'sendMessage', kind: 'late-answer', ms: 1_000, accepted: true, times: 1 }),
    });
    const { client } = temporal;
    const { workflowId, options } = wokenOptions(parts, temporal, taskQueue);
    const worker = await startWorker(options);
    expect(worker.isPolling()).toBe(true);

    const content = { kind: 'text', text: 'Hello' } as const;
    const { id } = await createEverpost({ client, taskQueue }).send({ instance: 'main', to: '15551234567', content });
    const posts = () => simulator.requests().filter(({ method }) => method === 'sendMessage');
    await eventually(() => expect(posts()).toHaveLength(1));
    await worker.stop();

    expect(worker.isPolling()).toBe(false);
    expect(await ledger.messages.snapshot(id)).toMatchObject({ state: 'accepted' });
    await expect.poll(() => ledger.gatewayClocks.offset('main', clock.nowMs())).toBeDefined();
    for (const started of [workflowId, `message:${id}`])
      await client.workflow.getHandle(started).terminate('the test has ended');
  });

  test('sends each message once beside another one, and continues alone when that one ends', async ({
    temporal,
    taskQueue,
  }) => {
    const parts = await surroundings();
    const { simulator, ledger } = parts;
    const { client } = temporal;
    const { workflowId, options } = wokenOptions(parts, temporal, taskQueue);
    const workers = [await startWorker(options), await startWorker(options)];
    const everpost = createEverpost({ client, taskQueue });
    const send = async (at: number) => {
      const content = { kind: 'text', text: `Hello ${at}` } as const;
      return (await everpost.send({ instance: 'main', to: String(15_551_234_000 + at), content })).id;
    };
    const areAccepted = async (ids: readonly MessageId[]) => {
      const found = await Promise.all(ids.map((id) => ledger.messages.snapshot(id)));
      expect(found.map((row) => row?.idMessage !== undefined)).toEqual(ids.map(() => true));
    };

    const before = await Promise.all([0, 1, 2, 3].map(send));
    await eventually(() => areAccepted(before));
    await workers[0]?.stop();
    const after = await Promise.all([4, 5, 6, 7].map(send));
    await eventually(() => areAccepted(after));

    const texts = simulator.requests().filter(({ method }) => method === 'sendMessage');
    expect(texts).toHaveLength(8);
    expect(workers[1]?.isPolling()).toBe(true);
    await workers[1]?.stop();
    for (const started of [workflowId, ...[...before, ...after].map((id) => `message:${id}`)])
      await client.workflow.getHandle(started).terminate('the test has ended');
  });

  test('of a deployment takes work while its version is the current one, and its runs continue on the next (UPGRADE-3)', async ({
    temporal,
    taskQueue,
  }) => {
    const parts = await surroundings();
    const { client, connection, namespace } = temporal;
    const { workflowId, options } = wokenOptions(parts, temporal, taskQueue);
    const version = (buildId: string) => ({ namespace, deploymentName: taskQueue, buildId });
    const makeCurrent = (buildId: string) =>
      eventually(() => connection.workflowService.setWorkerDeploymentCurrentVersion(version(buildId)));
    const [old, next] = ['1', '2'] as const;
    const workers = [await startWorker({ ...options, version: version(old) })];
    const everpost = createEverpost({ client, taskQueue });
    const send = async (text: string) => {
      const { id } = await everpost.send({ instance: 'main', to: '15551234567', content: { kind: 'text', text } });
      return { id, run: client.workflow.getHandle(`message:${id}`) };
    };
    const isAccepted = (id: MessageId) =>
      eventually(async () => expect((await parts.ledger.messages.snapshot(id))?.idMessage).toBeDefined());
    const workedOnBy = async (run: ReturnType<typeof client.workflow.getHandle>) => {
      const { events } = await run.fetchHistory();
      return events?.flatMap(
        ({ workflowTaskCompletedEventAttributes: done }) => done?.deploymentVersion?.buildId ?? [],
      );
    };

    const first = await send('Before the upgrade');
    const ask: Ask = (question) => question().catch((error: unknown) => error as Error);
    await eventually(async () =>
      expect(await checkTaskQueues(client, ask, taskQueue)).toContainEqual({
        subject: 'worker',
        verdict: 'broken',
        found: `task queue "${taskQueue}" is polled by version ${taskQueue}:1, which is not the current one: workflows wait, and so do messages that they send`,
        remedy: `Run: ${makeCurrentCommand(version(old))}`,
      }),
    );
    expect(parts.simulator.delivered()).toEqual([]);
    await makeCurrent(old);
    await isAccepted(first.id);

    workers.push(await startWorker({ ...options, version: version(next) }));
    await makeCurrent(next);
    const second = await send('After the upgrade');
    await isAccepted(second.id);
    const edit = { updateId: 'edit', args: [{ text: 'Edited', key: 'edit' }] as [unknown] };
    await first.run.startUpdate(MESSAGE_EDIT_UPDATE, { ...edit, waitForStage: 'ACCEPTED' });
    expect(new Set(await workedOnBy(second.run))).toEqual(new Set([next]));
    expect((await workedOnBy(first.run))?.[0]).toBe(old);
    expect((await workedOnBy(first.run))?.at(-1)).toBe(next);

    await Promise.all(workers.map((worker) => worker.stop()));
    for (const started of [workflowId, ...[first, second].map(({ id }) => `message:${id}`)])
      await client.workflow.getHandle(started).terminate('the test has ended');
  });

  test('may be stopped twice', async ({ temporal, taskQueue }) => {
    const { address, namespace } = temporal;
    const worker = await startWorker(optionsFor(await surroundings(), { address, namespace, taskQueue }));
    await Promise.all([worker.stop(), worker.stop()]);
    await expect(worker.ended).resolves.toBeUndefined();
  });

  test('reports the remedy when Temporal cannot be reached', async ({ taskQueue }) => {
    const options = optionsFor(await surroundings(), { address: '127.0.0.1:1', namespace: 'default', taskQueue });
    await expect(startWorker(options)).rejects.toMatchObject({
      code: 'TEMPORAL_UNAVAILABLE',
      message: expect.stringMatching(/127\.0\.0\.1:1\. Start it, or set TEMPORAL_ADDRESS/) as string,
    });
  });
});
