import { TemplateStatus, type ContentTemplate } from '../../contract/index.js';
import { templateParameters } from '../../domain/index.js';
import { templateContentSchema } from '../../contract/schemas.js';
import type { Ledger, TemplateView } from '../../ledger/index.js';
import type { PlanWarning } from './campaign-plan.js';

/**
 * What is to be known of the template that a campaign names, by what the ledger says of it now. One that is named by a
 * column is each recipient's own; one that is named by an unknown id was made elsewhere.
 */
export async function templateWarnings(
  { templates }: Pick<Ledger, 'templates'>,
  instance: string,
  content: ContentTemplate,
): Promise<PlanWarning[]> {
  const read = content.kind === 'template' ? templateContentSchema.safeParse(content) : undefined;
  if (read?.success !== true) return [];
  const { elementName, templateId, params = [] } = read.data;
  if (`${elementName} ${templateId}`.includes('{{')) return [];
  const named = elementName === undefined ? templateId && { templateId } : { elementName };
  const template = named && (await templates.find(instance, named));
  if (template) return reconcile(template, params.length);
  if (elementName === undefined) return [];
  const text = `No template ${elementName} was submitted to ${instance} through everpost: every recipient ends rejected. Submit it first.`;
  return [{ code: 'TEMPLATE_NOT_FOUND', text }];
}

function reconcile({ elementName, definition, state, status, reason }: TemplateView, given: number): PlanWarning[] {
  const count = templateParameters(definition).length;
  const why = reason === undefined ? '' : ` (${reason})`;
  const isRefused = state === 'refused' || status === TemplateStatus.REJECTED || status === TemplateStatus.FAILED;
  const stands = `Template ${elementName} is ${state === 'refused' ? state : (status ?? state)}${why}`;
  return [
    ...(given === count
      ? []
      : [
          {
            code: 'TEMPLATE_PARAMETERS',
            text: `Template ${elementName} has ${count} variables, the campaign ${given} params: every recipient ends rejected.`,
          } as const,
        ]),
    ...(isRefused ? [{ code: 'TEMPLATE_REFUSED', text: `${stands}: every recipient ends rejected.` } as const] : []),
    ...(isRefused || status === TemplateStatus.APPROVED
      ? []
      : [
          { code: 'TEMPLATE_NOT_APPROVED', text: `${stands}: no recipient is sent to before it is approved.` } as const,
        ]),
  ];
}
