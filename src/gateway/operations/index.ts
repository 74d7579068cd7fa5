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
  deleteNotification,
  receiveNotification,
  getGroupData,
  getSettings,
  getStateInstance,
  setSettings,
} from './account.js';
import { getIncomingStories, getMessage, lastOutgoingMessages, readChat, showMessagesQueue } from './chats.js';

/**
 * The contract of every operation: request and answer as zod schemas, its rate, its place in the path and its marks.
 * The HTTP API's schema and the CLI's help are made from it.
 */
export const operationContracts = {
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

/** One contract without its precise types, for code that treats all operations alike. */
export function contractOf(name: OperationName): OperationContract {
  return operationContracts[name];
}
