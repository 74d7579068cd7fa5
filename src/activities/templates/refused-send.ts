import { AppError, TemplateStatus, type MessageContent, present } from '../../contract/index.js';
import type { ClaimedAttempt } from '../../ledger/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { lookUp } from './look-up.js';

/** The text of the refusal is not documented. */
const NOT_APPROVED = /\b(?:approved|paused|pending)\b/i;

/** A refusal for a template that was just paused is not final. */
export async function explainRejection(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  { instance, content }: ClaimedAttempt,
  refusal: AppError,
): Promise<AppError> {
  const { gatewayText, httpStatus } = refusal;
  if (!(await isTemplateInTheWay(deps, instance, content, gatewayText))) return refusal;
  return new AppError('TEMPLATE_NOT_APPROVED', 'The gateway refused it, and its template is not approved any more.', {
    cause: refusal,
    ...present({ gatewayText, httpStatus }),
  });
}

/**
 * Whether a send was refused because its template is not approved any more, which may change: the template is read now,
 * and the result recorded. A refusal means that nothing was sent, so a retry is safe if the template cannot be read.
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
    // Approved again since, or already approved in the list and not yet for sending.
    return status !== TemplateStatus.APPROVED || NOT_APPROVED.test(gatewayText);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.next !== 'stop';
  }
}
