import {
  type InstanceDirectory,
  type Problem,
  type TemplateDefinition,
  type TemplateFinding,
} from '../../contract/index.js';
import { validateTemplate, inputInvalid, readInput } from '../../domain/index.js';
import { submitTemplateSchema } from '../../contract/schemas.js';

export interface ReadTemplate {
  readonly instance: string;
  /**
   * Without what the gateway ignores, and with its defaults written out, so that the same template is the same
   * definition.
   */
  readonly definition: TemplateDefinition;
  readonly warnings: readonly TemplateFinding[];
}

/**
 * Reads `{ instance, template }`; every problem is named at once.
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND
 */
export function readTemplate(body: unknown, instances: InstanceDirectory): ReadTemplate {
  const { instance, template } = readInput(submitTemplateSchema, body, 'The template');
  const { errors, warnings } = validateTemplate(template);
  const { capabilities } = instances.get(instance);
  const problems: Problem[] = [
    ...(capabilities === undefined || capabilities.includes('createTemplate')
      ? []
      : [{ path: 'instance', message: 'does not have createTemplate: its capabilities do not list it' }]),
    ...errors.map(problemOf),
  ];
  if (problems.length > 0) throw inputInvalid('The template', problems);
  const { allowTemplateCategoryChange: _deprecated, ...fields } = template;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without errors of the lint it is one
  const definition = { enableSample: true, ...fields } as unknown as TemplateDefinition;
  return { instance, definition, warnings };
}

/** A text that was found instead may be private: only numbers are reported. */
function problemOf({ path, message, found }: TemplateFinding): Problem {
  return {
    path: path === '' ? 'template' : `template.${path}`,
    message: typeof found === 'number' ? `${message} (found ${found})` : message,
  };
}
