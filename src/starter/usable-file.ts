import type { InstanceDirectory, MessageContent } from '../contract/index.js';
import { inputInvalid } from '../domain/index.js';
import type { Ledger } from '../ledger/index.js';

export interface UsableFileDependencies {
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
