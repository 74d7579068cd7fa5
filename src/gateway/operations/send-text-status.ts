import { z } from 'zod';
import { idMessageResponse } from '../response-fields.js';
import { contactId } from '../chat-id.js';
import { operation } from '../operation-contract.js';
import { requiredText } from '../text-fields.js';

const HEX_COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const WHITE = /^#(?:f{3}|f{6})$/i;

const backgroundColor = z
  .string()
  .regex(HEX_COLOUR, {
    error: "Validation failed, details: 'backgroundColor' must be a hex color such as #228B22",
    abort: true,
  })
  .refine((colour) => !WHITE.test(colour), {
    error: "Validation failed, details: 'backgroundColor' must not be white, because the text is white",
  })
  .describe('Hex color #RRGGBB or #RGB, not white; the gateway assumes #000000');

export const sendTextStatus = operation({
  description:
    'Beta: publish a text status. Access is granted to an account on request; without it the response is 403.',
  perSecond: 5,
  request: z.strictObject({
    message: requiredText(500).describe('Text, at most 500 characters'),
    backgroundColor: backgroundColor.optional(),
    font: z.enum(['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY']).optional(),
    participants: z
      .array(contactId)
      .optional()
      .describe('Contacts who may see it; an empty list means all contacts, unknown numbers are skipped'),
  }),
  response: idMessageResponse,
  reaches: ({ participants }) => (participants === undefined || participants.length === 0 ? 'everyone' : participants),
});
