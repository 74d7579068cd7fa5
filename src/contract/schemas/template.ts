import { z } from 'zod';
import { exactText } from './message.js';

/** Its fields and limits are checked by `validateTemplate`, which names all problems at once. */
const templateDefinitionSchema = z.record(z.string(), z.unknown()).meta({
  id: 'TemplateDefinition',
  description: "createTemplate's fields under the gateway's own names: see operation.createTemplate",
});

export const templateKeySchema = z.strictObject({ instance: z.string().min(1), elementName: z.string().min(1) });

export const submitTemplateSchema = z
  .strictObject({
    instance: z.string().min(1).describe('Name of the configured instance'),
    template: templateDefinitionSchema,
  })
  .meta({ id: 'SubmitTemplate' });

export const validateTemplateSchema = z
  .strictObject({ template: templateDefinitionSchema })
  .meta({ id: 'ValidateTemplate' });

export const setTemplateReviewSchema = z
  .strictObject({
    status: z
      .string()
      .regex(/^[A-Z][A-Z_]{0,63}$/, 'is no word of a review, e.g. APPROVED')
      .describe('APPROVED, REJECTED, FAILED, PAUSED, PENDING, or a newer word'),
    reason: exactText.max(500).exactOptional(),
    templateId: exactText.min(1).exactOptional().describe("The gateway's id, where it could not be read"),
  })
  .meta({ id: 'SetTemplateReview' });
