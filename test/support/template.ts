import type { TemplateDefinition } from '../../src/contract/index.js';

/** A template that breaks no rule. */
export const TEMPLATE = {
  elementName: 'order_ready',
  languageCode: 'en',
  category: 'UTILITY',
  templateType: 'TEXT',
  vertical: 'Order notice',
  content: 'Your order {{1}} is ready.',
  example: 'Your order 17 is ready.',
} as const satisfies TemplateDefinition;

/** One without a variable. */
export const PLAIN_TEMPLATE: TemplateDefinition = {
  ...TEMPLATE,
  content: 'Your order is ready',
  example: 'Your order is ready',
};
