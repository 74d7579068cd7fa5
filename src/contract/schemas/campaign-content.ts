/** What a campaign sends, and to which share of its recipients. */
import { z } from 'zod';
import { MESSAGE_KINDS } from '../kinds.js';
import { BREAKS_LINE, BREAKS_LINE_WORDS, INPUT_LIMITS } from '../values/values.js';
import { exactText, needsRecipient } from './message.js';

/** A status goes to all contacts at once: it has no recipient. */
const CAMPAIGN_KINDS = MESSAGE_KINDS.filter(needsRecipient);

/** `readCampaign` in the starter checks the template's fields, after the variables have values. */
export const contentTemplateSchema = z
  .looseObject({ kind: z.enum(CAMPAIGN_KINDS, { error: `is not one of ${CAMPAIGN_KINDS.join(', ')}` }) })
  .meta({
    id: 'ContentTemplate',
    description:
      "Content of a message. Each text may contain {{variable}} or {{variable|fallback}}: the variables are the columns of the recipients' file",
  });

const SHARE = /^\d{1,3}(?:\.\d{1,4})? ?%$/;

/** Of some recipients, and not of all. */
const shareSchema = z
  .string()
  .refine(
    (share) => SHARE.test(share) && Number.parseFloat(share) > 0 && Number.parseFloat(share) < 100,
    'is not a share of more than 0 % and less than 100 %, e.g. 10%',
  );

const holdOutSchema = shareSchema.describe(
  'Share of the recipients who get nothing and end `held_out`. It is taken first, by a hash of the recipient: a campaign with the same share holds out the same recipients. Default: none',
);

export const variantNameSchema = exactText
  .min(1)
  .max(INPUT_LIMITS.variantNameCharacters)
  .refine((name) => !BREAKS_LINE.test(name), BREAKS_LINE_WORDS);

const MOST_VARIANTS = 10;
/** Three thirds are written as 33.33 %. */
const SHARE_TOLERANCE = 0.05;

export const campaignVariantSchema = z
  .strictObject({
    name: variantNameSchema.describe('Shown in results and reports, e.g. A. At most 40 characters'),
    share: shareSchema.describe('Share of the recipients who are not held out, e.g. 60%. All add up to 100 %'),
    content: contentTemplateSchema,
  })
  .meta({ id: 'CampaignVariant' });

const variantsSchema = z
  .array(campaignVariantSchema)
  .min(2, 'are too few: give at least 2 variants, or content')
  .max(MOST_VARIANTS, `are more than ${MOST_VARIANTS}`)
  .superRefine((variants, context) => {
    const names = variants.map(({ name }) => name);
    for (const [at, name] of names.entries()) {
      if (names.indexOf(name) === at) continue;
      context.addIssue({ code: 'custom', path: [at, 'name'], message: `is ${name} again: name each variant once` });
    }
    const sum = variants.reduce((total, { share }) => total + Number.parseFloat(share), 0);
    if (Math.abs(sum - 100) <= SHARE_TOLERANCE || Number.isNaN(sum)) return;
    const message = `have shares that add up to ${Math.round(sum * 100) / 100} %: change them so that they add up to 100 %`;
    context.addIssue({ code: 'custom', path: [], message });
  })
  .describe(
    'Contents that different recipients get, in place of `content`. A hash of the recipient decides: a campaign with the same names and shares gives the same recipients the same variant',
  );

/** What a campaign sends: one content or variants. */
export const contentFields = {
  content: contentTemplateSchema.exactOptional(),
  variants: variantsSchema.exactOptional(),
  holdOut: holdOutSchema.exactOptional(),
};

/** A schema with the {@link contentFields} that names one content or several variants. */
export function withOneContent<Schema extends z.ZodObject<Pick<typeof contentFields, 'content' | 'variants'>>>(
  schema: Schema,
): Schema {
  return schema.refine(({ content, variants }) => (content === undefined) !== (variants === undefined), {
    path: ['content'],
    error: 'is missing, or is given together with variants: give either content or variants',
  });
}
