import { z } from 'zod';
import { TEMPLATE_CATEGORIES, TEMPLATE_LANGUAGES, TEMPLATE_TYPES } from '../../contract/index.js';
import { templateLimits } from '../../domain/index.js';
import { isRecord } from '../response-fields.js';
import { operation } from '../operation-contract.js';
import { templateResponse } from './template-response.js';

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

/** Which fields there are and of what type; their limits and what holds between them is in `templateLimits`. */
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
  buttons: z.array(button).optional().describe('AUTHENTICATION needs at least one OTP button'),
  example: z
    .string()
    .optional()
    .describe('Content with sample values for its variables; required except for AUTHENTICATION'),
  enableSample: z.boolean().optional().describe('Needed for every type; true is sent when left out'),
  allowTemplateCategoryChange: z
    .boolean()
    .optional()
    .meta({ deprecated: true })
    .describe('Deprecated: ignored by the gateway, and left out'),
  addSecurityRecommendation: z.boolean().optional().describe('AUTHENTICATION: adds advice not to share the code'),
  codeExpirationMinutes: z.number().optional().describe('AUTHENTICATION: minutes, 1 to 90'),
  mediaUrl: z.string().optional().describe('Sample media for IMAGE, VIDEO and DOCUMENT'),
});

const request = fields.superRefine(
  (draft, context) => {
    for (const { path, message } of templateLimits(draft).errors) {
      context.addIssue({
        code: 'custom',
        path: stepsOf(path),
        message: `Validation failed, details: ${message}`,
        input: draft,
      });
    }
  },
  // Reported together with every other problem, so it may see fields that are wrong themselves.
  { when: ({ value }) => isRecord(value) },
);

/** `buttons[0].text` → `['buttons', 0, 'text']`. */
function stepsOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/[^.[\]]+/g), ([step]) => (/^\d+$/.test(step) ? Number(step) : step));
}

export const createTemplate = operation({
  description: 'Create a message template for review. Its name is unique in the account, so it can be looked for.',
  // No rate is published for it; one a second is what the slowest published operations allow.
  perSecond: 1,
  request,
  response: templateResponse,
  // The gateway's samples pass the list of buttons as a string.
  toWire: ({ buttons, allowTemplateCategoryChange: _deprecated, ...rest }) => ({
    ...rest,
    enableSample: rest.enableSample ?? true,
    ...(buttons === undefined ? {} : { buttons: JSON.stringify(buttons) }),
  }),
  warnings: (template) => templateLimits(template).warnings.map(({ path, message }) => `${path}: ${message}`),
  // Its status code is not documented, so it may come with a 200.
  refusalIn200: (raw) =>
    [raw, ...(isRecord(raw) ? Object.values(raw) : [])].find(
      (word): word is string => typeof word === 'string' && word.includes('Invalid category provided'),
    ),
});
