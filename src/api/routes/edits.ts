import { SOME_CHAT } from '../../domain/index.js';
import { z } from 'zod';
import { EditState, editUnknown } from '../../contract/index.js';
import { count, editRequestSchema, time } from '../../contract/schemas.js';
import { editMessage, editHasEnded, type FoundEdit } from '../existing-message.js';
import { editId, isEditId, withPaths } from '../../starter/index.js';
import { reply, route, type ReplyHeaders, waitMs } from '../route.js';
import { foundMessageId } from '../access.js';

export const editFields = {
  id: z.string().describe('Id of the edit'),
  state: z.enum(Object.values(EditState)),
  via: z
    .enum(['before_send', 'gateway'])
    .optional()
    .describe(
      '`before_send`: the text was replaced before the message was posted. `gateway`: the sent message was edited',
    ),
  text: z.string().optional().describe('The complete new text. Of a sensitive message: `••••`'),
  textLength: count.optional().describe('Characters of a text that is not shown'),
  requestedAt: time.optional().describe('When the edit was requested'),
  postedAt: time.optional().describe('When the gateway accepted the edit'),
  endedAt: time.optional().describe('When the edit reached an end state'),
  idMessageGiven: z.string().optional().describe("The gateway's id of the edited message"),
  idMessageReturned: z.string().optional().describe("The id in the gateway's response to the edit"),
  reason: z.string().optional().describe('Stable word for why the edit ended in this state'),
};

const editSchema = z
  .object({
    ...editFields,
    messageId: z.string().describe('Id of the message'),
    outcome: z.enum(Object.values(EditState)).optional().describe('The edit has ended. Its state shows the outcome'),
  })
  .meta({ id: 'Edit' });

const responses = {
  200: { description: 'The outcome of the edit', schema: editSchema },
  202: { description: 'The edit has not ended. Repeat the request', schema: editSchema },
};

export const EDIT_ROUTES = {
  editMessage: route('POST /v1/messages/{id}/edits', {
    access: ['send', 'message'],
    summary: 'Edit the text of a message',
    description:
      'Replaces the text of a message that was not posted yet. A sent message is edited at the gateway within 15 minutes. In between the edit waits until the message is sent.',
    query: z.strictObject({ timeoutMs: waitMs() }),
    body: editRequestSchema,
    bodyName: 'The edit of {id}',
    takesKey: true,
    responses,
    problems: ['MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS', 'EDIT_NOT_TEXT', 'EDIT_NOT_POSSIBLE', 'IDEMPOTENCY_MISMATCH'],
    async handle({ params, query: { timeoutMs }, body: { text }, key, caller: { witness }, c }, dependencies) {
      const { waiting, checkOperation } = dependencies;
      const messageId = await foundMessageId(params.id, dependencies);
      // The gateway's limits for editMessage apply to the text. Chat and id are placeholders here.
      const asked = { chatId: SOME_CHAT, idMessage: 'given later', message: text };
      withPaths(
        `The edit of ${messageId}`,
        () => 'text',
        () => checkOperation('editMessage', asked),
      );
      const id = editId(messageId, key);
      const { edit, isReplay } = await waiting.held(c, timeoutMs, (wait) =>
        editMessage(dependencies, messageId, { editId: id, text, witness }, wait),
      );
      return replyOf(edit, { location: `/v1/messages/${messageId}/edits/${id}`, isReplay });
    },
  }),
  getEdit: route('GET /v1/messages/{id}/edits/{editId}', {
    access: ['read', 'message'],
    summary: 'Retrieve an edit',
    query: z.strictObject({ timeoutMs: waitMs(0) }),
    responses,
    problems: ['EDIT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params: { id, editId: given }, query: { timeoutMs }, c }, dependencies) {
      const { ledger, waiting } = dependencies;
      const messageId = await foundMessageId(id, dependencies);
      const edit = await waiting.until(c, {
        id: messageId,
        reads: `edit ${given}`,
        read: async () => {
          const found = isEditId(given) ? await ledger.edits.view(given) : undefined;
          if (found?.messageId === messageId) return found;
          throw editUnknown(`of this id for message ${messageId}`);
        },
        isDone: editHasEnded,
        timeoutMs,
      });
      return replyOf(edit);
    },
  }),
} as const;

function replyOf(edit: FoundEdit, headers?: ReplyHeaders) {
  return editHasEnded(edit) ? reply(200, { ...edit, outcome: edit.state }, headers) : reply(202, edit, headers);
}
