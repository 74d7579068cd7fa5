import type { InstanceDirectory, MessageContent, MessageRequest, Problem } from '../../contract/index.js';
import { inputInvalid, templateParameters } from '../../domain/index.js';
import type { Ledger } from '../../ledger/index.js';

interface UsableFileDependencies {
  readonly ledger: Pick<Ledger, 'files'>;
  readonly instances: InstanceDirectory;
}

/**
 * Refuses a message whose stored file could never be sent, and keeps the file for it.
 * @param what  it is that names the file, e.g. "The message"
 * @param untilMs  when it is sent at the latest
 * @throws AppError INPUT_INVALID
 */
export async function refuseUnusableFile(
  { ledger, instances }: UsableFileDependencies,
  what: string,
  { instance, content }: { readonly instance: string; readonly content: Partial<MessageContent> },
  untilMs: number,
): Promise<void> {
  if (content.kind !== 'file' || content.fileId === undefined) return;
  const { mediaUrl, capabilities } = instances.get(instance);
  const lacks =
    mediaUrl === undefined
      ? 'it has no mediaUrl in the instances file'
      : capabilities?.includes('uploadFile') === false
        ? 'its capabilities do not list uploadFile'
        : undefined;
  const path = 'content.fileId';
  if (lacks !== undefined) {
    throw inputInvalid(what, [
      { path, message: `instance ${instance} takes no files: ${lacks}. Send a link: content.url` },
    ]);
  }
  if (await ledger.files.keep(content.fileId, untilMs)) return;
  throw inputInvalid(what, [{ path, message: 'names no file that is stored: upload it with POST /v1/files' }]);
}

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
