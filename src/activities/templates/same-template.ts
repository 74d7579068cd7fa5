import { parseJson, type TemplateDefinition } from '../../contract/index.js';
import { comparableText } from '../../domain/index.js';
import type { ShownTemplate } from './look-up.js';

/**
 * Request fields that the gateway shows under their own names; not the category, which it may change.
 */
const SHOWN = ['languageCode', 'templateType', 'vertical'] as const;
/** Fields that it shows, if at all, inside the request that it passed on for review. */
const PASSED_ON = ['content', 'header', 'footer', 'example'] as const;

/**
 * The fields in which a template at the gateway differs from ours. A field that it does not show is not compared.
 */
export function differingFields(ours: TemplateDefinition, shown: ShownTemplate): string[] {
  const passedOn = parsed(shown.containerMeta);
  return [
    ...SHOWN.filter((name) => areDifferent(ours[name], shown[name])),
    ...PASSED_ON.filter((name) => areDifferent(ours[name] ?? '', passedOn[name])),
  ];
}

function areDifferent(ours: string, theirs: unknown): boolean {
  return typeof theirs === 'string' && comparable(theirs) !== comparable(ours);
}

function comparable(text: string): string {
  return comparableText(text.replaceAll(/\s+/g, ' ').trim());
}

/** A JSON text of unknown shape; undefined if it is none. */
function parsed(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // Then the other fields decide.
    return {};
  }
}
