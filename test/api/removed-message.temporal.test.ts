import { expect } from 'vitest';
import { messageWorkflowId } from '../../src/contract/index.js';
import { eventually } from '../support/eventually.js';
import { test } from '../support/temporal/temporal.js';
import { aLiveApi } from './live-api.js';

test('a message that was deleted for its age is not found, although Temporal still has its run', async ({
  temporal,
  taskQueue,
}) => {
  const live = await aLiveApi(temporal, taskQueue);
  await live.simulator.pauseListening();
  const { body } = await live.call('POST', '/v1/messages', {
    instance: 'main',
    to: '15551234567',
    content: { kind: 'text', text: 'Hello' },
  });
  await eventually(() => live.client.workflow.getHandle(messageWorkflowId(body.id)).describe());
  await live.call('POST', `/v1/messages/${body.id}/cancel`);
  await live.simulator.resumeListening();
  expect(await live.client.workflow.getHandle(messageWorkflowId(body.id)).result()).toMatchObject({
    state: 'cancelled',
  });

  await eventually(async () => {
    const inAYear = { nowMs: Date.now() + 366 * 86_400_000, keptSinceMs: Date.now() + 86_400_000 };
    expect((await live.ledger.retention.removeMessages(inAYear)).messages).toBeGreaterThan(0);
  });
  expect(await live.call('GET', `/v1/messages/${body.id}`)).toMatchObject({
    status: 404,
    body: { code: 'MESSAGE_NOT_FOUND' },
  });
  await live.close();
});
