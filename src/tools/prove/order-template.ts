/** A template that breaks no rule, without its name. */
export const ORDER_TEMPLATE = {
  languageCode: 'en',
  category: 'UTILITY',
  templateType: 'TEXT',
  vertical: 'Order notice',
  content: 'Your order {{1}} is ready.',
  example: 'Your order 17 is ready.',
} as const;
