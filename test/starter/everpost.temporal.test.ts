import { randomUUID } from 'node:crypto';
import { type WorkflowHandle, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { campaignWorkflowId, messageWorkflowId, type CampaignId, type MessageId } from '../../src/contract/index.js';
import { connectEverpost, createEverpost, type Everpost } from '../../src/index.js';
import { test } from '../support/temporal/temporal.js';
import { aLiveApi, type LiveApi } from '../api/live-api.js';
import { eventually } from '../support/eventually.js';

let live: LiveApi;
let everpost: Everpost;
test.beforeAll(async ({ temporal }) => {
  const taskQueue = `a-backend-${randomUUID()}`;
  live = await aLiveApi(temporal, taskQueue);
  everpost = createEverpost({ client: temporal.client, taskQueue });
});
test.afterAll(() => live.close());

let lastNumber = 15560000000;
const aText = () =>
  ({
    instance: 'main',
    to: String(++lastNumber),
    content: { kind: 'text', text: 'Hello' },
    key: randomUUID(),
  }) as const;

describe('a backend that uses only Temporal', () => {
  test('sends a message, waits for it, and edits it', async () => {
    const text = aText();
    const message = await everpost.send(text);

    expect(await message.waitFor('delivered')).toMatchObject({ id: message.id, state: 'delivered', reached: true });
    expect(await message.edit('Hello again')).toMatchObject({ outcome: 'edited', via: 'gateway' });
    expect(live.phoneOf(text.to)).toMatchObject([{ text: 'Hello again' }]);
    expect(await message.status()).toEqual({ id: message.id, state: 'delivered', idMessage: expect.any(String) });
  });

  test('connects to the given address', async ({ temporal }) => {
    const { address } = temporal.connection.options;
    const connected = connectEverpost({ address, namespace: temporal.client.options.namespace });
    onTestFinished(() => connected.close());
    const text = aText();
    const message = await everpost.send(text);

    await eventually(async () => {
      expect(await connected.message(message.id).status()).toMatchObject({ id: message.id });
    });
  });

  test('gets the same message for the same key, and an error for another request', async () => {
    const text = aText();
    const [first, second] = await Promise.all([everpost.send(text), everpost.send({ ...text, to: `+${text.to}` })]);

    expect(second.id).toBe(first.id);
    const other = everpost.send({ ...text, content: { kind: 'text', text: 'Bye' } });
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    await second.waitFor('delivered');
    expect(live.phoneOf(text.to)).toHaveLength(1);
  });

  test("gets the API's message under the same key, and the API gets its message", async () => {
    const { key, ...text } = aText();
    const message = await everpost.send({ ...text, key });
    await message.waitFor('accepted');

    const response = await live.call('POST', '/v1/messages', text, { 'Idempotency-Key': key });
    expect(response).toMatchObject({ status: 202, body: { id: message.id } });
    expect(response.headers.get('idempotent-replayed')).toBe('true');
  });

  test('gets an error when the API got another request under the same key', async () => {
    const { key, ...text } = aText();
    const { body } = await live.call('POST', '/v1/messages', text, { 'Idempotency-Key': key });
    await eventually(() => everpost.message(body.id).waitFor('accepted'));

    expect((await everpost.send({ ...text, key })).id).toBe(body.id);
    const other = everpost.send({ ...text, key, content: { kind: 'text', text: 'Bye' } });
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    await everpost.message(body.id).waitFor('delivered');
    expect(live.phoneOf(text.to)).toHaveLength(1);
  });

  test('waits for a milestone, also when the run began after its first call', async ({ temporal }) => {
    const { workflow } = temporal.client;
    const message = await everpost.send(aText());
    const early = vi.spyOn(workflow, 'getHandle').mockImplementationOnce((id) => {
      const startUpdate = () => Promise.reject(new WorkflowNotFoundError('not begun yet', id, undefined));
      return { startUpdate } as unknown as WorkflowHandle;
    });
    onTestFinished(() => early.mockRestore());

    expect(await message.waitFor('accepted')).toMatchObject({ reached: true });
    expect(early.mock.calls.length).toBeGreaterThan(1);
  });

  test('cancels in time, and gets the end of the message as the result', async () => {
    const text = aText();
    await live.simulator.pauseListening();
    const message = await everpost.send(text);

    expect(await message.cancel()).toEqual({ cancelled: true, state: 'cancelled' });
    await live.simulator.resumeListening();
    expect(await message.result()).toMatchObject({ id: message.id, state: 'cancelled' });
    // After its run has ended the same request gets the same response.
    expect(await message.cancel()).toEqual({ cancelled: true, state: 'cancelled' });
    expect(live.phoneOf(text.to)).toEqual([]);
  });

  test('gets the end of a message that an operator cancelled in the Web UI', async ({ temporal }) => {
    await live.simulator.pauseListening();
    const message = await everpost.send(aText());
    // A try that is refused is under way for an instant.
    await eventually(async () => expect(await message.status()).toMatchObject({ state: 'pending' }));
    await temporal.client.workflow.getHandle(messageWorkflowId(message.id)).cancel();

    expect(await message.result()).toMatchObject({ state: 'cancelled' });
    await live.simulator.resumeListening();
  });

  test('gets an error, and does not wait for the end, when the run accepts its question and does not answer', async ({
    temporal,
  }) => {
    await live.simulator.pauseListening();
    const message = await everpost.send(aText());
    // A try that is refused is under way for an instant.
    await eventually(async () => expect(await message.status()).toMatchObject({ state: 'pending' }));
    const stuck = vi.spyOn(temporal.client.workflow, 'getHandle').mockImplementationOnce(() => {
      const result = () => Promise.reject(new WorkflowUpdateRPCTimeoutOrCancelledError('too late'));
      return { startUpdate: () => Promise.resolve({ result }) } as unknown as WorkflowHandle;
    });
    onTestFinished(() => stuck.mockRestore());

    await expect(message.status()).rejects.toMatchObject({
      code: 'TEMPORAL_UNAVAILABLE',
      message: expect.stringContaining(`GET /v1/messages/${message.id}`),
    });
    await message.cancel();
    await live.simulator.resumeListening();
  });

  test('gets every problem before any workflow begins', async () => {
    await expect(
      everpost.send({ instance: 'main', to: 'bob', content: { kind: 'text', text: 'x' } }),
    ).rejects.toMatchObject({ code: 'INPUT_INVALID', problems: [{ path: 'to' }] });
    await expect(everpost.send({ ...aText(), key: '' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  test('gets an error when a message is unknown, or its run has ended', async ({ temporal }) => {
    const unknown = everpost.message(`msg_${'0'.repeat(16)}` as MessageId);
    for (const ask of [unknown.status, unknown.cancel, () => unknown.edit('x'), unknown.result]) {
      await expect(ask()).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' });
    }

    const message = await everpost.send(aText());
    await message.waitFor('delivered');
    await temporal.client.workflow.getHandle(messageWorkflowId(message.id)).terminate('by hand');
    await expect(message.edit('x')).rejects.toMatchObject({
      code: 'EDIT_NOT_POSSIBLE',
      message: expect.stringContaining('HTTP API'),
    });
  });

  test('cannot edit a message that is not a text', async () => {
    const content = { kind: 'file', url: 'https://example.com/a.png', fileName: 'a.png' } as const;
    const message = await everpost.send({ ...aText(), content });

    await expect(message.edit('x')).rejects.toMatchObject({ code: 'EDIT_NOT_TEXT' });
  });
});

describe('a backend that controls a campaign', () => {
  test('pauses, changes, resumes and cancels it, and gets its progress, also after its end', async ({ temporal }) => {
    const id = `steered-${randomUUID()}` as CampaignId;
    await aRunningCampaign(id, 20);
    const campaign = everpost.campaign(id);

    expect(await campaign.pause()).toMatchObject({ progress: { id, state: 'paused', audience: 20 } });
    const highWater = 2;
    expect(await campaign.update({ highWater })).toMatchObject({ highWater });
    await expect(campaign.update({})).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await campaign.plan()).toMatchObject({ id, highWater, instance: 'main' });
    expect(await campaign.resume()).toMatchObject({ progress: { state: 'running' } });
    const { progress } = await campaign.cancel();
    expect(progress.counts.cancelled).toBeGreaterThan(0);
    expect(await temporal.client.workflow.getHandle(campaignWorkflowId(id)).result()).toMatchObject({
      state: 'cancelled',
    });
    expect(await campaign.progress()).toMatchObject({
      state: 'cancelled',
      counts: { pending: 0, cancelled: progress.counts.cancelled },
    });
    expect(await campaign.plan()).toMatchObject({ id, pending: 0 });
    await expect(campaign.pause()).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_STARTED' });
  });

  test('gets an error for a campaign that does not exist', async () => {
    const campaign = everpost.campaign('never-heard-of' as CampaignId);
    await expect(campaign.progress()).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
  });
});

/** Through the API, since campaigns begin there. */
async function aRunningCampaign(id: CampaignId, recipients: number): Promise<void> {
  const definition = { id, instance: 'main', content: { kind: 'text', text: 'Hello' } };
  await live.call('POST', '/v1/campaigns', { ...definition, highWater: 1 });
  const numbers = Array.from({ length: recipients }, () => String(++lastNumber));
  const headers = { 'content-type': 'text/csv' };
  const path = `${live.url}/v1/campaigns/${id}/recipients`;
  await fetch(path, { method: 'PUT', headers, body: ['phone', ...numbers].join('\n') });
  await live.call('POST', `/v1/campaigns/${id}/start`);
}
