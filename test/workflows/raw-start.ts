/** Workflows started with any JSON, as docs/contract.md promises them, and what such a start brings. */
import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'vitest';
import type { z } from 'zod';
import { failureDetailsSchema } from '../../src/contract/workflow-schemas.js';
import type { Place, World } from './world.js';

export const ALICE = '15550000001';
export const HELLO = { instance: 'main', to: ALICE, content: { kind: 'text', text: 'Hello' } as const };

/** Starts the workflow `message` with any value, under an id of the caller's. */
export function start(place: Place, input: unknown, workflowId = `order-${randomUUID()}`, type = 'message') {
  const { client } = place.temporal;
  return client.workflow.start(type, { taskQueue: place.taskQueue, workflowId, args: [input] });
}

/** The failure of a run. */
export async function failureOf(
  handle: WorkflowHandle,
): Promise<{ type: string; message: string; details: z.output<typeof failureDetailsSchema> }> {
  const error: unknown = await handle.result().catch((reason: unknown) => reason);
  const cause = error instanceof WorkflowFailedError ? error.cause : error;
  if (!(cause instanceof ApplicationFailure)) throw new Error('The run did not fail by itself.', { cause });
  expect(cause.nonRetryable).toBe(true);
  return {
    type: cause.type ?? '',
    message: cause.message,
    details: failureDetailsSchema.parse(cause.details?.[0]),
  };
}

export async function pathsOf(handle: WorkflowHandle): Promise<string[]> {
  const { type, message, details } = await failureOf(handle);
  expect(type).toBe('INPUT_INVALID');
  const problems = details.problems ?? [];
  for (const problem of problems) expect(message).toContain(problem.message);
  return problems.map(({ path }) => path).toSorted();
}

export function waitFor(handle: WorkflowHandle, state: string, timeoutMs?: number) {
  return handle.executeUpdate('waitFor', { args: [{ state, ...(timeoutMs === undefined ? {} : { timeoutMs }) }] });
}

export function posts(world: World): number {
  return world.simulator.requests().filter(({ method }) => method === 'sendMessage').length;
}
