import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { messageWorkflowId, operationActivityId, type MessageId } from '../../src/contract/index.js';
import { createEverpost } from '../../src/index.js';
import { messageId } from '../../src/starter/index.js';
import { eventually } from '../support/eventually.js';
import { test } from '../support/temporal/temporal.js';
import { aLiveApi, type LiveApi } from './live-api.js';
import { refusal } from './api-parts.js';

/** One for all tests of this file, so each test has a recipient of its own. */
let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `the-api-${randomUUID()}`);
});
test.afterAll(() => live.close());

let recipients = 15550000000;

/** A text to a recipient of one test. */
function aText() {
  return { instance: 'main', to: String(++recipients), content: { kind: 'text', text: 'Hello' } } as const;
}

let keys = 0;

/** Keys determine ids, and a server may outlive a run: each key is used once. */
function aKey(): Record<string, string> {
  return { 'Idempotency-Key': `${process.pid}-${Date.now()}-${++keys}` };
}

describe('a message that another Temporal client started', () => {
  async function begun(input: object) {
    const key = aKey()['Idempotency-Key'] ?? '';
    const workflowId = `order-${key}`;
    const { client, taskQueue } = live;
    const handle = await client.workflow.start('message', { taskQueue, workflowId, args: [{ ...input, key }] });
    return { handle, workflowId, id: messageId('main', key), key };
  }

  test('is shown with its workflow, waited for and edited, by that workflow', async () => {
    const text = aText();
    const { id, workflowId, handle, key } = await begun(text);
    await handle.executeUpdate('waitFor', { args: [{ state: 'pending' }] });

    const sent = await live.call('GET', `/v1/messages/${id}?wait=delivered&timeoutMs=60000`);
    expect(sent).toMatchObject({ status: 200, body: { id, state: 'delivered', workflowId } });
    const edited = await live.call('POST', `/v1/messages/${id}/edits`, { text: 'Hello again' });
    expect(edited).toMatchObject({ status: 200, body: { outcome: 'edited' } });
    await eventually(async () => {
      const { events } = await handle.fetchHistory();
      const scheduled = events?.map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
      expect(scheduled).toContain('editMessage');
    });
    await expect(live.client.workflow.getHandle(messageWorkflowId(id)).describe()).rejects.toThrow(/not found/i);

    // A request with its key gets this message.
    const again = await live.call('POST', '/v1/messages', text, { 'Idempotency-Key': key });
    expect(again).toMatchObject({ status: 202, body: { id, state: 'delivered' } });
    expect(live.phoneOf(text.to)).toHaveLength(1);
    await handle.terminate('the test has ended');
  });

  test('is cancelled through the API, which ends its workflow', async () => {
    await live.simulator.pauseListening();
    const { id, handle } = await begun(aText());
    await handle.executeUpdate('waitFor', { args: [{ state: 'pending' }] });
    const cancelled = await live.call('POST', `/v1/messages/${id}/cancel`);
    await live.simulator.resumeListening();
    expect(cancelled).toMatchObject({ status: 200, body: { id, cancelled: true } });
    expect(await handle.result()).toMatchObject({ id, state: 'cancelled' });
  });

  test('is edited without a run once its workflow is gone', async () => {
    const text = aText();
    const { id, handle } = await begun(text);
    await handle.executeUpdate('waitFor', { args: [{ state: 'delivered' }] });
    await handle.terminate('it is not needed any more');
    const edited = await live.call('POST', `/v1/messages/${id}/edits`, { text: 'Hello again' });
    expect(edited).toMatchObject({ status: 200, body: { outcome: 'edited' } });
  });
});

describe('a message through the API', () => {
  test('begins once for repeated and simultaneous requests', async () => {
    const text = aText();
    const key = aKey();
    const responses = await Promise.all([1, 2, 3, 4].map(() => live.call('POST', '/v1/messages', text, key)));

    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const [id, ...otherIds] = new Set(responses.map(({ body }) => body.id as MessageId));
    expect(otherIds).toEqual([]);
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(3);

    const other = { ...text, content: { kind: 'text', text: 'Bye' } };
    expect(await live.call('POST', '/v1/messages', other, key)).toMatchObject(refusal(422, 'IDEMPOTENCY_MISMATCH'));
    await live.call('GET', `/v1/messages/${id}?wait=delivered`);
    expect(live.phoneOf(text.to)).toHaveLength(1);
  });

  test('is found in Temporal by its kind and instance', async () => {
    const { body } = await live.call('POST', '/v1/messages', aText(), aKey());

    const run = await eventually(() => live.client.workflow.getHandle(messageWorkflowId(body.id)).describe());
    expect(run.raw.executionConfig?.userMetadata?.summary?.data?.toString()).toContain('Send a text through main');
    const attributes = run.typedSearchAttributes.getAll().map(({ value }) => value);
    expect(attributes).toEqual(expect.arrayContaining([['main'], 'text']));
  });

  test('is answered from its run when a backend started it and its row is missing', async () => {
    const taskQueue = `${live.taskQueue}-without-worker`;
    const { id } = await createEverpost({ client: live.client, taskQueue }).send(aText());

    const shown = await live.callWithoutWorker('GET', `/v1/messages/${id}`);
    expect(shown).toMatchObject({ status: 200, body: { id, state: 'pending', kind: 'text', edits: [] } });
    // No row and no worker: nothing can be promised.
    expect(await live.callWithoutWorker('POST', `/v1/messages/${id}/cancel`)).toMatchObject({ status: 503 });
    expect(await live.callWithoutWorker('POST', `/v1/messages/${id}/edits`, { text: 'x' })).toMatchObject({
      status: 503,
    });

    await live.client.workflow.getHandle(messageWorkflowId(id)).terminate('by hand');
    expect(await live.callWithoutWorker('GET', `/v1/messages/${id}`)).toMatchObject({
      body: { state: 'cancelled', reason: 'run_ended_before_its_row' },
    });
  });
});

describe('an edit through the API', () => {
  test('is 202 while it waits for the message to be sent, and its result can be read later', async () => {
    const text = aText();
    await live.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
    const { body } = await live.call('POST', '/v1/messages', text, aKey());
    await live.call('GET', `/v1/messages/${body.id}?wait=accepted`);

    const key = aKey();
    const waiting = await live.call('POST', `/v1/messages/${body.id}/edits?timeoutMs=300`, { text: 'New' }, key);
    expect(waiting).toMatchObject({ status: 202, body: { state: 'pending' } });

    await live.control('PATCH', 'instances/1101000001', { state: 'authorized' });
    const edited = await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'New' }, key);
    expect(edited).toMatchObject({ status: 200, body: { id: waiting.body.id, outcome: 'edited' } });
    const shown = await live.call('GET', `${edited.headers.get('location')}?timeoutMs=60000`);
    expect(shown).toMatchObject({ status: 200, body: { outcome: 'edited' } });
    expect(live.phoneOf(text.to)).toMatchObject([{ text: 'New' }]);
  });
});

describe('an operation through the API', () => {
  test('is a job whose result is kept under its key permanently', async () => {
    const key = aKey();
    const begin = (body: object) => live.call('POST', '/v1/operations/getStateInstance?wait', body, key);

    const first = await begin({ instance: 'main' });
    expect(first).toMatchObject({
      status: 200,
      body: { method: 'getStateInstance', state: 'done', result: { stateInstance: 'authorized' } },
    });
    const hash = String(first.body.id).slice('op_'.length);
    const job = await live.client.activity.getHandle(operationActivityId('getStateInstance', hash)).describe();
    expect(job).toMatchObject({ status: 'COMPLETED', activityType: 'getStateInstance' });

    const again = await begin({ instance: 'main' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await live.call('GET', first.headers.get('location') ?? '')).body).toEqual(first.body);
    expect(live.simulator.requests().filter(({ method }) => method === 'getStateInstance')).toHaveLength(1);
  });

  test('refuses another body under its key', async () => {
    const key = aKey();
    const begin = (minutes: number) =>
      live.callWithoutWorker(
        'POST',
        '/v1/operations/getIncomingStories',
        { instance: 'main', request: { minutes } },
        key,
      );

    expect(await begin(5)).toMatchObject({ status: 202, body: { state: 'pending' } });
    expect(await begin(5)).toMatchObject({ status: 202, body: { state: 'pending' } });
    expect(await begin(6)).toMatchObject(refusal(422, 'IDEMPOTENCY_MISMATCH'));
  });

  test("shows the gateway's reason when the gateway rejects it", async () => {
    const body = { instance: 'main', request: { groupId: '79876543210-1581234048@g.us' } };

    expect(await live.call('POST', '/v1/operations/getGroupData?wait', body, aKey())).toMatchObject({
      status: 200,
      body: { state: 'failed', code: 'GATEWAY_REJECTED', text: expect.stringContaining('item-not-found') },
    });
  });

  test('is a message when it sends, and an edit when it edits one', async () => {
    const { to } = aText();
    const operate = (method: string, request: object) =>
      live.call('POST', `/v1/operations/${method}?wait`, { instance: 'main', request }, aKey());

    const sent = await operate('sendMessage', { chatId: `${to}@c.us`, message: 'Hi' });
    expect(sent).toMatchObject({ status: 200, body: { method: 'sendMessage', state: 'done' } });
    const message = await live.call('GET', `/v1/messages/${sent.body.id}?wait=delivered`);
    const { idMessage } = message.body;
    expect(sent.body.result).toEqual({ idMessage });

    const edited = await operate('editMessage', { chatId: `${to}@c.us`, idMessage, message: 'Ho' });
    expect(edited).toMatchObject({ status: 200, body: { state: 'done', result: { idMessage } } });
    expect((await live.call('GET', `/v1/messages/${sent.body.id}`)).body.edits).toMatchObject([{ id: edited.body.id }]);
    expect(live.phoneOf(to)).toMatchObject([{ text: 'Ho' }]);
  });

  test('does not stay unfinished when an operator ends it in the Web UI', async () => {
    const begun = await live.callWithoutWorker('POST', '/v1/operations/getSettings', { instance: 'main' }, aKey());
    expect(begun).toMatchObject({ status: 202, body: { state: 'pending' } });
    const hash = String(begun.body.id).slice('op_'.length);
    await live.client.activity.getHandle(operationActivityId('getSettings', hash)).terminate('by hand');

    expect(await live.call('GET', `/v1/operations/getSettings/${begun.body.id}`)).toMatchObject({
      status: 200,
      body: { state: 'failed', code: 'OPERATION_FAILED' },
    });
  });
});

// Last, since it moves the shared clock.
describe("an edit after its message's run has ended", () => {
  test('needs no new run, and is too late after the edit window', async () => {
    const text = aText();
    const { body } = await live.call('POST', '/v1/messages', text, aKey());
    await live.call('GET', `/v1/messages/${body.id}?wait=delivered`);
    // The run of a message may begin after the message was delivered.
    await eventually(() => live.client.workflow.getHandle(messageWorkflowId(body.id)).terminate('by hand'));

    const edited = await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'In time' });
    expect(edited).toMatchObject({ status: 200, body: { outcome: 'edited' } });
    expect(live.phoneOf(text.to)).toMatchObject([{ text: 'In time' }]);

    live.advance(16 * 60_000);
    const late = await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'Too late' });
    expect(late).toMatchObject({ status: 200, body: { outcome: 'too_late' } });
  });
});
