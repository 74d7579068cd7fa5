import type { z } from 'zod';
import type { OperationName } from '../../contract/index.js';
import type { OperationContract } from '../operation-contract.js';
import { createTemplate, getTemplateById, getTemplates, sendTemplate } from './templates.js';
import { deleteNotification, receiveNotification } from './notifications.js';
import { editMessage } from './edit-message.js';
import { forwardMessages } from './forward-messages.js';
import { getGroupData, getSettings, getStateInstance, setSettings } from './account.js';
import { getIncomingStories, getMessage, lastOutgoingMessages, readChat, showMessagesQueue } from './chats.js';
import { sendContact } from './send-contact.js';
import { sendFileByUrl } from './send-file-by-url.js';
import { sendLocation } from './send-location.js';
import { sendMessage } from './send-message.js';
import { sendPoll } from './send-poll.js';
import { sendTextStatus } from './send-text-status.js';
import { sendTyping } from './send-typing.js';
import { uploadFile } from './upload-file.js';

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
