import { z } from 'zod';
import { isRecord, withUnits } from '../answer-fields.js';
import { operation } from '../operation-contract.js';
import { httpLink, requiredText, text } from '../text-fields.js';
import { LANGUAGE_CODES } from './template-languages.js';

const CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;
const INVALID_CATEGORY = `Invalid category provided, kindly use category from these options ${CATEGORIES.join(',')}`;
const MAX_EMOJI = 10;
const MAX_BUTTON_TEXT: Readonly<Record<string, number>> = { QUICK_REPLY: 25, URL: 25, PHONE_NUMBER: 20 };

const button = z
  .strictObject({
    type: z.enum(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'OTP']),
    text: requiredText().describe('At most 25 characters for QUICK_REPLY and URL, 20 for PHONE_NUMBER'),
    phone_number: requiredText().optional().describe('For PHONE_NUMBER'),
    url: requiredText().optional().describe('For URL'),
    example: z.array(requiredText()).optional().describe('For URL: sample links'),
    otp_type: requiredText().optional().describe('For OTP: COPY_CODE'),
  })
  .superRefine(({ type, text: words }, context) => {
    const most = MAX_BUTTON_TEXT[type];
    if (most === undefined || words.length <= most) return;
    context.addIssue({
      code: 'too_big',
      origin: 'string',
      maximum: most,
      inclusive: true,
      path: ['text'],
      input: words,
    });
  });

/** A rule over several fields, told together with every other problem; so it may see fields that are wrong themselves. */
type Draft = Readonly<Record<string, unknown>>;
interface CrossRule {
  readonly path: string;
  readonly says: string;
  readonly holds: (draft: Draft) => boolean;
}

const isAuthentication = (draft: Draft) => draft['category'] === 'AUTHENTICATION';
const given = (value: unknown) => value !== undefined && value !== '';

const CROSS_RULES: readonly CrossRule[] = [
  {
    path: 'content',
    says: "'content' is required, except for AUTHENTICATION",
    holds: (draft) => isAuthentication(draft) || given(draft['content']),
  },
  {
    path: 'example',
    says: "'example' is required, except for AUTHENTICATION",
    holds: (draft) => isAuthentication(draft) || given(draft['example']),
  },
  {
    path: 'buttons',
    says: "'buttons' of an AUTHENTICATION template need at least one OTP button",
    holds: (draft) =>
      !isAuthentication(draft) ||
      (Array.isArray(draft['buttons']) &&
        draft['buttons'].some((one: unknown) => isRecord(one) && one['type'] === 'OTP')),
  },
  {
    path: 'header',
    says: "'header' is for templateType TEXT",
    holds: (draft) => !given(draft['header']) || draft['templateType'] === 'TEXT',
  },
  {
    path: 'exampleHeader',
    says: "'exampleHeader' is required when 'header' is used",
    holds: (draft) => !given(draft['header']) || given(draft['exampleHeader']),
  },
];

const fields = z.strictObject({
  elementName: requiredText()
    .regex(/^[a-z0-9_]*$/, {
      error: "Validation failed, details: 'elementName' may have lowercase letters, digits and underscores only",
    })
    .describe('Name, unique in the account: lowercase letters, digits, underscores'),
  languageCode: z.enum(LANGUAGE_CODES),
  category: z.enum(CATEGORIES, { error: ({ input }) => (input === undefined ? undefined : INVALID_CATEGORY) }),
  templateType: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT']),
  vertical: requiredText(180).describe('Short description for the review, at most 180 characters'),
  content: text(550)
    .refine((words) => countEmoji(words) <= MAX_EMOJI, {
      error: `Validation failed, details: 'content' must have at most ${MAX_EMOJI} emoji`,
      when: ({ value }) => typeof value === 'string',
    })
    .optional()
    .describe('Body, at most 550 characters and 10 emoji; required except for AUTHENTICATION'),
  header: text(60).optional().describe('For templateType TEXT, at most 60 characters'),
  exampleHeader: text()
    .refine((words) => !/\p{Lu}/u.test(words), {
      error: "Validation failed, details: 'exampleHeader' must be in lowercase letters",
      when: ({ value }) => typeof value === 'string',
    })
    .optional()
    .describe('Sample of the header, lowercase; required with header'),
  footer: text(60).optional().describe('At most 60 characters'),
  buttons: z.array(button).optional().describe('AUTHENTICATION needs at least one OTP button'),
  example: text()
    .optional()
    .describe('Content with sample values for its variables; required except for AUTHENTICATION'),
  enableSample: z.boolean().optional().describe('Needed for every type; true is sent when left out'),
  allowTemplateCategoryChange: z
    .boolean()
    .optional()
    .meta({ deprecated: true })
    .describe('Deprecated: ignored by the gateway'),
  addSecurityRecommendation: z.boolean().optional().describe('AUTHENTICATION: adds advice not to share the code'),
  codeExpirationMinutes: z.number().min(1).max(90).optional().describe('AUTHENTICATION: minutes, 1 to 90'),
  mediaUrl: httpLink.optional().describe('Sample media for IMAGE, VIDEO and DOCUMENT'),
});

const request = CROSS_RULES.reduce(
  (schema, { path, says, holds }) =>
    schema.refine(holds, {
      path: [path],
      error: `Validation failed, details: ${says}`,
      when: ({ value }) => isRecord(value),
    }),
  fields,
);

/** A created template must be recognised as one, so only what we rely on can make the answer strange. */
const ifText = z.string().nullish().catch(undefined);
const ifNumber = z.number().nullish().catch(undefined);

const template = withUnits(
  { createdOn: 'createdOnMs', modifiedOn: 'modifiedOnMs' },
  z.looseObject({
    templateId: z.string().min(1).describe('Read from templateId or, as samples show it, from id'),
    status: ifText.describe('PENDING, APPROVED, REJECTED, FAILED, PAUSED, or a newer word'),
    reason: z.unknown().optional().describe('Why it FAILED or was REJECTED; the form of it is not documented'),
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
  }),
);

function withTemplateId(raw: unknown): unknown {
  if (!isRecord(raw) || !isRecord(raw['template'])) return raw;
  const { template: found } = raw;
  return { ...raw, template: { ...found, templateId: found['templateId'] ?? found['id'] } };
}

export const createTemplate = operation({
  description: 'Create a message template for review. Its name is unique in the account, so it can be looked for.',
  // No rate is published for it; one a second is what the slowest published operations allow.
  perSecond: 1,
  request,
  answer: z.preprocess(withTemplateId, z.looseObject({ template })),
  // The gateway's samples pass the list of buttons as a string.
  toWire: ({ buttons, ...rest }) => ({
    ...rest,
    enableSample: rest.enableSample ?? true,
    ...(buttons === undefined ? {} : { buttons: JSON.stringify(buttons) }),
  }),
  // Its status code is not documented, so it may come with a 200.
  refusalIn200: (raw) =>
    [raw, ...(isRecord(raw) ? Object.values(raw) : [])].find(
      (word): word is string => typeof word === 'string' && word.includes('Invalid category provided'),
    ),
});

/** Counts what a reader sees as one emoji: a flag, a family or a skin tone is one. */
function countEmoji(words: string): number {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(words);
  return [...graphemes].filter(({ segment }) => /\p{Emoji_Presentation}|\uFE0F|\u20E3/u.test(segment)).length;
}
