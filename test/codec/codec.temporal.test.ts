/** Runs that another client encrypted with its own key. */
import { randomUUID } from 'node:crypto';
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import { expect, onTestFinished } from 'vitest';
import { dataConverter } from '../../src/codec/index.js';
import {
  messageWorkflowId,
  parseEncryptionKeys,
  type EncryptionKeys,
  MESSAGE_WAIT_FOR_UPDATE,
  WORKFLOW,
} from '../../src/contract/index.js';
import { createEverpost } from '../../src/index.js';
import { messageRuns, messageId } from '../../src/starter/index.js';
import { test, type TemporalForTests } from '../support/temporal/temporal.js';
import { aLiveApi } from '../api/live-api.js';

const OURS = parseEncryptionKeys(`ours:${Buffer.alloc(32, 1).toString('base64')}`);
const THEIRS = parseEncryptionKeys(`theirs:${Buffer.alloc(32, 2).toString('base64')}`);

function clientWith({ connection, namespace }: TemporalForTests, keys: EncryptionKeys): Client {
  return new Client({ connection, namespace, dataConverter: dataConverter(keys) });
}

test('messages of foreign-encrypted runs are found and swept, without reading the encrypted payloads', async ({
  temporal,
  taskQueue,
}) => {
  const id = messageId('main', randomUUID());
  const theirs = await clientWith(temporal, THEIRS).workflow.start('message', {
    workflowId: messageWorkflowId(id),
    taskQueue,
    args: [{ id }],
    memo: { note: 'theirs' },
  });
  const { lastRun } = messageRuns({ client: clientWith(temporal, OURS), taskQueue });

  expect(await lastRun({ id })).toBe('running');
  await theirs.terminate();
  expect(await lastRun({ id })).toBe('terminated');
});

test('a second start of a foreign-encrypted run under the same key names the missing key', async ({
  temporal,
  taskQueue,
}) => {
  const request = {
    instance: 'main',
    to: '15550001111',
    content: { kind: 'text', text: 'Hello' },
    key: randomUUID(),
  } as const;
  const { id } = await createEverpost({ client: clientWith(temporal, THEIRS), taskQueue }).send(request);
  onTestFinished(async () => {
    await temporal.client.workflow.getHandle(messageWorkflowId(id)).terminate();
  });

  const again = createEverpost({ client: clientWith(temporal, OURS), taskQueue }).send(request);
  await expect(again).rejects.toMatchObject({
    code: 'ENCRYPTION_KEY_MISSING',
    message: expect.stringContaining('key theirs'),
  });
});

/** With encryption keys the text of a failure reaches every waiting caller. */

test('a refused message fails an update that came with its start, and its own caller', async ({
  temporal,
  taskQueue,
}) => {
  const encryption = parseEncryptionKeys(`a:${Buffer.alloc(32, 1).toString('base64')}`);
  const live = await aLiveApi(temporal, taskQueue, { encryption });
  try {
    const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOW.message, {
      workflowId: `refused-${randomUUID()}`,
      taskQueue,
      args: [{ instance: 'main', to: '12', content: { kind: 'text', text: 'Hello' }, key: randomUUID() }],
      workflowIdConflictPolicy: 'FAIL',
    });
    const options = { args: [{ state: 'accepted' }], startWorkflowOperation };
    const waited = live.client.workflow.executeUpdateWithStart(MESSAGE_WAIT_FOR_UPDATE, options);
    const reason = { cause: { type: 'INPUT_INVALID', message: expect.stringContaining('The message is refused') } };

    await expect(waited).rejects.toMatchObject(reason);
    const handle = await startWorkflowOperation.workflowHandle();
    await expect(handle.result()).rejects.toMatchObject(reason);
  } finally {
    await live.close();
  }
});
