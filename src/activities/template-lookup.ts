import { AppError, type TemplateKey, present, TemplateStatus, type MessageContent } from '../contract/index.js';
import type { OperationResponse } from '../gateway/index.js';
import type { TemplateReading, ClaimedAttempt } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** A template as the gateway shows it. */
export type ShownTemplate = OperationResponse<'getTemplates'>['templates'][number];

export type LookUpResult =
  | {
      readonly kind: 'found';
      readonly shown: ShownTemplate;
      readonly reading: TemplateReading;
      readonly witness: string;
    }
  /** The gateway's list does not contain the name. */
  | { readonly kind: 'absent' }
  /** The instance cannot read templates. */
  | { readonly kind: 'cannot_ask' };

const MAX_REASON_CHARACTERS = 500;

/** The template in the text of an error. */
export function nameOf({ instance, elementName }: TemplateKey): string {
  return `Template ${elementName} of instance ${instance}`;
}

/**
 * Reads a template from the gateway, by its id if known, else by its name in the list of all templates.
 * @throws AppError like {@link Gateway.call}
 */
export async function lookUp(
  { gateway }: Pick<ActivityDependencies, 'gateway'>,
  { instance, elementName, templateId }: TemplateKey & { readonly templateId?: string },
): Promise<LookUpResult> {
  const canList = gateway.offers(instance, 'getTemplates');
  if (templateId !== undefined && gateway.offers(instance, 'getTemplateById')) {
    try {
      const { response } = await gateway.call(instance, 'getTemplateById', { templateId });
      const { template: shown } = response;
      return { kind: 'found', shown, reading: readingOf(shown), witness: 'getTemplateById' };
    } catch (error) {
      // The gateway may still know the name if it no longer knows the id.
      if (!canList || !(error instanceof AppError) || error.code !== 'GATEWAY_REJECTED') throw error;
    }
  }
  if (!canList) return { kind: 'cannot_ask' };
  const { response } = await gateway.call(instance, 'getTemplates', {});
  const shown = response.templates.find((one) => one.elementName === elementName);
  if (shown === undefined) return { kind: 'absent' };
  return { kind: 'found', shown, reading: readingOf(shown), witness: 'getTemplates' };
}

export function readingOf({
  templateId,
  status,
  reason,
  category,
}: Omit<ShownTemplate, 'templateId'> & { templateId?: string | null | undefined }): TemplateReading {
  return present({
    templateId: templateId === '' ? undefined : templateId,
    status: typeof status === 'string' && status !== '' ? status : undefined,
    reason: reasonWords(reason),
    category: typeof category === 'string' && category !== '' ? category.toUpperCase() : undefined,
  });
}

/** The reason as a text. Its format is not documented: a text is not changed, any other value becomes JSON. */
function reasonWords(reason: unknown): string | undefined {
  if (reason === undefined || reason === null || reason === '') return undefined;
  const words = typeof reason === 'string' ? reason : JSON.stringify(reason);
  return words.length > MAX_REASON_CHARACTERS ? `${words.slice(0, MAX_REASON_CHARACTERS - 1)}…` : words;
}

/** Matches the gateway's text for a template that is not approved, which is not documented. */
const NOT_APPROVED = /\b(?:approved|paused|pending)\b/i;

/** Returns the error of a rejected send. A rejection because of a paused template is not final. */
export async function explainRejection(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  { instance, content }: ClaimedAttempt,
  refusal: AppError,
): Promise<AppError> {
  const { gatewayText, httpStatus } = refusal;
  if (!(await isTemplateInTheWay(deps, instance, content, gatewayText))) return refusal;
  const message = 'The gateway rejected the message: its template is no longer approved.';
  return new AppError('TEMPLATE_NOT_APPROVED', message, { cause: refusal, ...present({ gatewayText, httpStatus }) });
}

/**
 * Whether a send was rejected because its template is no longer approved. Reads the template and records its status. If
 * the template cannot be read, the result is true: nothing was sent, so a retry is safe.
 */
async function isTemplateInTheWay(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  instance: string,
  content: MessageContent,
  gatewayText = '',
): Promise<boolean> {
  if (content.kind !== 'template') return false;
  const { ledger, clock } = deps;
  const { elementName, templateId } = content;
  try {
    const named = elementName === undefined ? { templateId: templateId ?? '' } : { elementName };
    const known = await ledger.templates.find(instance, named);
    if (known === undefined) return false;
    const result = await lookUp(deps, known);
    if (result.kind !== 'found') return false;
    const { reading, witness } = result;
    const { status } = await ledger.templates.recordReading(known, { reading, witness, nowMs: clock.nowMs() });
    // An approved template may be approved again, or not yet for sending: the gateway's text decides then.
    return status !== TemplateStatus.APPROVED || NOT_APPROVED.test(gatewayText);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.next !== 'stop';
  }
}
