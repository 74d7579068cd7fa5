import { AUTHENTICATION_CONTENT } from '../../contract/index.js';

export const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** The variables of a text as they are written between their braces, each once, in the order of their first use. */
export function templateVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim()))];
}

/**
 * The variables for which a message has to give values, in their order: the body's, the default body's for
 * AUTHENTICATION.
 */
export function templateParameters({
  category,
  content,
}: {
  readonly category: string;
  readonly content?: string;
}): string[] {
  const body = content ?? (category === 'AUTHENTICATION' ? AUTHENTICATION_CONTENT : '');
  return templateVariables(body);
}
