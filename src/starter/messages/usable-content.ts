import type { InstanceDirectory, MessageContent, MessageRequest, Problem } from '../../contract/index.js';
import { inputInvalid, templateParameters } from '../../domain/index.js';
import type { Ledger } from '../../ledger/index.js';

interface UsableFileDependencies {
  readonly ledger: Pick<Ledger, 'files'>;
  readonly instances: InstanceDirectory;
}

/**
 * Rejects a message whose stored file could never be sent, and otherwise retains the file for it.
 * @param what  the object that names the file, e.g. "The message"
 * @param untilMs  the latest time at which it is sent
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
      { path, message: `instance ${instance} cannot send stored files: ${lacks}. Use a link: content.url` },
    ]);
  }
  if (await ledger.files.keep(content.fileId, untilMs)) return;
  throw inputInvalid(what, [{ path, message: 'is not the id of a stored file: upload the file with POST /v1/files' }]);
}

/**
 * Rejects a message that could never be sent with its template. A template that is not approved yet is no reason: the
 * message waits for the approval.
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
    // An id may belong to a template that was created elsewhere, which only the gateway knows.
    if (elementName === undefined) return;
    const message = `no template ${elementName} was submitted to ${instance} through everpost. Submit it: everpost template submit FILE`;
    throw inputInvalid('The message', [{ path: 'content.elementName', message }]);
  }
  const count = templateParameters(template.definition).length;
  if (params.length === count) return;
  const problem: Problem = {
    path: 'content.params',
    message: `must have ${count} values, one for each variable of the template. It has ${params.length}`,
  };
  throw inputInvalid('The message', [problem]);
}
