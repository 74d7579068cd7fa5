/** Runs that another client encrypted with a key of its own. */
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { expect, onTestFinished } from 'vitest';
import { dataConverter } from '../../src/codec/index.js';
import { messageWorkflowId, parseEncryptionKeys, type EncryptionKeys } from '../../src/contract/index.js';
import { createEverpost } from '../../src/index.js';
import { createMessageDrivers, messageId } from '../../src/starter/index.js';
import { test, type TemporalForTests } from '../support/temporal.js';

const OURS = parseEncryptionKeys(`ours:${Buffer.alloc(32, 1).toString('base64')}`);
const THEIRS = parseEncryptionKeys(`theirs:${Buffer.alloc(32, 2).toString('base64')}`);

function clientWith({ connection, namespace }: TemporalForTests, keys: EncryptionKeys): Client {
  return new Client({ connection, namespace, dataConverter: dataConverter(keys) });
}

test('are found, and their messages swept, without reading what was encrypted', async ({ temporal, taskQueue }) => {
  const id = messageId('main', randomUUID());
  const theirs = await clientWith(temporal, THEIRS).workflow.start('message', {
    workflowId: messageWorkflowId(id),
    taskQueue,
    args: [{ id }],
    memo: { note: 'theirs' },
  });
  const { lastRun } = createMessageDrivers({ client: clientWith(temporal, OURS), taskQueue });

  expect(await lastRun({ id })).toBe('running');
  await theirs.terminate();
  expect(await lastRun({ id })).toBe('terminated');
});

test('and a second start under the same key says which key is missing', async ({ temporal, taskQueue }) => {
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
