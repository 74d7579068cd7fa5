import { z } from 'zod';
import { isRecord, withUnits } from '../response-fields.js';

const ifText = z.string().nullish().catch(undefined);
const ifNumber = z.number().nullish().catch(undefined);

const TIMES = { createdOn: 'createdOnMs', modifiedOn: 'modifiedOnMs' };
const FIELDS = {
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
};

/** A template must be recognised as one, so only what we rely on can make a response invalid. */
const template = withUnits(
  TIMES,
  z.looseObject({
    templateId: z.string().min(1).describe('Read from templateId or, as samples show it, from id'),
    ...FIELDS,
  }),
);

/** In a list one odd template must not hide all others. */
const listedTemplate = withUnits(
  TIMES,
  z.looseObject({ templateId: ifText.describe('Read from templateId or id'), ...FIELDS }),
);

function withId(raw: unknown): unknown {
  return isRecord(raw) ? { ...raw, templateId: raw['templateId'] ?? raw['id'] } : raw;
}

/** `{ template }`, as createTemplate and getTemplateById answer it. */
export const templateResponse = z.preprocess(
  (raw) => (isRecord(raw) && isRecord(raw['template']) ? { ...raw, template: withId(raw['template']) } : raw),
  z.looseObject({ template }),
);

/** `{ templates }`; an account without any may say so with an empty list or with nothing. */
export const templatesResponse = z.preprocess(
  (raw) => {
    if (raw === undefined || raw === null) return { templates: [] };
    if (!isRecord(raw)) return raw;
    const { templates } = raw;
    if (templates === null) return { ...raw, templates: [] };
    return Array.isArray(templates) ? { ...raw, templates: templates.filter(isRecord).map(withId) } : raw;
  },
  z.looseObject({ templates: z.array(listedTemplate) }),
);
