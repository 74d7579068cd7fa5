import { randomUUID } from 'node:crypto';
import { AppError, type OperationName } from '../../contract/index.js';
import type { ChangeBell } from '../change-bell.js';
import { hasEnded } from '../operation-response.js';
import type { Operations } from '../operations.js';
import { waitUntil, type WaitUntil } from '../wait-until.js';

export type AskGateway = <Result>(
  method: OperationName,
  instance: string,
  request: Readonly<Record<string, unknown>>,
  wait: Pick<WaitUntil<unknown>, 'timeoutMs' | 'signal'>,
) => Promise<Result>;

/**
 * Asks an instance something through the operations, as everything that goes to the gateway does: a worker asks, with
 * the account's rate gates and retries.
 * @throws AppError OPERATION_FAILED when the gateway refuses, with its words | GATEWAY_UNREACHABLE without a response
 *   in time
 */
export function askGatewayWith({ operations, bell }: { operations: Operations; bell: ChangeBell }): AskGateway {
  return async <Result>(...[method, instance, request, wait]: Parameters<AskGateway>): Promise<Result> => {
    const { operation } = await operations.begin(
      method,
      { instance, request },
      { key: randomUUID(), witness: 'everpost' },
      wait,
    );
    const { id } = operation;
    const asked = await waitUntil(bell, { ...wait, id, read: () => operations.find(method, id), isDone: hasEnded });
    if (asked.state === 'done') return asked.result as Result;
    if (hasEnded(asked)) {
      const { code = asked.state, text } = asked;
      const words = text === undefined ? {} : { gatewayText: text };
      throw new AppError(
        'OPERATION_FAILED',
        `${method} of instance ${instance} failed: ${code}. See operation ${id}.`,
        words,
      );
    }
    throw new AppError(
      'GATEWAY_UNREACHABLE',
      `${method} of instance ${instance} had no response in time: no worker runs, or the gateway is away. Ask again; GET /v1/operations/${method}/${id} shows what it waits for.`,
    );
  };
}
