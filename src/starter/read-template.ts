import { type InstanceDirectory, type Problem, type TemplateDefinition } from '../contract/index.js';
import { submitTemplateSchema } from '../contract/schemas.js';
import { inputInvalid, readInput, validateTemplate, withButtonList } from '../domain/index.js';

/**
 * Reads `{ instance, template }`. The error contains every problem. The definition has no fields that the gateway
 * ignores and contains all defaults, so that the same template always gives the same definition.
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND
 */
export function readTemplate(body: unknown, instances: InstanceDirectory) {
  const { instance, template: given } = readInput(submitTemplateSchema, body, 'The template');
  const { errors, warnings } = validateTemplate(given);
  const { capabilities } = instances.get(instance);
  const problems: Problem[] = [
    ...(capabilities === undefined || capabilities.includes('createTemplate')
      ? []
      : [{ path: 'instance', message: 'does not support createTemplate: its capabilities do not list it' }]),
    ...errors.map(({ path, message, found }) => ({
      path: path === '' ? 'template' : `template.${path}`,
      // Another text may be private: only numbers are reported.
      message: typeof found === 'number' ? `${message} (found ${found})` : message,
    })),
  ];
  if (problems.length > 0) throw inputInvalid('The template', problems);
  const { allowTemplateCategoryChange: _deprecated, ...fields } = withButtonList(given) as typeof given;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated above
  const definition = { enableSample: true, ...fields } as unknown as TemplateDefinition;
  return { instance, definition, warnings };
}
