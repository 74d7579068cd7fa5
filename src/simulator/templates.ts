import type { Instance } from './instance.js';
import type { JsonObject } from './json.js';
import type { TemplateRequest } from './template-request.js';
import { WireError } from './wire-error.js';

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

const VARIABLE = /\{\{([^{}]*)\}\}/g;
const SECURITY_SENTENCE = 'For your security, do not share this code.';

/** Takes a template for review. Its name is unique among all that the account has. */
export function createTemplate(instance: Instance, request: TemplateRequest, id: string, nowMs: number): Template {
  const { rules, templates } = instance;
  const taken = templates.some((one) => one.request.elementName === request.elementName);
  if (taken && rules.on('create-template.elementName-unique')) {
    throw new WireError(400, `Template with elementName '${request.elementName}' already exists in this namespace`);
  }
  const template: Template = {
    id,
    request,
    createdOnMs: nowMs,
    modifiedOnMs: rules.on('template.modified-equals-created') ? nowMs : nowMs + 1,
    status: rules.on('template-status.pending-when-new') ? 'PENDING' : 'APPROVED',
  };
  templates.push(template);
  return template;
}

/** The review's word. */
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
 * The body of a template with a value for each of its variables.
 * @throws WireError when it is not known, not approved, or not given as many values as it has variables
 */
export function fillTemplate(instance: Instance, templateId: string, params: readonly string[]): string {
  const { rules } = instance;
  const template = instance.templates.find(({ id }) => id === templateId);
  if (template === undefined) throw new WireError(400, 'Template by id not found');
  if (template.status !== 'APPROVED' && rules.on('send-template.approved-only')) {
    throw new WireError(400, `Template is ${template.status}, only APPROVED templates can be sent`);
  }
  const { content } = template.request;
  const names = [...new Set(Array.from(content.matchAll(VARIABLE), ([, name = '']) => name.trim()))];
  if (names.length !== params.length && rules.on('send-template.params')) {
    throw new WireError(400, `'params' must have ${names.length} values`);
  }
  return content.replaceAll(VARIABLE, (variable, name: string) => params[names.indexOf(name.trim())] ?? variable);
}

/** A template as the gateway answers it: the table's fields and the sample's further ones. Times are milliseconds. */
export function showTemplate(template: Template, { idInstance, rules }: Instance): JsonObject {
  const { id, request, createdOnMs, modifiedOnMs, status, reason } = template;
  const { category, elementName, languageCode, templateType, vertical } = request;
  const changeable = !rules.on('create-template.category-change-ignored') && request.allowTemplateCategoryChange;
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
    data: templateText(
      request,
      rules.on('create-template.security-recommendation'),
      rules.on('create-template.expiry-sentence'),
    ),
    meta: JSON.stringify({ example: request.example }),
    containerMeta: JSON.stringify(request.given),
    buttonSupported: [...new Set(request.buttons.map(({ type }) => type))].join(','),
    allowTemplateCategoryChange: String(changeable),
    createdOn: createdOnMs,
    modifiedOn: modifiedOnMs,
    priority: 1,
    quality: 'UNKNOWN',
    retry: 0,
    stage: 'NONE',
    status,
    ...(reason !== undefined && rules.on('template-status.reason-when-failed') ? { reason } : {}),
  };
}

function templateText(request: TemplateRequest, adds: boolean, expires: boolean): string {
  const { header, content, footer, buttons, addSecurityRecommendation, codeExpirationMinutes } = request;
  const security = adds && addSecurityRecommendation ? ` ${SECURITY_SENTENCE}` : '';
  const expiry =
    expires && codeExpirationMinutes !== undefined
      ? `This code expires in ${codeExpirationMinutes} minutes.`
      : undefined;
  const labels = buttons.map(({ text }) => `[${text}]`).join(' | ');
  const lines = [header, content + security, footer, expiry, labels === '' ? undefined : labels];
  return lines.filter((line) => line !== undefined).join('\n');
}
