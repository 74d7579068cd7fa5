import { z } from 'zod';
import { TEMPLATE_STATES, TemplateState, isDecided, present } from '../../../contract/index.js';
import {
  setTemplateReviewSchema,
  submitTemplateSchema,
  templateFindingSchema,
  validateTemplateSchema,
} from '../../../contract/schemas.js';
import { validateTemplate } from '../../../domain/index.js';
import { bellOf, findTemplate, setTemplateReview, submitTemplate } from '../../templates/templates.js';
import { pageFields, pageOf, time, waitMs } from '../fields.js';
import { reply, route } from '../route.js';

const TEMPLATE_WAIT_MS = 25_000;

const validationSchema = z
  .object({
    ok: z.boolean().describe('No errors; warnings do not count'),
    errors: z.array(templateFindingSchema),
    warnings: z.array(templateFindingSchema),
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

const templateListItemSchema = z.object(templateFields).meta({ id: 'TemplateListItem' });

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
    warnings: z.array(templateFindingSchema).optional().describe('Of the submission'),
  })
  .meta({ id: 'Template' });

export const TEMPLATE_ROUTES = {
  validateTemplate: route({
    method: 'post',
    path: '/v1/templates/validate',
    access: ['read', 'nothing'],
    summary: 'Check a template against every documented limit',
    body: validateTemplateSchema,
    bodyName: 'The template',
    responses: { 200: { description: 'All that is wrong or unwise, at once', schema: validationSchema } },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE'],
    async handle({ body: { template } }) {
      const { errors, warnings } = validateTemplate(template);
      return reply(200, { ok: errors.length === 0, errors, warnings });
    },
  }),
  submitTemplate: route({
    method: 'post',
    path: '/v1/templates',
    access: ['send', 'named'],
    summary: 'Submit a template for review, and follow it',
    description:
      'Instance and elementName are its key: the same template again is the same one, a changed one under a used name is refused. Needs no Idempotency-Key.',
    body: submitTemplateSchema,
    responses: {
      200: { description: 'It was submitted before', schema: templateSchema },
      202: { description: 'Begun', schema: templateSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'TEMPLATE_DIFFERS', 'INPUT_TOO_LARGE'],
    async handle({ body }, dependencies) {
      const { template, warnings, isReplay } = await submitTemplate(dependencies, body);
      const submitted = { ...template, ...(warnings.length === 0 ? {} : { warnings }) };
      const location = `/v1/templates/${template.instance}/${template.elementName}`;
      return reply(isReplay ? 200 : 202, submitted, { location, isReplay });
    },
  }),
  listTemplates: route({
    method: 'get',
    path: '/v1/templates',
    access: ['read', 'named'],
    summary: 'List templates, by instance and name',
    query: z.strictObject({
      instance: z.string().exactOptional(),
      ...pageFields,
    }),
    responses: {
      200: {
        description: 'One page, without the changes of each; `cursor` leads to the next',
        schema: pageOf(templateListItemSchema, 'TemplateList'),
      },
    },
    problems: ['INPUT_INVALID'],
    handle: async ({ query, caller: { instances } }, { ledger }) =>
      reply(200, await ledger.templates.list({ ...query, ...present({ instances }) })),
  }),
  getTemplate: route({
    method: 'get',
    path: '/v1/templates/{instance}/{elementName}',
    access: ['read', 'template'],
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
    async handle({ params, query: { wait, timeoutMs }, c }, dependencies) {
      const { findId, waiting } = dependencies;
      const key = await findId.template(params);
      const found = await waiting.until(c, {
        id: bellOf(key),
        reads: 'template',
        read: () => findTemplate(dependencies, key),
        isDone: (template) => {
          if (wait === undefined || isDecided(template)) return true;
          return wait === 'submitted' && template.state === TemplateState.submitted;
        },
        timeoutMs: wait === undefined ? 0 : timeoutMs,
      });
      return reply(200, found);
    },
  }),
  setTemplateReview: route({
    method: 'post',
    path: '/v1/templates/{instance}/{elementName}/review',
    access: ['admin', 'template'],
    summary: "An operator's decision on a review that cannot be read, or not soon enough",
    description: 'Ends the waiting at once. It stands until the gateway itself shows something new.',
    body: setTemplateReviewSchema,
    bodyName: 'The review of {elementName}',
    responses: { 200: { description: 'What the template says now', schema: templateSchema } },
    problems: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_SUBMITTED', 'INPUT_INVALID', 'TEMPORAL_UNAVAILABLE'],
    handle: async ({ params, body }, dependencies) => reply(200, await setTemplateReview(dependencies, params, body)),
  }),
} as const;
