import { type JsonObject, optionalField, WireError } from '../wire/wire.js';
import type { TemplateRequest } from './template-request.js';

export const TEMPLATE_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'FAILED', 'PAUSED'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

export interface Template {
  readonly id: string;
  readonly request: TemplateRequest;
  readonly createdOnMs: number;
  modifiedOnMs: number;
  status: TemplateStatus;
  reason?: string;
}

interface Templates {
  readonly templates: Template[];
}

const VARIABLE = /\{\{([^{}]*)\}\}/g;
const SECURITY_SENTENCE = 'For your security, do not share this code.';

/** Accepts a template for review. Its elementName is unique in the account. */
export function createTemplate(
  { templates }: Templates,
  request: TemplateRequest,
  id: string,
  nowMs: number,
): Template {
  const taken = templates.some((one) => one.request.elementName === request.elementName);
  if (taken) {
    throw new WireError(400, `Template with elementName '${request.elementName}' already exists in this namespace`);
  }
  const template: Template = { id, request, createdOnMs: nowMs, modifiedOnMs: nowMs, status: 'PENDING' };
  templates.push(template);
  return template;
}

/** Records the decision of the review. */
export function decideTemplate(
  template: Template,
  status: TemplateStatus,
  reason: string | undefined,
  nowMs: number,
): void {
  template.status = status;
  template.modifiedOnMs = nowMs;
  if (reason === undefined) delete template.reason;
  else template.reason = reason;
}

/**
 * Fills each variable in the content of a template.
 * @throws WireError if the template is unknown or not approved, or the number of values is wrong
 */
export function fillTemplate({ templates }: Templates, templateId: string, params: readonly string[]): string {
  const template = templates.find(({ id }) => id === templateId);
  if (template === undefined) throw new WireError(400, 'Template by id not found');
  if (template.status !== 'APPROVED') {
    throw new WireError(400, `Template is ${template.status}, only APPROVED templates can be sent`);
  }
  const { content } = template.request;
  const names = [...new Set(Array.from(content.matchAll(VARIABLE), ([, name = '']) => name.trim()))];
  if (names.length !== params.length) {
    throw new WireError(400, `'params' must have ${names.length} values`);
  }
  return content.replaceAll(VARIABLE, (variable, name: string) => params[names.indexOf(name.trim())] ?? variable);
}

/** A template in the gateway's response, with the fields of the document's table and sample. Times are milliseconds. */
export function showTemplate(template: Template, { idInstance }: { readonly idInstance: string }): JsonObject {
  const { id, request, createdOnMs, modifiedOnMs, status, reason } = template;
  const { category, elementName, languageCode, templateType, vertical } = request;
  const { header, content, footer, buttons, addSecurityRecommendation, codeExpirationMinutes: minutes } = request;
  const data = [
    header,
    addSecurityRecommendation ? `${content} ${SECURITY_SENTENCE}` : content,
    footer,
    minutes === undefined ? undefined : `This code expires in ${minutes} minutes.`,
    buttons.length === 0 ? undefined : buttons.map(({ text }) => `[${text}]`).join(' | '),
  ];
  return {
    id,
    templateId: id,
    appId: `app-${idInstance}`,
    master: true,
    namespace: `namespace-${idInstance}`,
    elementName,
    languageCode,
    languagePolicy: 'deterministic',
    category,
    templateType,
    vertical,
    data: data.filter((line) => line !== undefined).join('\n'),
    meta: JSON.stringify({ example: request.example }),
    containerMeta: JSON.stringify(request.given),
    buttonSupported: [...new Set(buttons.map(({ type }) => type))].join(','),
    allowTemplateCategoryChange: 'false',
    createdOn: createdOnMs,
    modifiedOn: modifiedOnMs,
    priority: 1,
    quality: 'UNKNOWN',
    retry: 0,
    stage: 'NONE',
    status,
    ...optionalField('reason', reason),
  };
}
