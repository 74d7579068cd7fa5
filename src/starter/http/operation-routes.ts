import type { Context, Hono } from 'hono';
import { hasEnded, type OperationResponse } from '../operation-response.js';
import type { Operations } from '../operations.js';
import { ENDPOINTS } from './endpoints.js';
import { markReplay } from './message-routes.js';
import { readIdempotencyKey, readJson, readQuery } from './read-request.js';
import { pathPart, route } from './router.js';
import type { Waiting } from './waiting.js';

export function operationRoutes(
  app: Hono,
  { operations, waiting }: { operations: Operations; waiting: Waiting },
): void {
  route(app, ENDPOINTS.beginOperation, async (c) => {
    const method = pathPart(c, 'method');
    const { wait, timeoutMs } = readQuery(c, ENDPOINTS.beginOperation.query);
    const key = readIdempotencyKey(c);
    const waitForEdit = { timeoutMs: wait === true ? timeoutMs : 0, signal: waiting.signalOf(c) };
    const body = await readJson(c);
    const { operation: begun, isReplay } = await waiting.held(waitForEdit.timeoutMs, () =>
      operations.begin(method, body, key, waitForEdit),
    );
    const operation = wait === true ? await ended(c, begun, timeoutMs) : begun;
    c.header('Location', `/v1/operations/${method}/${operation.id}`);
    markReplay(c, isReplay);
    return c.json(operation, hasEnded(operation) ? 200 : 202);
  });

  route(app, ENDPOINTS.getOperation, async (c) => {
    const { wait, timeoutMs } = readQuery(c, ENDPOINTS.getOperation.query);
    const found = await operations.find(pathPart(c, 'method'), pathPart(c, 'id'));
    return c.json(wait === true ? await ended(c, found, timeoutMs) : found);
  });

  async function ended(c: Context, operation: OperationResponse, timeoutMs: number): Promise<OperationResponse> {
    if (hasEnded(operation)) return operation;
    return waiting.until(c, {
      id: operation.id,
      reads: 'operation',
      read: () => operations.find(operation.method, operation.id),
      isDone: hasEnded,
      timeoutMs,
    });
  }
}
