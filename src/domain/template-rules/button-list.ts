import { isRecord, parseJson } from '../../contract/index.js';

/**
 * The template with its buttons as a list. The gateway's samples print them as a text that contains the list as JSON.
 * Any other text stays, and is reported as an error of the template.
 */
export function withButtonList(template: unknown): unknown {
  if (!isRecord(template) || typeof template['buttons'] !== 'string') return template;
  try {
    const buttons = parseJson(template['buttons']);
    return Array.isArray(buttons) ? { ...template, buttons: buttons as unknown[] } : template;
  } catch {
    return template;
  }
}
