/**
 * The rules of a message template. The command, the route of the API, the library and the check before a request all
 * call {@link validateTemplate}, so that they always agree.
 *
 * An error is forbidden by the gateway's document. A warning is a value that the gateway advises against or ignores, or
 * a text that exceeds its limit only if characters beyond U+FFFF count twice, as on some servers.
 */
import {
  TEMPLATE_CATEGORIES,
  TEMPLATE_LANGUAGES,
  TEMPLATE_TYPES,
  type TemplateFinding,
  type TemplateValidation,
} from '../../contract/index.js';
import { templateLimits } from './limits.js';
import { buttonsOf, examplesOf, isRecord, type Draft } from './texts.js';

type Kind = 'text' | 'flag' | 'number' | 'list';
const FIELDS: Readonly<Record<string, Kind>> = {
  elementName: 'text',
  languageCode: 'text',
  category: 'text',
  templateType: 'text',
  vertical: 'text',
  content: 'text',
  header: 'text',
  exampleHeader: 'text',
  footer: 'text',
  buttons: 'list',
  example: 'text',
  enableSample: 'flag',
  allowTemplateCategoryChange: 'flag',
  addSecurityRecommendation: 'flag',
  codeExpirationMinutes: 'number',
  mediaUrl: 'text',
};
const BUTTON_FIELDS: Readonly<Record<string, Kind>> = {
  type: 'text',
  text: 'text',
  phone_number: 'text',
  url: 'text',
  example: 'list',
  otp_type: 'text',
};
const REQUIRED = ['elementName', 'languageCode', 'category', 'templateType', 'vertical'] as const;
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  languageCode: TEMPLATE_LANGUAGES,
  category: TEMPLATE_CATEGORIES,
  templateType: TEMPLATE_TYPES,
};
const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'OTP'] as const;

/** Finds missing and unknown fields, wrong types, and values that are not in an enumeration. */
function shapeProblems(draft: Draft): TemplateFinding[] {
  const missing = REQUIRED.filter((name) => draft[name] === undefined);
  return [
    ...missing.map((name) => ({ path: name, message: `'${name}' is required` })),
    ...REQUIRED.filter((name) => draft[name] === '').map((name) => ({
      path: name,
      message: `'${name}' is not allowed to be empty`,
    })),
    ...wrongFields(draft, FIELDS, ''),
    ...Object.entries(CHOICES).flatMap(([name, choices]) => wrongChoice(name, draft[name], choices)),
    ...buttonsOf(draft).flatMap((button, index) => buttonShape(button, `buttons[${index}]`)),
  ];
}

function buttonShape(button: unknown, path: string): TemplateFinding[] {
  if (!isRecord(button)) return [{ path, message: `'${path}' must be an object` }];
  const { type, text } = button;
  return [
    ...(type === undefined ? [{ path: `${path}.type`, message: `'${path}.type' is required` }] : []),
    ...(text === undefined ? [{ path: `${path}.text`, message: `'${path}.text' is required` }] : []),
    ...Object.entries(button)
      .filter(([name, value]) => name in BUTTON_FIELDS && name !== 'type' && value === '')
      .map(([name]) => ({ path: `${path}.${name}`, message: `'${path}.${name}' is not allowed to be empty` })),
    ...wrongFields(button, BUTTON_FIELDS, `${path}.`),
    ...wrongChoice(`${path}.type`, type, BUTTON_TYPES),
    ...examplesOf(button).flatMap((one, index) =>
      typeof one === 'string' && one !== ''
        ? []
        : [{ path: `${path}.example[${index}]`, message: `'${path}.example[${index}]' must be a text` }],
    ),
  ];
}

function wrongFields(draft: Draft, known: Readonly<Record<string, Kind>>, before: string): TemplateFinding[] {
  return Object.entries(draft).flatMap(([name, value]) => {
    const path = `${before}${name}`;
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) return [{ path, message: `'${path}' is not a field of createTemplate` }];
    if (value === undefined || isOfKind(value, kind)) return [];
    return [{ path, message: `'${path}' must be ${KIND_WORDS[kind]}`, found: nameOfKind(value) }];
  });
}

const KIND_WORDS = { text: 'a text', flag: 'true or false', number: 'a number', list: 'a list' } as const;

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'list':
      return Array.isArray(value);
  }
}

function nameOfKind(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function wrongChoice(path: string, value: unknown, choices: readonly string[]): TemplateFinding[] {
  if (typeof value !== 'string' || value === '' || choices.includes(value)) return [];
  const message =
    path === 'category'
      ? `Invalid category provided, kindly use category from these options ${choices.join(',')}`
      : `'${path}' must be one of ${choices.join(', ')}`;
  return [{ path, message, limit: choices.join(', '), found: value }];
}

/** All errors and warnings of a template. Never throws. */
export function validateTemplate(template: unknown): TemplateValidation {
  if (!isRecord(template)) {
    return { errors: [{ path: '', message: 'the template must be an object' }], warnings: [] };
  }
  const { errors, warnings } = templateLimits(template);
  return { errors: [...shapeProblems(template), ...errors], warnings };
}
