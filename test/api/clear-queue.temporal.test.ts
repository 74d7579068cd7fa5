/** An operator clears the queue of an account: the command, the job, the messages and their runs. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { messageWorkflowId, type MessageId } from '../../src/contract/index.js';
import { everpost } from '../cli/fake-terminal.js';
import { eventually } from '../support/eventually.js';
import { test } from '../support/temporal/temporal.js';
import { aLiveApi, type LiveApi } from './live-api.js';

let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `clear-queue-${randomUUID()}`);
});
test.afterAll(() => live.close());

const clear = (more: readonly string[], answer?: string) =>
  everpost(['operation', 'run', 'clearMessagesQueue', '--instance', 'main', ...more], {
    env: { EVERPOST_API_URL: live.url },
    ...(answer === undefined ? {} : { answer }),
  });
const requests = () => live.simulator.requests().filter(({ method }) => method === 'clearMessagesQueue').length;

async function accepted(count: number): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  for (let one = 0; one < count; one += 1) {
    const body = { instance: 'main', to: `1555000500${one}`, content: { kind: 'text', text: 'Hello' } };
    const { body: message } = await live.call('POST', '/v1/messages', body, { 'Idempotency-Key': randomUUID() });
    await live.call('GET', `/v1/messages/${message.id}?wait=accepted&timeoutMs=60000`);
    ids.push(message.id as MessageId);
  }
  return ids;
}

const show = async (id: MessageId) => (await live.call('GET', `/v1/messages/${id}`)).body;

test('a queue is cleared once an operator confirms it, and the runs of its messages show what became of them', async () => {
  const settings = { delaySendMessagesMilliseconds: 600_000 };
  await live.control('PATCH', 'instances/1101000001', { settings });
  const [first, head, ...others] = await accepted(6);
  await live.call('GET', `/v1/messages/${first}?wait=delivered&timeoutMs=60000`);

  expect(await clear([])).toMatchObject({ exitCode: 2, err: [expect.stringContaining('--instance main --yes')] });
  expect(await clear([], 'n')).toMatchObject({ exitCode: 2 });
  expect(requests()).toBe(0);
  const { exitCode, out } = await clear(['--key', `clear-${randomUUID()}`], 'y');
  expect(exitCode).toBe(0);
  expect(JSON.parse(out.join('\n'))).toEqual({ isCleared: true });
  expect(requests()).toBe(1);

  expect(await show(first!)).toMatchObject({ state: 'delivered' });
  expect(await show(head!)).toMatchObject({ state: 'unresolved', reason: 'QUEUE_CLEARED' });
  const last = others.at(-1)!;
  expect(await show(last)).toMatchObject({ state: 'cancelled', reason: 'QUEUE_CLEARED' });
  const run = (id: MessageId) => live.client.workflow.getHandle(messageWorkflowId(id));
  expect(await run(last).result()).toMatchObject({ state: 'cancelled', reason: 'QUEUE_CLEARED' });
  await eventually(async () =>
    expect((await run(head!).describe()).searchAttributes['EverpostState']).toEqual(['unresolved']),
  );

  const resolved = ['message', 'resolve', head!, '--as', 'accepted'];
  expect(await everpost(resolved, { env: { EVERPOST_API_URL: live.url } })).toMatchObject({ exitCode: 0 });
  expect(await show(head!)).toMatchObject({ state: 'sent' });
  expect(await run(head!).result()).toMatchObject({ state: 'sent', reason: 'resolved_by_operator' });
});
