import type { Context } from 'hono';
import { z } from 'zod';
import { OPERATIONS } from '../../../contract/index.js';
import { operationRequestSchema } from '../../../contract/schemas.js';
import {
  type OperationResponse,
  beginOperation,
  findOperation,
  hasEnded,
  knownOperation,
  operationSchema,
} from '../../operations.js';
import { assertScope } from '../../access.js';
import { reply, route, waitMs } from '../../route.js';
import type { RouteDependencies } from '../../route-dependencies.js';

const query = z.strictObject({
  wait: z
    .enum(['', 'true', 'end'])
    .transform(() => true)
    .optional()
    .describe('Wait until the operation has ended. After `timeoutMs` the response shows its current state'),
  timeoutMs: waitMs(),
});

export const OPERATION_ROUTES = {
  beginOperation: route('POST /v1/operations/{method}', {
    access: ['send', 'named'],
    summary: 'Run a gateway operation as a durable job',
    description:
      'Sends become messages, and an edit of an everpost message becomes its edit. Other operations are retried for days if a repetition is safe, and otherwise sent at most once. An operation that shows texts, numbers or the state of the account also requires the scope read; clearMessagesQueue, reboot, setSettings, receiveNotification and deleteNotification require admin.',
    query,
    body: operationRequestSchema,
    takesKey: true,
    responses: {
      200: { description: 'The operation has ended', schema: operationSchema },
      202: { description: 'The operation has begun', schema: operationSchema },
    },
    problems: ['OPERATION_NOT_FOUND', 'INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params: { method }, query: { wait, timeoutMs }, body, key, caller, trace, c }, dependencies) {
      for (const scope of OPERATIONS[knownOperation(method)].scopes) assertScope(caller, scope);
      const { witness } = caller;
      const { operation: begun, isReplay } = await dependencies.waiting.held(
        c,
        wait === true ? timeoutMs : 0,
        (waitForEdit) => beginOperation(dependencies, method, body, { key, witness, trace }, waitForEdit),
      );
      const operation = wait === true ? await ended(c, begun, timeoutMs, dependencies) : begun;
      const location = `/v1/operations/${method}/${operation.id}`;
      return reply(hasEnded(operation) ? 200 : 202, operation, { location, isReplay });
    },
  }),
  getOperation: route('GET /v1/operations/{method}/{id}', {
    access: ['read', 'operation'],
    summary: 'Retrieve an operation',
    query,
    responses: { 200: { description: 'The operation', schema: operationSchema } },
    problems: ['OPERATION_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params: { method, id }, query: { wait, timeoutMs }, c }, dependencies) {
      const found = await findOperation(dependencies, method, id);
      return reply(200, wait === true ? await ended(c, found, timeoutMs, dependencies) : found);
    },
  }),
} as const;

async function ended(
  c: Context,
  operation: OperationResponse,
  timeoutMs: number,
  dependencies: RouteDependencies,
): Promise<OperationResponse> {
  const { id, method } = operation;
  if (hasEnded(operation)) return operation;
  return dependencies.waiting.until(c, {
    id,
    reads: 'operation',
    read: () => findOperation(dependencies, method, id),
    isDone: hasEnded,
    timeoutMs,
  });
}
