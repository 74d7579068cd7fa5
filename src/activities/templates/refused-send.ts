import { AppError, TemplateStatus, type MessageContent } from '../../contract/index.js';
import type { ClaimedAttempt } from '../../ledger/index.js';
import type { ActivityDependencies } from '../dependencies.js';
import { lookUp } from './look-up.js';

/** No document has the words for it. */
const NOT_APPROVED = /\b(?:approved|paused|pending)\b/i;

/** What is refused because its template was paused a moment ago is not refused for good. */
export async function explainRejection(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  { instance, content }: ClaimedAttempt,
  refusal: AppError,
): Promise<AppError> {
  const { gatewayText, httpStatus } = refusal;
  if (!(await isTemplateInTheWay(deps, instance, content, gatewayText))) return refusal;
  return new AppError('TEMPLATE_NOT_APPROVED', 'The gateway refused it, and its template is not approved any more.', {
    cause: refusal,
    ...(gatewayText === undefined ? {} : { gatewayText }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
  });
}

/**
 * Whether a refused send was refused because its template is not approved any more, which may pass: looked up now, and
 * written down. A refusal says that nothing was sent, so where the template cannot be read just now, trying again is
 * safe as well.
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
    // Approved again since, or approved where we look and not yet where it is sent.
    return status !== TemplateStatus.APPROVED || NOT_APPROVED.test(gatewayText);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.next !== 'stop';
  }
}
