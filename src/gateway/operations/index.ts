import type { z } from 'zod';
import type { OperationName } from '../../contract/index.js';
import type { OperationContract } from './operation-contract.js';
import * as account from './account.js';
import * as chats from './chats.js';
import * as sends from './sends.js';
import * as templates from './templates.js';

/**
 * The contract of every operation: request and response as zod schemas, its rate and its path. The HTTP API's schema
 * and the CLI's help are generated from it.
 */
export const operationContracts = { ...account, ...chats, ...sends, ...templates } as const satisfies Record<
  OperationName,
  unknown
>;

export type OperationRequest<Name extends OperationName> = z.input<(typeof operationContracts)[Name]['request']>;
export type OperationResponse<Name extends OperationName> = z.output<(typeof operationContracts)[Name]['response']>;

/** A contract without its precise types, for code that handles all operations. */
export function contractOf(name: OperationName): OperationContract {
  return operationContracts[name];
}
