import { z } from 'zod';
import { SuppressionScope, SuppressionSource } from '../suppression.js';
import { definitionFields, delimiterSchema } from './campaign.js';
import { exactText } from './message.js';

const suppressionFields = {
  to: z
    .string()
    .min(1)
    .describe('Phone number as in a file of recipients, or a chat id ending in @c.us, @g.us or @lid'),
  defaultCountry: definitionFields.defaultCountry,
};

const forOneAccount = z.string().min(1).exactOptional();

export const addSuppressionSchema = z
  .strictObject({
    ...suppressionFields,
    instance: forOneAccount.describe('For this account only. Default: for all'),
    scope: z
      .enum(Object.values(SuppressionScope))
      .exactOptional()
      .describe('all: transactional messages too. Default: marketing'),
    note: exactText.max(500).exactOptional().describe('Your own words for it, shown back'),
  })
  .meta({ id: 'AddSuppression' });

export const removeSuppressionSchema = z
  .strictObject({
    ...suppressionFields,
    instance: forOneAccount.describe("Only this account's own entries. Default: every entry"),
  })
  .meta({ id: 'RemoveSuppression' });

export const suppressionListQuerySchema = z.strictObject({
  to: suppressionFields.to.exactOptional(),
  defaultCountry: suppressionFields.defaultCountry,
  instance: forOneAccount.describe('What holds for this account: its own entries, and those for all'),
  source: z.enum(Object.values(SuppressionSource)).exactOptional(),
  scope: z.enum(Object.values(SuppressionScope)).exactOptional(),
  removed: z
    .enum(['true', ''])
    .transform(() => true)
    .exactOptional()
    .describe('Also those that hold no longer'),
  cursor: z.string().exactOptional().describe('From the former page'),
  limit: z.coerce.number().int().min(1).max(500).exactOptional().describe('Default: 50'),
});

export const suppressionImportQuerySchema = z.strictObject({
  instance: forOneAccount.describe('For this account only. Default: for all'),
  scope: z.enum(Object.values(SuppressionScope)).exactOptional().describe('Default: marketing'),
  defaultCountry: suppressionFields.defaultCountry,
  delimiter: delimiterSchema.exactOptional().describe('Between the columns of CSV'),
});
