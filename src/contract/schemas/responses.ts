/** Keys, suppressions and account data: the API returns them as the ledger stores them. */
import { z } from 'zod';
import { SCOPES } from '../api-key.js';
import { JOB_KINDS } from '../operations.js';
import { SUPPRESSION_VERDICTS, SuppressionScope, SuppressionSource } from '../suppression.js';
import { count, countsOf, time } from './fields.js';

/** A named API key without the key itself, of which only a hash is stored. */
export const apiKeySchema = z
  .object({
    id: z.string().describe('The part of the key that is no secret'),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    instances: z.array(z.string()).optional().describe('Absent: every instance'),
    ratePerSecond: z.number().optional().describe('Requests a second. Absent: no limit'),
    createdAt: time,
    createdBy: z.string().describe('Who asked for it'),
    lastUsedAt: time.optional().describe('To the minute'),
    expiresAt: time.optional(),
    previousUntil: time.optional().describe('After a rotation: until when the key before is valid as well'),
    revokedAt: time.optional(),
  })
  .meta({ id: 'ApiKey' });

/** A request that changed something, or was refused. */
export const auditEntrySchema = z
  .object({
    at: time,
    witness: z.string().describe('key:<name>, or loopback where no key was needed'),
    route: z.string().describe('The operationId'),
    objectId: z.string().optional(),
    instance: z.string().optional(),
    status: z.number().int().describe('Of the response'),
    code: z.string().optional().describe('Of the error that was answered'),
    requestId: z.string().describe('X-Request-Id of the response'),
  })
  .meta({ id: 'AuditEntry' });

/** One entry of the suppression list with its evidence; kept after its removal. */
export const suppressionSchema = z
  .object({
    id: z.string(),
    chatId: z.string(),
    instance: z.string().optional().describe('The one account that it is about; absent: every account'),
    scope: z.enum(Object.values(SuppressionScope)).describe('all: transactional messages are kept back too'),
    source: z.enum(Object.values(SuppressionSource)),
    since: time.describe('Of a word, when the gateway received it'),
    recordedAt: time,
    word: z.string().optional().describe('As the addressee wrote it'),
    idMessage: z.string().optional().describe("The gateway's id of the message with the word"),
    note: z.string().optional(),
    removedAt: time.optional().describe('Present once it holds no longer'),
    removedBy: z.enum(['start_word', 'operator']).optional(),
    removedWord: z.string().optional(),
    removedIdMessage: z.string().optional(),
    startWordAt: time
      .optional()
      .describe('The addressee has said START since, which does not remove what an operator or a file put there'),
  })
  .meta({ id: 'Suppression' });

export const suppressionImportSchema = z
  .object({
    lines: count.describe('With anything on them, a head not counted'),
    verdicts: countsOf(SUPPRESSION_VERDICTS).describe('Lines by verdict; they add up to the lines'),
    rejects: z
      .array(z.object({ line: count, reason: z.string(), value: z.string() }))
      .describe('Lines that are no entry, the first ten thousand of them'),
  })
  .meta({ id: 'ImportedSuppressions' });

/** A job that reads account data repeatedly. */
export const recurringJobSchema = z
  .object({
    id: z.string(),
    kind: z.enum(JOB_KINDS),
    instance: z.string(),
    groupId: z.string().optional(),
    everyMs: z.number().int(),
    createdAt: time,
    nextAt: time.describe('When it is due next'),
    lastAt: time.optional().describe('When it last succeeded'),
    problem: z.string().optional().describe('Why its last run did not'),
  })
  .meta({ id: 'RecurringJob' });

/** An incoming story, as it was first seen. */
export const storySchema = z
  .object({
    instance: z.string(),
    idMessage: z.string(),
    at: time.describe("By the gateway's clock"),
    seenAt: time,
    story: z.record(z.string(), z.unknown()).describe('As getIncomingStories gave it'),
  })
  .meta({ id: 'Story' });

const ids = z.array(z.string());

/**
 * A group's data, valid at least from `takenAt` until `seenUntil`: under the gateway's names, without the invitation
 * link.
 */
export const groupSnapshotSchema = z
  .object({
    instance: z.string(),
    groupId: z.string(),
    takenAt: time,
    seenUntil: time.describe('When it was last seen like this'),
    fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    participants: z.array(z.object({ id: z.string(), isAdmin: z.boolean() })),
    changes: z
      .object({
        joined: ids,
        left: ids,
        becameAdmin: ids,
        noLongerAdmin: ids,
        fields: z.array(z.object({ name: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
      })
      .optional()
      .describe('Since the snapshot before; absent for the first one'),
  })
  .meta({ id: 'GroupSnapshot' });

/** One problem of one field of a template. */
export const templateFindingSchema = z
  .object({
    path: z.string().describe('As a reader would write it, e.g. buttons[0].text'),
    message: z.string(),
    limit: z.union([z.number(), z.string()]).optional().describe('What the rule allows'),
    found: z.unknown().optional().describe('What the template has'),
  })
  .meta({ id: 'TemplateFinding' });
