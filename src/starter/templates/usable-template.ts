import { type MessageRequest, type Problem } from '../../contract/index.js';
import { templateParameters, inputInvalid } from '../../domain/index.js';
import type { Ledger } from '../../ledger/index.js';

/**
 * Refuses a message that could never be sent with its template. Whether the template is approved does not matter yet:
 * the message waits for that.
 * @throws AppError INPUT_INVALID
 */
export async function refuseUnusableTemplate(
  { templates }: Pick<Ledger, 'templates'>,
  { instance, content }: Pick<MessageRequest, 'instance' | 'content'>,
): Promise<void> {
  if (content.kind !== 'template') return;
  const { elementName, templateId, params = [] } = content;
  const named = elementName === undefined ? { templateId: templateId ?? '' } : { elementName };
  const template = await templates.find(instance, named);
  if (template === undefined) {
    // An id may be of a template that was made elsewhere: then the gateway alone knows it.
    if (elementName === undefined) return;
    const message = `no template ${elementName} was submitted to ${instance} through everpost: submit it first`;
    throw inputInvalid('The message', [{ path: 'content.elementName', message }]);
  }
  const count = templateParameters(template.definition).length;
  if (params.length === count) return;
  const problem: Problem = {
    path: 'content.params',
    message: `must have ${count} values, one for each variable of the template; it has ${params.length}`,
  };
  throw inputInvalid('The message', [problem]);
}
