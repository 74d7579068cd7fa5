import { z } from 'zod';
import { withUnits, requiredText } from './fields.js';
import { operation } from './operation-contract.js';
import { isRecord, TEMPLATE_CATEGORIES, TEMPLATE_LANGUAGES, TEMPLATE_TYPES } from '../../contract/index.js';
import { templateLimits, withButtonList } from '../../domain/index.js';

const ifText = z.string().nullish().catch(undefined);
const ifNumber = z.number().nullish().catch(undefined);

const TIMES = { createdOn: 'createdOnMs', modifiedOn: 'modifiedOnMs' };
const FIELDS = {
  status: ifText.describe('PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a newer status'),
  reason: z.unknown().optional().describe('Reason for FAILED or REJECTED; its form is not documented'),
  elementName: ifText,
  languageCode: ifText,
  category: ifText,
  templateType: ifText,
  vertical: ifText,
  data: ifText,
  meta: ifText,
  containerMeta: ifText,
  buttonSupported: ifText,
  languagePolicy: ifText,
  namespace: ifText,
  quality: ifText,
  stage: ifText,
  priority: ifNumber,
  retry: ifNumber,
  createdOn: ifNumber,
  createdOnMs: z.number().optional().describe('createdOn, Unix milliseconds'),
  modifiedOn: ifNumber,
  modifiedOnMs: z.number().optional().describe('modifiedOn, Unix milliseconds'),
};

/** A template in a response. Only fields that everpost relies on can make a response invalid. */
const template = withUnits(
  TIMES,
  z.looseObject({
    templateId: z.string().min(1).describe('From templateId, or from id as in samples'),
    ...FIELDS,
  }),
);

/** A template in a list, where an invalid one must not hide the others. */
const listedTemplate = withUnits(
  TIMES,
  z.looseObject({ templateId: ifText.describe('Read from templateId or id'), ...FIELDS }),
);

function withId(raw: unknown): unknown {
  return isRecord(raw) ? { ...raw, templateId: raw['templateId'] ?? raw['id'] } : raw;
}

/** `{ template }`, the response of createTemplate and getTemplateById. */
const templateResponse = z.preprocess(
  (raw) => (isRecord(raw) && isRecord(raw['template']) ? { ...raw, template: withId(raw['template']) } : raw),
  z.looseObject({ template }),
);

/** `{ templates }`. An account without templates may return an empty list or no list. */
const templatesResponse = z.preprocess(
  (raw) => {
    if (raw === undefined || raw === null) return { templates: [] };
    if (!isRecord(raw)) return raw;
    const { templates } = raw;
    if (templates === null) return { ...raw, templates: [] };
    return Array.isArray(templates) ? { ...raw, templates: templates.filter(isRecord).map(withId) } : raw;
  },
  z.looseObject({ templates: z.array(listedTemplate) }),
);

export const getTemplates = operation({
  description: 'List all templates of the account with the status of their reviews.',
  // No rate is published for reading templates.
  perSecond: 1,
  request: z.strictObject({}),
  response: templatesResponse,
});

export const getTemplateById = operation({
  description: 'Read one template by its id, with the status of its review.',
  // No rate is published for reading templates.
  perSecond: 1,
  request: z.strictObject({ templateId: requiredText().describe("The template's id, opaque") }),
  response: templateResponse,
});

const INVALID_CATEGORY = `Invalid category provided, kindly use category from these options ${TEMPLATE_CATEGORIES.join(',')}`;

const required = () => z.string().min(1);

const button = z.strictObject({
  type: z.enum(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'OTP']),
  text: required().describe('At most 25 characters for QUICK_REPLY and URL, 20 for PHONE_NUMBER'),
  phone_number: required().optional().describe('For PHONE_NUMBER'),
  url: required().optional().describe('For URL'),
  example: z.array(required()).optional().describe('For URL: sample links'),
  otp_type: required().optional().describe('For OTP: COPY_CODE'),
});

/** The fields and their types. `templateLimits` checks their limits and the rules between them. */
const fields = z.strictObject({
  elementName: required().describe('Name, unique in the account: lowercase letters, digits, underscores'),
  languageCode: z.enum(TEMPLATE_LANGUAGES),
  category: z.enum(TEMPLATE_CATEGORIES, { error: ({ input }) => (input === undefined ? undefined : INVALID_CATEGORY) }),
  templateType: z.enum(TEMPLATE_TYPES),
  vertical: required().describe('Short description for the review, at most 180 characters'),
  content: z
    .string()
    .optional()
    .describe('Body, at most 550 characters and 10 emoji; required except for AUTHENTICATION'),
  header: z.string().optional().describe('For templateType TEXT, at most 60 characters'),
  exampleHeader: z.string().optional().describe('Sample of the header, lowercase; required with header'),
  footer: z.string().optional().describe('At most 60 characters'),
  buttons: z
    // A text that contains a list never gets here, see `asDocumented`.
    .union([z.string(), z.array(button)])
    .optional()
    .describe('The list, or a text that contains it as JSON, as in samples. AUTHENTICATION needs an OTP button'),
  example: z
    .string()
    .optional()
    .describe('Content with sample values for its variables; required except for AUTHENTICATION'),
  enableSample: z.boolean().optional().describe('Required for every type; true if absent'),
  allowTemplateCategoryChange: z
    .boolean()
    .optional()
    .meta({ deprecated: true })
    .describe('Deprecated: the gateway ignores it, and everpost does not send it'),
  addSecurityRecommendation: z.boolean().optional().describe('AUTHENTICATION: adds advice not to share the code'),
  codeExpirationMinutes: z.number().optional().describe('AUTHENTICATION: minutes, 1 to 90'),
  mediaUrl: z.string().optional().describe('Sample media for IMAGE, VIDEO and DOCUMENT'),
});

const newTemplate = fields.superRefine(
  (draft, context) => {
    for (const { path, message } of templateLimits(draft).errors) {
      context.addIssue({
        code: 'custom',
        // Splits a path: `buttons[0].text` becomes `['buttons', 0, 'text']`.
        path: Array.from(path.matchAll(/[^.[\]]+/g), ([step]) => (/^\d+$/.test(step) ? Number(step) : step)),
        message: `Validation failed, details: ${message}`,
        input: draft,
      });
    }
  },
  // This check runs together with all others, so it may see invalid fields.
  { when: ({ value }) => isRecord(value) },
);

export const createTemplate = operation({
  description: 'Create a message template for review. Its name is unique in the account.',
  // No rate is published for it. The slowest published operations allow one request per second.
  perSecond: 1,
  request: newTemplate,
  asDocumented: withButtonList,
  response: templateResponse,
  // The gateway's samples have the list of buttons as a string.
  toWire: ({ buttons, allowTemplateCategoryChange: _deprecated, ...rest }) => ({
    ...rest,
    enableSample: rest.enableSample ?? true,
    ...(buttons === undefined ? {} : { buttons: JSON.stringify(buttons) }),
  }),
  warnings: (draft) => templateLimits(draft).warnings.map(({ path, message }) => `${path}: ${message}`),
  // The status code of this rejection is not documented, so it may come with a 200.
  rejectionIn200: (raw) =>
    [raw, ...(isRecord(raw) ? Object.values(raw) : [])].find(
      (word): word is string => typeof word === 'string' && word.includes('Invalid category provided'),
    ),
});
