/** Keys, suppressions and account data: the API returns them as the ledger stores them. */
import { z } from 'zod';
import { SCOPES } from '../values/secret.js';
import { JOB_KINDS } from '../operations.js';
import { PossibleOptOutState, SUPPRESSION_VERDICTS, SuppressionScope, SuppressionSource } from '../suppression.js';
import { count, countsOf, time } from './fields.js';
import { listFactsSchema, remediesSchema } from './list-file.js';

/** A named API key without the key itself, of which only a hash is stored. */
export const apiKeySchema = z
  .object({
    id: z.string().describe('The part of the key that is not secret'),
    name: z.string().describe('Name of the key: the witness in evidence and in the audit list'),
    scopes: z.array(z.enum(SCOPES)).describe('Rights of the key'),
    instances: z.array(z.string()).optional().describe('Instances that the key may use. Absent: every instance'),
    ratePerSecond: z.number().optional().describe('Requests per second. Absent: the rate of EVERPOST_KEY_LIMITS'),
    createdAt: time.describe('When the key was created'),
    createdBy: z.string().describe('Who created the key'),
    lastUsedAt: time.optional().describe('When the key was last used, to the minute'),
    expiresAt: time.optional().describe('When the key expires. Absent: never'),
    previousUntil: time.optional().describe('After a rotation: until when the previous key is also valid'),
    revokedAt: time.optional().describe('When the key was revoked'),
  })
  .meta({ id: 'ApiKey' });

/** A request that changed something, or that was refused. */
export const auditEntrySchema = z
  .object({
    at: time.describe('When the response was sent'),
    witness: z
      .string()
      .describe('key:<name>, loopback for a request without a key, or unidentified if its key was not valid'),
    route: z.string().describe('The operationId of the request'),
    objectId: z.string().optional().describe('Id of the object that the request names'),
    instance: z.string().optional().describe('The instance of the object'),
    status: z.number().int().describe('HTTP status of the response'),
    code: z.string().optional().describe('Error code of the response'),
    requestId: z.string().describe('X-Request-Id of the response'),
    address: z
      .string()
      .optional()
      .describe("The caller's IP address, as this server or the proxy on this machine saw it"),
  })
  .meta({ id: 'AuditEntry' });

/** One entry of the suppression list with its evidence; kept after its removal. */
export const suppressionSchema = z
  .object({
    id: z.string().describe('Id of the entry'),
    chatId: z.string().describe('The suppressed chat'),
    instance: z.string().optional().describe('The instance that the entry is for. Absent: all instances'),
    scope: z
      .enum(Object.values(SuppressionScope))
      .describe('`marketing`: marketing messages are blocked. `all`: transactional messages as well'),
    source: z
      .enum(Object.values(SuppressionSource))
      .describe('Origin of the entry: a STOP word, an operator, or an import'),
    since: time.describe('For a STOP word: when the gateway received it'),
    recordedAt: time.describe('When the entry was recorded'),
    word: z.string().optional().describe('The word as the recipient wrote it'),
    idMessage: z.string().optional().describe("The gateway's id of the message with the word"),
    note: z.string().optional().describe('The text of the request'),
    removedAt: time.optional().describe('Present if the entry was removed'),
    removedBy: z.enum(['start_word', 'operator']).optional().describe('What removed the entry'),
    removedWord: z.string().optional().describe('The word that removed the entry'),
    removedIdMessage: z.string().optional().describe("The gateway's id of the message with that word"),
    startWordAt: time
      .optional()
      .describe('When the recipient said START since. This does not remove an entry of an operator or a file'),
  })
  .meta({ id: 'Suppression' });

/** An incoming message that may mean STOP. */
export const possibleOptOutSchema = z
  .object({
    id: z.string().describe('Id of the possible opt-out'),
    instance: z.string().describe('The instance that received the message'),
    chatId: z.string().describe('The chat of the message'),
    idMessage: z.string().describe("The gateway's id of the message"),
    text: z.string().optional().describe('The text of the message. Absent once the retention has passed'),
    word: z.string().describe('Our word or phrase that the text is similar to, in lower case without accents'),
    language: z.string().describe('Language of the word. `own`: a word of the instances file'),
    at: time.describe('When the gateway received the message'),
    recordedAt: time.describe('When it was recorded'),
    state: z
      .enum(Object.values(PossibleOptOutState))
      .describe('`open`: an operator has to decide. `accepted`: it is an entry of the list. `dismissed`: it is none'),
    further: z.number().int().describe('Further such messages of the recipient while it was open'),
    decidedBy: z
      .string()
      .optional()
      .describe('Who decided. `stop_word`, `start_word`: a later word of the recipient did'),
    decidedAt: time.optional().describe('When that was'),
    suppressionId: z.string().optional().describe('The entry that resulted'),
  })
  .meta({ id: 'PossibleOptOut' });

export const suppressionImportSchema = z
  .object({
    lines: count.describe('Non-empty lines, without a header'),
    verdicts: countsOf(SUPPRESSION_VERDICTS).describe('Lines by verdict. The counts add up to `lines`'),
    remedies: remediesSchema,
    rejects: z
      .array(z.object({ line: count, reason: z.string(), value: z.string() }))
      .describe('The first 10,000 lines that did not become an entry'),
    source: listFactsSchema.describe('How the file was read'),
  })
  .meta({ id: 'ImportedSuppressions' });

/** A job that reads account data repeatedly. */
export const recurringJobSchema = z
  .object({
    id: z.string().describe('Id of the job'),
    kind: z.enum(JOB_KINDS).describe('What the job reads'),
    instance: z.string().describe('The instance whose data it reads'),
    groupId: z.string().optional().describe('Chat id of the group. Only for the kind `group`'),
    everyMs: z.number().int().describe('Milliseconds between two runs'),
    createdAt: time.describe('When the job was created'),
    nextAt: time.describe('When the job runs next'),
    lastAt: time.optional().describe('When the job last succeeded'),
    problem: z.string().optional().describe('Why the last run failed'),
  })
  .meta({ id: 'RecurringJob' });

/** An incoming story, as it was first seen. */
export const storySchema = z
  .object({
    instance: z.string().describe('The instance that received the story'),
    idMessage: z.string().describe("The gateway's id of the story"),
    at: time.describe("By the gateway's clock"),
    seenAt: time.describe('When the story was stored'),
    story: z.record(z.string(), z.unknown()).describe('The response of getIncomingStories'),
  })
  .meta({ id: 'Story' });

const ids = z.array(z.string());

/**
 * A group's data, valid at least from `takenAt` until `seenUntil`: under the gateway's names, without the invitation
 * link.
 */
export const groupSnapshotSchema = z
  .object({
    instance: z.string().describe('The instance that is in the group'),
    groupId: z.string().describe('Chat id of the group'),
    takenAt: time.describe('When the group was first seen with this data'),
    seenUntil: time.describe('When the group was last seen with this data'),
    fields: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe("The group's fields under the gateway's names"),
    participants: z.array(z.object({ id: z.string(), isAdmin: z.boolean() })).describe('The members of the group'),
    changes: z
      .object({
        joined: ids,
        left: ids,
        becameAdmin: ids,
        noLongerAdmin: ids,
        fields: z.array(z.object({ name: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      })
      .optional()
      .describe('The changes since the previous snapshot. Absent for the first one'),
  })
  .meta({ id: 'GroupSnapshot' });

/** One problem of one field of a template. */
export const templateFindingSchema = z
  .object({
    path: z.string().describe('Path of the field, e.g. buttons[0].text'),
    message: z.string(),
    limit: z.union([z.number(), z.string()]).optional().describe('What the rule allows'),
    found: z.unknown().optional().describe('What the template contains'),
  })
  .meta({ id: 'TemplateFinding' });
