import { randomUUID } from 'node:crypto';
import { AppError, present } from '../../contract/index.js';
import type { AskGateway, RouteDependencies } from '../http/route-dependencies.js';
import { beginOperation, findOperation, hasEnded } from '../operations.js';
import { waitUntil } from '../wait-until.js';

/**
 * Queries an instance through an operation: a worker sends the request, with the account's rate limits and retries.
 * @throws AppError OPERATION_FAILED with the gateway's text when it rejects the request | GATEWAY_UNREACHABLE without a
 *   response in time
 */
export async function askByOperation<Result>(
  dependencies: RouteDependencies,
  ...[method, instance, request, wait]: Parameters<AskGateway>
): Promise<Result> {
  const asked = { key: randomUUID(), witness: 'everpost' };
  const { operation } = await beginOperation(dependencies, method, { instance, request }, asked, wait);
  const { id } = operation;
  const read = () => findOperation(dependencies, method, id);
  const answered = await waitUntil(dependencies.bell, { ...wait, id, read, isDone: hasEnded });
  if (answered.state === 'done') return answered.result as Result;
  if (hasEnded(answered)) {
    const { code = answered.state, text } = answered;
    throw new AppError(
      'OPERATION_FAILED',
      `${method} of instance ${instance} failed: ${code}. Show the operation: GET /v1/operations/${method}/${id}`,
      present({ gatewayText: text }),
    );
  }
  throw new AppError(
    'GATEWAY_UNREACHABLE',
    `${method} of instance ${instance} got no response in time: no worker runs, or the gateway is unreachable. Show why it waits: GET /v1/operations/${method}/${id}. Then retry.`,
  );
}
