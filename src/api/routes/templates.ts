import { z } from 'zod';
import { TEMPLATE_STATES, TemplateState, isDecided, present } from '../../contract/index.js';
import {
  setTemplateReviewSchema,
  submitTemplateSchema,
  templateFindingSchema,
  validateTemplateSchema,
  pageFields,
  time,
} from '../../contract/schemas.js';
import { validateTemplate } from '../../domain/index.js';
import { bellOf, findTemplate, setTemplateReview, submitTemplate } from '../templates.js';
import { reply, route, instanceFilter, onePage, waitQuery } from '../route.js';

const validationSchema = z
  .object({
    ok: z.boolean().describe('True if there are no errors. Warnings do not count'),
    errors: z.array(templateFindingSchema).describe('Problems for which the gateway would reject the template'),
    warnings: z.array(templateFindingSchema).describe('Problems that do not prevent a submission'),
  })
  .meta({ id: 'TemplateValidation' });

const templateFields = {
  instance: z.string().describe('The instance of the template'),
  elementName: z.string().describe('Name of the template, unique in the account'),
  state: z.enum(TEMPLATE_STATES).describe('State of the submission. `unknown`: its response was lost'),
  status: z
    .string()
    .optional()
    .describe(
      'Status of the review: PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a status that the gateway adds later',
    ),
  statusSince: time.optional().describe('When the review got this status'),
  reason: z.string().optional().describe('Why the template was refused or rejected, or failed'),
  templateId: z.string().optional().describe("The gateway's id"),
  version: z.number().describe('Increases with each change'),
  definition: z.record(z.string(), z.unknown()).describe('The submitted template'),
  createdAt: time.describe('When the template was created'),
  submittedAt: time.optional().describe('When the gateway accepted the template'),
  checkedAt: time.optional().describe('When the gateway was last polled'),
  nextCheckAt: time.optional().describe('When the gateway is polled next'),
  checkCode: z.string().optional().describe('Code of the failure of the last poll, see docs/errors.md'),
  checkText: z.string().optional().describe("The gateway's text for that failure"),
  unwatchedSince: time
    .optional()
    .describe('When polling stopped without a decision. Submit the template again to continue'),
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
    warnings: z.array(templateFindingSchema).optional().describe('Warnings of the submission'),
  })
  .meta({ id: 'Template' });

export const TEMPLATE_ROUTES = {
  validateTemplate: route('POST /v1/templates/validate', {
    access: ['read', 'nothing'],
    summary: 'Validate a template',
    body: validateTemplateSchema,
    bodyName: 'The template',
    responses: { 200: { description: 'All errors and warnings', schema: validationSchema } },
    async handle({ body: { template } }) {
      const { errors, warnings } = validateTemplate(template);
      return reply(200, { ok: errors.length === 0, errors, warnings });
    },
  }),
  submitTemplate: route('POST /v1/templates', {
    access: ['send', 'named'],
    summary: 'Submit a template for review',
    description:
      'Submits the template once and polls its review. Instance and elementName are its key: a repeated request gives the same template, and a changed template under a used name is rejected. Needs no Idempotency-Key.',
    body: submitTemplateSchema,
    responses: {
      200: { description: 'The template was submitted before', schema: templateSchema },
      202: { description: 'The submission has begun', schema: templateSchema },
    },
    problems: ['INSTANCE_NOT_FOUND', 'TEMPLATE_DIFFERS'],
    async handle({ body }, dependencies) {
      const { template, warnings, isReplay } = await submitTemplate(dependencies, body);
      const submitted = { ...template, ...(warnings.length === 0 ? {} : { warnings }) };
      const location = `/v1/templates/${template.instance}/${template.elementName}`;
      return reply(isReplay ? 200 : 202, submitted, { location, isReplay });
    },
  }),
  listTemplates: route('GET /v1/templates', {
    access: ['read', 'named'],
    summary: 'List templates, by instance and name',
    query: z.strictObject({
      instance: instanceFilter,
      ...pageFields,
    }),
    responses: onePage(
      templateListItemSchema,
      'TemplateList',
      'One page, without the changes of each template. `cursor` continues after it',
    ),
    handle: async ({ query, caller: { instances } }, { ledger }) =>
      reply(200, await ledger.templates.list({ ...query, ...present({ instances }) })),
  }),
  getTemplate: route('GET /v1/templates/{instance}/{elementName}', {
    access: ['read', 'template'],
    summary: 'Retrieve a template with its changes',
    query: waitQuery(['submitted', 'decided'], 'the gateway has the template, or its review has ended'),
    responses: { 200: { description: 'The template', schema: templateSchema } },
    problems: ['TEMPLATE_NOT_FOUND', 'ID_AMBIGUOUS'],
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
  setTemplateReview: route('POST /v1/templates/{instance}/{elementName}/review', {
    access: ['admin', 'template'],
    summary: 'Set the review of a template',
    description:
      "Records an operator's decision if the review cannot be read, or not soon enough. It ends the wait at once and applies until the gateway shows a new status.",
    body: setTemplateReviewSchema,
    bodyName: 'The review of {elementName}',
    responses: { 200: { description: "The template's state after the decision", schema: templateSchema } },
    problems: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_SUBMITTED', 'TEMPORAL_UNAVAILABLE'],
    handle: async ({ params, body }, dependencies) => reply(200, await setTemplateReview(dependencies, params, body)),
  }),
} as const;
