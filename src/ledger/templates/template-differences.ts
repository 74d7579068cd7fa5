import {
  AppError,
  canonicalJson,
  type Problem,
  type TemplateDefinition,
  type TemplateKey,
} from '../../contract/index.js';

/** Which fields of two definitions differ, without their texts: those may be private. */
export function templateDifferences(known: TemplateDefinition, given: TemplateDefinition): Problem[] {
  const names = [...new Set([...Object.keys(known), ...Object.keys(given)])] as (keyof TemplateDefinition)[];
  return names
    .filter((name) => canonicalJson(known[name] ?? null) !== canonicalJson(given[name] ?? null))
    .map((name) => ({ path: name, message: differs(known[name], given[name]) }));
}

function differs(known: unknown, given: unknown): string {
  if (known === undefined) return 'is new: the template of this name has none';
  if (given === undefined) return 'is left out: the template of this name has one';
  return 'is not what the template of this name has';
}

export function templateDiffers({ instance, elementName }: TemplateKey, problems: readonly Problem[]): AppError {
  const fields = problems.map(({ path }) => path).join(', ');
  return new AppError(
    'TEMPLATE_DIFFERS',
    `Template ${elementName} of instance ${instance} is another one: ${fields} differ. A name stands for one template; submit the changed one under a new elementName, e.g. ${nextName(elementName)}.`,
    { problems },
  );
}

/** `order_ready` → `order_ready_2` → `order_ready_3`. */
function nextName(elementName: string): string {
  const [, stem = elementName, number] = /^(.*)_(\d{1,6})$/.exec(elementName) ?? [];
  return `${stem}_${Number(number ?? 1) + 1}`;
}
