import { z } from 'zod';
import { operation } from '../operation-contract.js';
import { requiredText } from '../text-fields.js';
import { templateResponse } from './template-response.js';

export const getTemplateById = operation({
  description: 'Read one template by its id, with the status of its review.',
  // No rate is published for reading templates.
  perSecond: 1,
  request: z.strictObject({ templateId: requiredText().describe("The template's id, opaque") }),
  response: templateResponse,
});
