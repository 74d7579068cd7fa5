import type { Db } from '../store.js';

/** Why what names a template is not posted yet. */
export interface TemplateWaiting {
  readonly code: 'TEMPLATE_NOT_APPROVED';
  readonly text: string;
  readonly since: Date;
  readonly nextCheckAt: Date | null;
}

/** Undefined where it is approved, or where everpost knows nothing of it. */
export async function templateWaiting(
  db: Db,
  instance: string,
  { elementName, templateId }: { readonly elementName: string | undefined; readonly templateId: string | undefined },
): Promise<TemplateWaiting | undefined> {
  if (elementName === undefined && templateId === undefined) return undefined;
  const template = await db
    .selectFrom('templates')
    .select(['element_name', 'template_id', 'state', 'status', 'status_since', 'next_check_at', 'created_at'])
    .where('instance', '=', instance)
    .where((eb) =>
      elementName === undefined ? eb('template_id', '=', templateId ?? '') : eb('element_name', '=', elementName),
    )
    .executeTakeFirst();
  if (template === undefined) return undefined;
  const { element_name, template_id, state, status, status_since, next_check_at, created_at } = template;
  const isApproved = status === 'APPROVED';
  if (isApproved && template_id !== null) return undefined;
  const text = isApproved
    ? `template ${element_name} is approved, but its id is not known; push it with everpost template set-review`
    : `template ${element_name} is ${status ?? state}`;
  return { code: 'TEMPLATE_NOT_APPROVED', text, since: status_since ?? created_at, nextCheckAt: next_check_at };
}
