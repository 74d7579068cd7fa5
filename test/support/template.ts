import type { TemplateDefinition } from '../../src/contract/index.js';
import { ORDER_TEMPLATE } from '../../src/tools/prove/order-template.js';

/** A template that breaks no rule. */
export const TEMPLATE = { elementName: 'order_ready', ...ORDER_TEMPLATE } as const satisfies TemplateDefinition;

/** One without a variable. */
export const PLAIN_TEMPLATE: TemplateDefinition = {
  ...TEMPLATE,
  content: 'Your order is ready',
  example: 'Your order is ready',
};
