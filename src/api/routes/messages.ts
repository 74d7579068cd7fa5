import { z } from 'zod';
import { MILESTONES, MessageCategory, firstAccountOf, hasReached, isRecord, present } from '../../contract/index.js';
import {
  contentSchema,
  countryField,
  messageStateSchema,
  recipientSchema,
  resolveRequestSchema,
  newMessageBodySchema,
  senderSchema,
  count,
  milestoneFields,
  pageFields,
  time,
  waitingSchema,
} from '../../contract/schemas.js';
import { problemsOf } from '../../domain/index.js';
import { type AskedFor, beginMessage, readMessageRequest, unknownAccounts } from '../../starter/index.js';
import type { RouteDependencies } from '../route-dependencies.js';
import {
  POST_ENDS_WITHIN_MS,
  cancelMessage,
  resolveByEvidence,
  resolveMessage,
  findMessage,
} from '../existing-message.js';
import { chatIdOf } from '../read-request.js';
import { reply, route, instanceFilter, onePage, waitQuery } from '../route.js';
import { editFields } from './edits.js';
import { foundMessageId } from '../access.js';

export const begunMessageSchema = z
  .object({
    id: z.string().describe('Id of the message'),
    state: messageStateSchema,
    instance: z.string().describe('The instance that sends it'),
    kind: z.string().describe('Kind of its content'),
    warnings: z.array(z.string()).optional().describe('Warnings about the content that do not prevent sending'),
  })
  .meta({ id: 'BegunMessage' });

const messageFields = {
  id: z.string().describe('Id of the message'),
  instance: z.string().describe('The instance that sends it'),
  chatId: z.string().optional().describe("The gateway's id of the chat. Absent for a status"),
  content: contentSchema.describe(
    'The content, with the text that is, or will be, on the phone: an edit that waits or is confirmed replaces the posted text. The texts of a sensitive message are shown as `••••`',
  ),
  postedText: z.string().optional().describe('The text that was posted, if an edit replaces it on the phone'),
  sensitive: z.boolean().optional().describe('True if its texts are not shown'),
  textLength: count.optional().describe('Characters of the texts that are not shown'),
  textRemovedAt: time.optional().describe('When its texts were removed, since nothing needed them any more'),
  state: messageStateSchema,
  version: z.number().describe('Increases with each change'),
  priority: z.string().describe('Order of dispatch within the instance'),
  category: z.string().describe('`marketing` or `transactional`'),
  onUnknown: z.string().describe('What happens if the outcome cannot be determined'),
  reference: z.string().optional().describe("The caller's own reference"),
  statusCallback: z.string().optional().describe('URL to which every change of the state is posted'),
  requestedBy: z
    .string()
    .optional()
    .describe(
      "The requester: key:<name>, loopback (no key was needed), schedule:<id> or temporal. Absent for a campaign's message",
    ),
  idMessage: z.string().optional().describe("The gateway's id"),
  reason: z.string().optional().describe('Stable word for why the message ended in this state'),
  reasonText: z.string().optional().describe("The gateway's own words"),
  createdAt: time.describe('When the message was requested'),
  sendAt: time.optional().describe('The message is not posted before this time, if the request has one'),
  expiresAt: time.describe('The message is not posted after this time'),
  waiting: waitingSchema
    .extend({
      identical: z.string().optional().describe('The identical message to the same chat whose outcome is unknown'),
    })
    .optional()
    .describe('Why a pending message waits'),
  ...milestoneFields,
  endedAt: time.optional().describe('When the message reached an end state'),
  editableUntil: time.optional().describe('Until when an edit can be posted. Present once the message is sent'),
  workflowId: z.string().optional().describe('The workflow that sends the message, unless it is `message:<id>`'),
  mayLeaveUntil: time
    .optional()
    .describe('Until when the gateway may still send the message. Only while it is accepted without a receipt'),
  campaignId: z.string().optional().describe('The campaign that the message belongs to'),
  testOf: z
    .string()
    .optional()
    .describe("The campaign that the message is a test of. It is in none of the campaign's counts"),
  variant: z.string().optional().describe("The variant of the campaign's content that it has"),
  line: z
    .number()
    .int()
    .optional()
    .describe("Line of the recipient in the campaign's file; of a test, the line whose values it contains"),
};

export const messageListItemSchema = z.object(messageFields).meta({ id: 'MessageListItem' });

const attemptSchema = z
  .object({
    token: z.string().describe('Id of the attempt'),
    claimedAt: time.describe('When the attempt was recorded, before its request'),
    postingDeadlineAt: time.describe('The request never leaves after this time'),
    outcome: z
      .enum(['accepted', 'rejected', 'not_accepted', 'unknown'])
      .optional()
      .describe('Absent while the request is under way'),
    outcomeAt: time.optional().describe('When the outcome was recorded'),
    idMessage: z.string().optional().describe("The gateway's id"),
    code: z.string().optional().describe('Code of the failure, see docs/errors.md'),
    text: z.string().optional().describe("The gateway's own words"),
    httpStatus: z.number().int().optional().describe("HTTP status of the gateway's response"),
    retryAt: time.optional().describe('When the next attempt is due. Only if this attempt was surely not accepted'),
  })
  .meta({ id: 'Attempt' });

/** The state right after a start, before the row is written, as it follows from the run. */
const startedMessageSchema = z
  .object({
    id: z.string(),
    state: messageStateSchema,
    instance: z.string().optional(),
    kind: z.string().optional(),
    reason: z.string().optional(),
    createdAt: time,
    evidence: z.array(z.never()).max(0),
    attempts: z.array(z.never()).max(0),
    edits: z.array(z.never()).max(0),
  })
  .meta({ id: 'StartedMessage', description: 'A message that is not in the ledger yet' });

const messageSchema = z
  .object({
    ...messageFields,
    unknown: z
      .object({
        since: time.describe('When the request began to leave'),
        witnessesUntil: time.describe("Until when everpost watches the gateway's queue, journal and notifications"),
        atLatest: time.describe('The latest end of this watch, if a witness cannot be asked'),
        // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
        then: z
          .enum(['unresolved', 'presume_or_unresolved'])
          .describe(
            '`unresolved`: an operator resolves it. `presume_or_unresolved`: it is sent again if it is presumed never to have been accepted, else it is unresolved',
          ),
      })
      .optional()
      .describe(
        'Only while the state is `unknown`: how long everpost tries to determine the outcome, and what happens then',
      ),
    possibleMatches: z
      .array(
        z.object({
          idMessage: z.string().describe("The gateway's id of a message that may be this one"),
          chatId: z.string().describe('The chat in which the gateway shows it'),
          witness: z.string(),
          at: time.describe('When it was recorded'),
          text: z.string().describe('What it is, and the command that gives its id to this message'),
        }),
      )
      .optional()
      .describe(
        'Messages with the same content in the chat of a lid (`…@lid`) whose owner is not known. Only while the outcome is not known',
      ),
    evidence: z.array(
      z.object({
        at: time,
        witness: z.string(),
        what: z.string(),
        detail: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    attempts: z.array(attemptSchema),
    edits: z.array(z.object(editFields).meta({ id: 'MessageEdit' })),
    callbacks: z
      .array(
        z.object({
          state: messageStateSchema,
          at: time.describe('When the message reached the state'),
          tries: z.number(),
          deliveredAt: time.optional(),
          givenUpAt: time.optional(),
          problem: z.string().optional().describe('Why the last try failed'),
          nextTryAt: time.optional(),
        }),
      )
      .optional()
      .describe("The posts to the message's statusCallback, in order"),
  })
  .meta({ id: 'Message' });

const foundMessageSchema = z.union([messageSchema, startedMessageSchema]);

const resolveSchema = z
  .object({
    id: z.string(),
    state: messageStateSchema,
    idMessage: z.string().optional().describe("The gateway's id, if it is known"),
  })
  .meta({ id: 'Resolved' });

const cancelSchema = z
  .object({
    id: z.string(),
    cancelled: z.boolean().describe('True if the message will surely never be posted'),
    state: messageStateSchema,
  })
  .meta({ id: 'Cancellation' });

/** Reads a request; if it names several accounts, chooses one. */
async function readWithSender(
  body: unknown,
  dependencies: RouteDependencies,
): Promise<ReturnType<typeof readMessageRequest> & Pick<AskedFor, 'pool'>> {
  if (!isRecord(body) || body['instances'] === undefined) return readMessageRequest(body, dependencies);
  const { instances: given, ...sent } = body;
  const pool = senderSchema.safeParse({ ...present({ instance: sent['instance'] }), instances: given });
  const { instances = [] } = pool.data ?? {};
  const unknown = unknownAccounts(instances, dependencies.instances);
  const first = firstAccountOf({ instances });
  const problems = [...(pool.success ? [] : problemsOf(pool.error)), ...(unknown?.problems ?? [])];
  const asked = { ...sent, instance: problems.length > 0 ? dependencies.instances.names()[0] : first };
  const read = readMessageRequest(asked, dependencies, problems);
  const { chatId, category = MessageCategory.transactional } = read.request;
  const to = { chatId, category };
  const instance = await dependencies.ledger.dispatch.chooseSender(instances, to, dependencies.clock.nowMs());
  return { ...read, request: { ...read.request, instance }, pool: { instance: first, instances } };
}

export const MESSAGE_ROUTES = {
  sendMessage: route('POST /v1/messages', {
    access: ['send', 'named'],
    isAudited: false,
    summary: 'Send a message',
    description:
      'The message is durable once the response is 202: it reaches exactly one end state, through outages and restarts. The API also accepts messages while Temporal is unavailable.',
    body: newMessageBodySchema,
    takesKey: true,
    responses: {
      202: { description: 'The message has begun, or had begun before with the same key', schema: begunMessageSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'IDEMPOTENCY_MISMATCH'],
    async handle({ body, key, trace, caller: { witness } }, dependencies) {
      const { request, warnings, pool } = await readWithSender(body, dependencies);
      const asked = { key, witness, trace, ...present({ pool }) };
      const { id, state, isReplay } = await beginMessage(dependencies, request, asked);
      const begun = {
        id,
        state,
        instance: isReplay
          ? ((await dependencies.ledger.ids.instanceOf('message', id)) ?? request.instance)
          : request.instance,
        kind: request.content.kind,
        ...(warnings.length === 0 ? {} : { warnings }),
      };
      return reply(202, begun, { location: `/v1/messages/${id}`, isReplay });
    },
  }),
  listMessages: route('GET /v1/messages', {
    access: ['read', 'named'],
    summary: 'List messages, newest first',
    query: z.strictObject({
      instance: instanceFilter,
      state: messageStateSchema.exactOptional().describe('Only messages in this state. Default: all'),
      reason: z
        .string()
        .exactOptional()
        .describe('Only messages that are in their state for this reason, e.g. LEDGER_WENT_BACK. Default: all'),
      to: recipientSchema
        .exactOptional()
        .describe('Only messages to this phone number or chat id, in any of its spellings. Default: all'),
      defaultCountry: countryField,
      reference: z.string().exactOptional().describe('Only messages with this reference. Default: all'),
      idMessage: z.string().exactOptional().describe('Only the message with this id of the gateway. Default: all'),
      ...pageFields,
    }),
    responses: onePage(messageListItemSchema, 'MessageList'),
    async handle({ query: { to, defaultCountry, ...rest }, caller: { instances } }, { ledger, clock }) {
      const chatId = to === undefined ? undefined : chatIdOf('The query', { to, defaultCountry });
      const filter = { ...rest, ...present({ chatId, instances }) };
      return reply(200, await ledger.views.messages(filter, clock.nowMs()));
    },
  }),
  getMessage: route('GET /v1/messages/{id}', {
    access: ['read', 'message'],
    summary: 'Retrieve a message with its evidence',
    query: waitQuery(MILESTONES, 'the message reaches this state or ends'),
    responses: { 200: { description: 'The message', schema: foundMessageSchema } },
    problems: ['MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params, query: { wait, timeoutMs }, c }, dependencies) {
      const { ledger, waiting } = dependencies;
      const id = await foundMessageId(params.id, dependencies);
      const found = await findMessage(dependencies, id);
      if (wait === undefined || hasReached(found.state, wait)) return reply(200, found);
      // Many callers may wait at the same time: until the wait is over, only the columns that show its end are read.
      await waiting.until(c, {
        id,
        reads: 'state',
        read: () => ledger.messages.snapshot(id),
        isDone: (row) => row !== undefined && hasReached(row.state, wait),
        timeoutMs,
      });
      return reply(200, await waiting.share(`message ${id}`, () => findMessage(dependencies, id)));
    },
  }),
  cancelMessage: route('POST /v1/messages/{id}/cancel', {
    access: ['send', 'message'],
    summary: 'Cancel a message that was not posted yet',
    description:
      'While the message is being posted, the response waits until the POST ends. `sending`: the POST has not ended; if it fails, the message is cancelled.',
    responses: { 200: { description: 'Whether the message was cancelled', schema: cancelSchema } },
    problems: ['MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params, caller: { witness }, c }, dependencies) {
      const id = await foundMessageId(params.id, dependencies);
      const cancelled = await dependencies.waiting.held(c, POST_ENDS_WITHIN_MS, (wait) =>
        cancelMessage(dependencies, id, { witness, ...wait }),
      );
      return reply(200, { id, ...cancelled });
    },
  }),
  resolveMessage: route('POST /v1/messages/{id}/resolve', {
    access: ['admin', 'message'],
    summary: 'Resolve a message that is unknown or unresolved',
    description:
      "`accepted` makes the message sent; with `idMessage` it makes it accepted, and the receipts of that id count for it. `not_accepted` makes it pending again, so check the phone first. `not_accepted` is refused while the gateway may still accept the lost request. `by_evidence` asks the gateway's queue and journal, and the stored notifications: what they show is accepted, what they prove to be absent is pending again, and anything else keeps its state.",
    body: resolveRequestSchema,
    bodyName: 'The resolution of {id}',
    takesLong: true,
    responses: { 200: { description: "The message's state after the resolution", schema: resolveSchema } },
    problems: ['MESSAGE_NOT_FOUND', 'ID_AMBIGUOUS', 'RESOLVE_NOT_POSSIBLE', 'MESSAGE_CLAIMED_ELSEWHERE'],
    async handle({ params, body, caller: { witness } }, dependencies) {
      const id = await foundMessageId(params.id, dependencies);
      const { outcome, ...given } = body;
      const { state, idMessage } =
        outcome === 'by_evidence'
          ? await resolveByEvidence(dependencies, id)
          : await resolveMessage(dependencies, id, { outcome, ...given, witness });
      return reply(200, { id, state, ...present({ idMessage }) });
    },
  }),
} as const;
