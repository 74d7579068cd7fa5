import type { z } from 'zod';
import type { OperationName } from '../../contract/index.js';
import type { OperationContract } from './operation-contract.js';
import { createTemplate, getTemplateById, getTemplates } from './templates.js';
import {
  editMessage,
  forwardMessages,
  sendContact,
  sendFileByUrl,
  sendLocation,
  sendMessage,
  sendPoll,
  sendTemplate,
  sendTextStatus,
  sendTyping,
  uploadFile,
} from './sends.js';
import {
  clearMessagesQueue,
  deleteNotification,
  reboot,
  receiveNotification,
  getGroupData,
  getSettings,
  getStateInstance,
  setSettings,
} from './account.js';
import { getIncomingStories, getMessage, lastOutgoingMessages, readChat, showMessagesQueue } from './chats.js';

/**
 * The contract of every operation: request and response as zod schemas, its rate and its path. The HTTP API's schema
 * and the CLI's help are generated from it.
 */
export const operationContracts = {
  clearMessagesQueue,
  createTemplate,
  deleteNotification,
  editMessage,
  forwardMessages,
  getGroupData,
  getIncomingStories,
  getMessage,
  getSettings,
  getStateInstance,
  getTemplateById,
  getTemplates,
  lastOutgoingMessages,
  readChat,
  reboot,
  receiveNotification,
  sendContact,
  sendFileByUrl,
  sendLocation,
  sendMessage,
  sendPoll,
  sendTemplate,
  sendTextStatus,
  sendTyping,
  setSettings,
  showMessagesQueue,
  uploadFile,
} as const satisfies Record<OperationName, unknown>;

export type OperationRequest<Name extends OperationName> = z.input<(typeof operationContracts)[Name]['request']>;
export type OperationResponse<Name extends OperationName> = z.output<(typeof operationContracts)[Name]['response']>;

/** A contract without its precise types, for code that handles all operations. */
export function contractOf(name: OperationName): OperationContract {
  return operationContracts[name];
}
