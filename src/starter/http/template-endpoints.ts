/** The routes of templates: see {@link ENDPOINTS}. */
import { z } from 'zod';
import { setTemplateReviewSchema, validateTemplateSchema, submitTemplateSchema } from '../../contract/schemas.js';
import { TEMPLATE_STATES } from '../../contract/index.js';
import type { Endpoint } from './endpoint.js';
import { waitMs } from './wait-query.js';

const TEMPLATE_WAIT_MS = 25_000;

const time = z.iso.datetime();

const findingSchema = z
  .object({
    path: z.string().describe('As a reader would write it, e.g. buttons[0].text'),
    message: z.string(),
    limit: z.union([z.number(), z.string()]).optional().describe('What the rule allows'),
    found: z.unknown().optional().describe('What the template has'),
  })
  .meta({ id: 'TemplateFinding' });

const validationSchema = z
  .object({
    ok: z.boolean().describe('No errors; warnings do not count'),
    errors: z.array(findingSchema),
    warnings: z.array(findingSchema),
  })
  .meta({ id: 'TemplateValidation' });

const templateFields = {
  instance: z.string(),
  elementName: z.string(),
  state: z.enum(TEMPLATE_STATES).describe('How far the submission is; unknown: its response was lost'),
  status: z
    .string()
    .optional()
    .describe("The review's word: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a newer one"),
  statusSince: time.optional(),
  reason: z.string().optional().describe('Why it was refused, rejected, or failed'),
  templateId: z.string().optional().describe("The gateway's id"),
  version: z.number(),
  definition: z.record(z.string(), z.unknown()),
  createdAt: time,
  submittedAt: time.optional(),
  checkedAt: time.optional().describe('When the gateway was asked last'),
  nextCheckAt: time.optional(),
  checkCode: z.string().optional().describe('Why the last poll said nothing; see docs/errors.md'),
  checkText: z.string().optional(),
  unwatchedSince: time
    .optional()
    .describe('Polling has stopped, although nothing was decided; submit it again to go on'),
};

export const templateListItemSchema = z.object(templateFields).meta({ id: 'TemplateListItem' });

const templateSchema = z
  .object({
    ...templateFields,
    changes: z.array(
      z.object({
        at: time,
        witness: z.string(),
        what: z.string(),
        status: z.string().optional(),
        reason: z.string().optional(),
        detail: z.unknown().optional(),
      }),
    ),
    warnings: z.array(findingSchema).optional().describe('Of the submission'),
  })
  .meta({ id: 'Template' });

export const TEMPLATE_ENDPOINTS = {
  validateTemplate: {
    method: 'post',
    path: '/v1/templates/validate',
    summary: 'Check a template against every documented limit',
    body: validateTemplateSchema,
    responses: { 200: { description: 'All that is wrong or unwise, at once', schema: validationSchema } },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE'],
  },
  submitTemplate: {
    method: 'post',
    path: '/v1/templates',
    summary: 'Submit a template for review, and follow it',
    description:
      'Instance and elementName are its key: the same template again is the same one, a changed one under a used name is refused. Needs no Idempotency-Key.',
    body: submitTemplateSchema,
    responses: {
      200: { description: 'It was submitted before', schema: templateSchema },
      202: { description: 'Begun', schema: templateSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'TEMPLATE_DIFFERS', 'INPUT_TOO_LARGE'],
  },
  listTemplates: {
    method: 'get',
    path: '/v1/templates',
    summary: 'List templates, by instance and name',
    query: z.strictObject({
      instance: z.string().optional(),
      cursor: z.string().optional().describe('From the former page'),
      limit: z.coerce.number().int().min(1).max(500).optional().describe('Default: 50'),
    }),
    responses: {
      200: {
        description: 'One page, without the changes of each; `cursor` leads to the next',
        schema: z
          .object({ items: z.array(templateListItemSchema), cursor: z.string().optional() })
          .meta({ id: 'TemplateList' }),
      },
    },
    problems: ['INPUT_INVALID'],
  },
  getTemplate: {
    method: 'get',
    path: '/v1/templates/{instance}/{elementName}',
    summary: 'A template with every change of it',
    query: z.strictObject({
      wait: z
        .enum(['submitted', 'decided'])
        .optional()
        .describe(
          'Respond when the gateway has it, or when its review has a verdict; or after timeoutMs as it is then',
        ),
      timeoutMs: waitMs(TEMPLATE_WAIT_MS),
    }),
    responses: { 200: { description: 'As it stands', schema: templateSchema } },
    problems: ['TEMPLATE_NOT_FOUND', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
  },
  setTemplateReview: {
    method: 'post',
    path: '/v1/templates/{instance}/{elementName}/review',
    summary: "An operator's decision on a review that cannot be read, or not soon enough",
    description: 'Ends the waiting at once. It stands until the gateway itself shows something new.',
    body: setTemplateReviewSchema,
    responses: { 200: { description: 'What the template says now', schema: templateSchema } },
    problems: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_SUBMITTED', 'INPUT_INVALID', 'TEMPORAL_UNAVAILABLE'],
  },
} as const satisfies Record<string, Endpoint>;
