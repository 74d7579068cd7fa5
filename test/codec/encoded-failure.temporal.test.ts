/** With encryption keys, the words of a failure reach everyone who waits for it. */
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { expect } from 'vitest';
import { MESSAGE_WAIT_FOR_UPDATE, WORKFLOW, parseEncryptionKeys } from '../../src/contract/index.js';
import { aLiveApi } from '../starter/live-api.js';
import { test } from '../support/temporal.js';

test('a refused message tells the same to a wait that came with its start as to its own caller', async ({
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
