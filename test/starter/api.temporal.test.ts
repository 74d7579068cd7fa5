import { describe, expect } from 'vitest';
import { messageWorkflowId, operationActivityId, type MessageId } from '../../src/contract/index.js';
import { test as base } from '../support/temporal.js';
import { aLiveApi } from './live-api.js';

const test = base.extend('live', async ({ temporal, taskQueue }, { onCleanup }) => {
  const live = await aLiveApi(temporal, taskQueue);
  onCleanup(() => live.close());
  return live;
});

const HELLO = { instance: 'main', to: '+1 555 000 0001', content: { kind: 'text', text: 'Hello' } };

/** Keys make ids, and all tests share a server: each key is used by one test of one run. */
let keys = 0;
const aKey = (): Record<string, string> => ({ 'Idempotency-Key': `${process.pid}-${Date.now()}-${++keys}` });

describe('a message through the API', () => {
  test('is sent, delivered and edited, and the phone shows the new text', async ({ live }) => {
    await live.withWorker(async () => {
      const begun = await live.call('POST', '/v1/messages', HELLO, aKey());
      expect(begun).toMatchObject({ status: 202, body: { state: 'planned', instance: 'main', kind: 'text' } });
      const { id } = begun.body;

      const sent = await live.call('GET', `/v1/messages/${id}?wait=end&timeoutMs=20000`);
      expect(sent).toMatchObject({ status: 200, body: { id, state: 'delivered', chatId: '15550000001@c.us' } });

      const edited = await live.call('POST', `/v1/messages/${id}/edits`, { text: 'Hello again' });
      expect(edited).toMatchObject({ status: 200, body: { messageId: id, outcome: 'edited' } });
      expect(edited.body.idMessageGiven).toBe(sent.body.idMessage);
      expect(live.simulator.delivered()).toMatchObject([{ text: 'Hello again' }]);

      const shown = await live.call('GET', edited.headers.get('location') ?? '');
      expect(shown).toMatchObject({ status: 200, body: { id: edited.body.id, outcome: 'edited' } });
    });
  });

  test('is begun once however often it is asked for, also at the same time', async ({ live, temporal }) => {
    const key = aKey();
    const answers = await Promise.all([1, 2, 3, 4].map(() => live.call('POST', '/v1/messages', HELLO, key)));

    const ids = new Set(answers.map(({ body }) => String(body.id)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(ids.size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(3);

    const other = { ...HELLO, content: { kind: 'text', text: 'Bye' } };
    expect(await live.call('POST', '/v1/messages', other, key)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_MISMATCH' },
    });
    await live.withWorker(async () => {
      await live.call('GET', `/v1/messages/${answers[0]?.body.id}?wait=sent`);
      expect(live.simulator.delivered()).toHaveLength(1);
    });
    const [id] = ids;
    const run = await temporal.client.workflow.getHandle(messageWorkflowId(id as MessageId)).describe();
    expect(run.typedSearchAttributes.getAll().map(({ value }) => value)).toEqual(
      expect.arrayContaining(['main', 'text']),
    );
    expect(JSON.stringify([run.memo, run.staticSummary ?? null])).not.toMatch(/1555|Hello/);
  });

  test('is answered from its run before its row is there, and cancelled by its row when no worker is', async ({
    live,
  }) => {
    const { body } = await live.call('POST', '/v1/messages', HELLO, aKey());

    const shown = await live.call('GET', `/v1/messages/${body.id}`);
    expect(shown).toMatchObject({ status: 200, body: { id: body.id, state: 'planned', kind: 'text', edits: [] } });

    // No row and no worker: nobody can promise anything.
    expect(await live.call('POST', `/v1/messages/${body.id}/cancel`)).toMatchObject({ status: 503 });

    await live.withWorker(async () => {
      await live.simulator.pauseListening();
      expect(await live.call('POST', `/v1/messages/${body.id}/cancel`)).toMatchObject({
        body: { state: expect.any(String) },
      });
    });
  });

  test('that was cancelled in time never leaves', async ({ live }) => {
    await live.withWorker(async () => {
      await live.simulator.pauseListening();
      const { body } = await live.call('POST', '/v1/messages', HELLO, aKey());

      const cancelled = await live.call('POST', `/v1/messages/${body.id}/cancel`);
      expect(cancelled).toMatchObject({ status: 200, body: { cancelled: true, state: 'cancelled' } });
      expect(await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'New' })).toMatchObject({
        status: 409,
        body: { code: 'EDIT_NOT_POSSIBLE' },
      });
      await live.simulator.resumeListening();
    });
    expect(live.simulator.delivered()).toEqual([]);
  });

  test('that nobody knows is 404, to read, edit and cancel', async ({ live }) => {
    const path = `/v1/messages/msg_${'0'.repeat(40)}`;

    for (const answer of [
      await live.call('GET', path),
      await live.call('POST', `${path}/edits`, { text: 'x' }),
      await live.call('POST', `${path}/cancel`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'MESSAGE_UNKNOWN' } });
    }
  });
});

describe('an edit through the API', () => {
  test('of a message that has not left replaces its text', async ({ live }) => {
    await live.withWorker(async () => {
      await live.simulator.pauseListening();
      const { body } = await live.call('POST', '/v1/messages', HELLO, aKey());

      const edited = await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'Better' });
      expect(edited).toMatchObject({ status: 200, body: { outcome: 'edited', via: 'before_send' } });

      await live.simulator.resumeListening();
      await live.call('GET', `/v1/messages/${body.id}?wait=delivered`);
      expect(live.simulator.delivered()).toMatchObject([{ text: 'Better' }]);
    });
  });

  test('that still waits for the message to be sent is 202, and can be asked for again', async ({ live }) => {
    await live.withWorker(async () => {
      await live.simulator.advance(0);
      await fetch(`${live.simulator.url}/_sim/instances/1101000001`, {
        method: 'PATCH',
        body: JSON.stringify({ state: 'notAuthorized' }),
      });
      const { body } = await live.call('POST', '/v1/messages', HELLO, aKey());
      await live.call('GET', `/v1/messages/${body.id}?wait=accepted`);

      const key = aKey();
      const waiting = await live.call('POST', `/v1/messages/${body.id}/edits?timeoutMs=300`, { text: 'New' }, key);
      expect(waiting).toMatchObject({ status: 202, body: { state: 'waiting' } });

      await fetch(`${live.simulator.url}/_sim/instances/1101000001`, {
        method: 'PATCH',
        body: JSON.stringify({ state: 'authorized' }),
      });
      const edited = await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'New' }, key);
      expect(edited).toMatchObject({ status: 200, body: { id: waiting.body.id, outcome: 'edited' } });
      expect(live.simulator.delivered()).toMatchObject([{ text: 'New' }]);
    });
  });

  test('of a file is refused, as its text is none', async ({ live }) => {
    await live.withWorker(async () => {
      const content = { kind: 'file', url: 'https://example.com/a.png', fileName: 'a.png' };
      const { body } = await live.call('POST', '/v1/messages', { ...HELLO, content }, aKey());

      expect(await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'x' })).toMatchObject({
        status: 409,
        body: { code: 'EDIT_NOT_TEXT' },
      });
    });
  });

  test('after its run has ended is answered by a new run while the window is open, by the row afterwards', async ({
    live,
    temporal,
  }) => {
    await live.withWorker(async () => {
      const { body } = await live.call('POST', '/v1/messages', HELLO, aKey());
      await live.call('GET', `/v1/messages/${body.id}?wait=delivered`);
      await temporal.client.workflow.getHandle(messageWorkflowId(body.id)).terminate('by hand');

      const edited = await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'In time' });
      expect(edited).toMatchObject({ status: 200, body: { outcome: 'edited' } });
      expect(live.simulator.delivered()).toMatchObject([{ text: 'In time' }]);

      await temporal.client.workflow.getHandle(messageWorkflowId(body.id)).terminate('by hand');
      live.advance(16 * 60_000);
      const late = await live.call('POST', `/v1/messages/${body.id}/edits`, { text: 'Too late' });
      expect(late).toMatchObject({ status: 200, body: { outcome: 'too_late' } });
    });
  });
});

describe('an operation through the API', () => {
  test('is a job whose result is kept under its key for ever', async ({ live, temporal }) => {
    const key = aKey();
    await live.withWorker(async () => {
      const first = await live.call('POST', '/v1/operations/getStateInstance?wait', { instance: 'main' }, key);
      expect(first).toMatchObject({
        status: 200,
        body: { method: 'getStateInstance', state: 'done', result: { stateInstance: 'authorized' } },
      });
      const hash = String(first.body.id).slice('op_'.length);
      const job = await temporal.client.activity.getHandle(operationActivityId('getStateInstance', hash)).describe();
      expect(job).toMatchObject({ status: 'COMPLETED', activityType: 'getStateInstance' });

      const again = await live.call('POST', '/v1/operations/getStateInstance?wait', { instance: 'main' }, key);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(live.simulator.requests().filter(({ method }) => method === 'getStateInstance')).toHaveLength(1);

      const shown = await live.call('GET', first.headers.get('location') ?? '');
      expect(shown.body).toEqual(first.body);
    });
    const other = { instance: 'main', request: { minutes: 5 } };
    expect(await live.call('POST', '/v1/operations/getIncomingStories', other, key)).toMatchObject({ status: 202 });
  });

  test('that the gateway refuses says so in its words', async ({ live }) => {
    await live.withWorker(async () => {
      const body = { instance: 'main', request: { groupId: '79876543210-1581234048@g.us' } };

      const answer = await live.call('POST', '/v1/operations/getGroupData?wait', body, aKey());
      expect(answer).toMatchObject({
        status: 200,
        body: { state: 'failed', code: 'GATEWAY_REJECTED', text: expect.stringContaining('item-not-found') },
      });
    });
  });

  test('that sends is a message, done when the gateway accepted it', async ({ live }) => {
    await live.withWorker(async () => {
      const body = { instance: 'main', request: { chatId: '15550000001@c.us', message: 'Hi' } };

      const sent = await live.call('POST', '/v1/operations/sendMessage?wait', body, aKey());
      expect(sent).toMatchObject({ status: 200, body: { method: 'sendMessage', state: 'done' } });
      const message = await live.call('GET', `/v1/messages/${sent.body.id}?wait=delivered`);
      expect(message.body).toMatchObject({ state: 'delivered', idMessage: sent.body.result.idMessage });

      const edit = { chatId: '15550000001@c.us', idMessage: message.body.idMessage, message: 'Ho' };
      const edited = await live.call(
        'POST',
        '/v1/operations/editMessage?wait',
        { instance: 'main', request: edit },
        aKey(),
      );
      expect(edited).toMatchObject({ status: 200, body: { state: 'done' } });
      expect(edited.body.id).toMatch(/^edt_/);
      expect(live.simulator.delivered()).toMatchObject([{ text: 'Ho' }]);
    });
  });

  test('that somebody ended in the Web UI is not left open', async ({ live, temporal }) => {
    const begun = await live.call('POST', '/v1/operations/getSettings', { instance: 'main' }, aKey());
    expect(begun).toMatchObject({ status: 202, body: { state: 'open' } });
    const hash = String(begun.body.id).slice('op_'.length);
    await temporal.client.activity.getHandle(operationActivityId('getSettings', hash)).terminate('by hand');

    expect(await live.call('GET', `/v1/operations/getSettings/${begun.body.id}`)).toMatchObject({
      status: 200,
      body: { state: 'failed', code: 'OPERATION_FAILED' },
    });
  });
});

describe('a notification over HTTP', () => {
  test('needs the instance token, and answers 200 with nothing', async ({ live }) => {
    const body = { typeWebhook: 'stateInstanceChanged' };

    expect(await live.call('POST', '/webhooks/main', body)).toMatchObject({
      status: 401,
      body: { code: 'WEBHOOK_UNVERIFIED' },
    });
    expect(await live.call('POST', '/webhooks/nowhere', body)).toMatchObject({ status: 404 });
    expect(await live.call('POST', '/webhooks/main', body, { Authorization: 'Bearer hook-token' })).toMatchObject({
      status: 200,
      body: undefined,
    });
    expect(await live.call('GET', '/readyz')).toMatchObject({ status: 200 });
  });
});
