import { z } from 'zod';
import {
  OPERATION_NAMES,
  templateWorkflowId,
  type OperationName,
  type TemplateState,
  present,
} from '../contract/index.js';
import type { EditView, MessageView, OperationView, TemplateView } from '../ledger/index.js';
import type { FoundEdit } from './edit-message.js';
import type { FoundMessage } from './find-message.js';
import { time, type Shape } from './http/fields.js';

/** An operation as a durable job. `may_have_happened`: a request left and its outcome is unknown. */
export const operationSchema = z
  .object({
    id: z.string(),
    method: z.enum(OPERATION_NAMES),
    instance: z.string().optional(),
    state: z.enum(['pending', 'sending', 'done', 'failed', 'may_have_happened']),
    result: z.unknown().optional().describe("The gateway's response, secret fields removed"),
    code: z.string().optional(),
    text: z.string().optional().describe("The gateway's own words"),
    createdAt: time.optional(),
    endedAt: time.optional(),
  })
  .meta({ id: 'Operation' });

export type OperationResponse = Shape<typeof operationSchema>;

export function hasEnded({ state }: OperationResponse): boolean {
  return state !== 'pending' && state !== 'sending';
}

export function ofRow(method: OperationName, row: OperationView): OperationResponse {
  return { ...row, method };
}

const OF_MESSAGE: Readonly<Record<MessageView['state'], OperationView['state']>> = {
  pending: 'pending',
  sending: 'sending',
  unknown: 'may_have_happened',
  unresolved: 'may_have_happened',
  accepted: 'done',
  sent: 'done',
  delivered: 'done',
  read: 'done',
  rejected: 'failed',
  failed: 'done',
  no_account: 'done',
  expired: 'failed',
  cancelled: 'failed',
  suppressed: 'failed',
};

/** The operation ends with the gateway's acceptance; the message itself has its later states. */
export function ofMessage(method: OperationName, message: FoundMessage): OperationResponse {
  const { id, instance, createdAt, reason } = message;
  const state = OF_MESSAGE[message.state];
  const { idMessage, reasonText, acceptedAt } = 'version' in message ? message : NO_ROW;
  return {
    id,
    method,
    ...present({ instance }),
    state,
    ...(state === 'done' && idMessage !== undefined ? { result: { idMessage } } : {}),
    ...(state === 'failed' || state === 'may_have_happened' ? { code: reason ?? message.state } : {}),
    ...(state === 'failed' && reasonText !== undefined ? { text: reasonText } : {}),
    createdAt,
    ...present({ endedAt: acceptedAt }),
  };
}

const NO_ROW: { readonly idMessage?: string; readonly reasonText?: string; readonly acceptedAt?: string } = {};

const OF_EDIT: Readonly<Record<EditView['state'], OperationView['state']>> = {
  pending: 'pending',
  sending: 'sending',
  posted: 'sending',
  edited: 'done',
  too_late: 'failed',
  refused: 'failed',
  unconfirmed: 'may_have_happened',
  superseded: 'failed',
  not_possible: 'failed',
};

export function ofEdit(edit: FoundEdit): OperationResponse {
  const state = OF_EDIT[edit.state];
  const { id } = edit;
  if (!('text' in edit)) return { id, method: 'editMessage', state };
  const idMessage = edit.idMessageReturned ?? edit.idMessageGiven;
  return {
    id,
    method: 'editMessage',
    state,
    ...(state === 'done' ? { result: { idMessage } } : {}),
    ...(state === 'failed' || state === 'may_have_happened' ? { code: edit.state } : {}),
    ...present({ text: edit.reason }),
    createdAt: edit.requestedAt,
    ...present({ endedAt: edit.endedAt }),
  };
}

const OF_TEMPLATE: Readonly<Record<TemplateState, OperationView['state']>> = {
  pending: 'pending',
  sending: 'sending',
  unknown: 'sending',
  submitted: 'done',
  refused: 'failed',
};

/** The operation ends when the gateway has the template; the template itself has the result of its review. */
export function ofTemplate(template: TemplateView): OperationResponse {
  const { instance, elementName, templateId, status, reason, createdAt, submittedAt } = template;
  const state = OF_TEMPLATE[template.state];
  return {
    id: templateWorkflowId(template),
    method: 'createTemplate',
    instance,
    state,
    ...(state === 'done' ? { result: { template: { elementName, templateId, status, reason } } } : {}),
    ...(state === 'failed' ? { code: 'GATEWAY_REJECTED' } : {}),
    ...(state === 'failed' && reason !== undefined ? { text: reason } : {}),
    createdAt,
    ...present({ endedAt: submittedAt }),
  };
}
