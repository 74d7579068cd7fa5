/**
 * The rules of a message template, in one place: the command, the API's route, the library and the check before the
 * wire all ask {@link validateTemplate}, so that they cannot disagree.
 *
 * An error is what the gateway's document rules out. A warning is what it merely advises against, what it ignores, and
 * a text that is over its limit only when characters outside the basic plane are counted twice, as some servers count.
 */
import type { TemplateValidation } from '../../contract/index.js';
import { isRecord } from './draft.js';
import { templateLimits } from './limits.js';
import { shapeProblems } from './shape.js';

/** Everything that is wrong with a template, and everything that is unwise about it, at once. Never throws. */
export function validateTemplate(template: unknown): TemplateValidation {
  if (!isRecord(template)) {
    return { errors: [{ path: '', message: 'the template must be an object' }], warnings: [] };
  }
  const { errors, warnings } = templateLimits(template);
  return { errors: [...shapeProblems(template), ...errors], warnings };
}
