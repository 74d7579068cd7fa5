import { AppError, type InstanceConfig, type OperationName } from '../contract/index.js';
import { contractOf } from './operations/index.js';

export function offersOperation({ capabilities }: InstanceConfig, name: OperationName): boolean {
  return capabilities === undefined || capabilities.includes(name);
}

/** @throws AppError INPUT_INVALID when the instance's `capabilities` do not list the operation */
export function allowOperation(instance: InstanceConfig, name: OperationName): void {
  if (offersOperation(instance, name)) return;
  throw new AppError(
    'INPUT_INVALID',
    `Instance ${instance.name} does not have ${name}: its capabilities do not list it. Use another instance or add it to the instances file.`,
  );
}

/**
 * A safety catch for staging: an instance with `allowedRecipients` reaches only the listed chats.
 * @throws AppError INPUT_INVALID, without the chat id
 */
export function allowRecipients(instance: InstanceConfig, name: OperationName, request: unknown): void {
  const { allowedRecipients } = instance;
  const reached = contractOf(name).reaches?.(request);
  if (allowedRecipients === undefined || reached === undefined) return;
  if (reached !== 'everyone' && reached.every((chat) => allowedRecipients.includes(chat))) return;
  throw new AppError(
    'INPUT_INVALID',
    `${name} was not sent: the safety catch allowedRecipients of instance ${instance.name} does not list ${reached === 'everyone' ? 'all contacts' : 'this chat'}. Add it to allowedRecipients in the instances file, or write to a listed chat.`,
  );
}
