/**
 * Uploads a stored file and replaces it by the gateway's link before its message is posted (FILE-2).
 *
 * UPLOAD-1 An upload sends no message, so it may always be repeated. A failed upload never makes the outcome unknown:
 *    the attempt is returned and retried later.
 * UPLOAD-2 A process runs one upload of a file for an instance at a time. The upload continues after the attempt that
 *    waits for it has ended, and the next attempt uses its link.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { AppError, ErrorNext, type Clock } from '../../contract/index.js';
import type { Gateway } from '../../gateway/index.js';
import type { ClaimedAttempt, Ledger } from '../../ledger/index.js';

export interface UploadDependencies {
  readonly gateway: Pick<Gateway, 'call'>;
  readonly files: Pick<Ledger['files'], 'read' | 'giveLink' | 'storeLink'>;
  readonly clock: Clock;
}

/**
 * @returns a function that returns the attempt to post. It never throws an AppError with `ask`, since nothing was
 *   posted.
 */
export function withLinks(deps: UploadDependencies): (attempt: ClaimedAttempt) => Promise<ClaimedAttempt> {
  const { files, clock } = deps;
  const underWay = new Map<string, Promise<void>>();

  function upload(instance: string, fileId: string, fileName: string): Promise<void> {
    const key = JSON.stringify([instance, fileId]);
    const begun = underWay.get(key) ?? uploadFile(deps, instance, fileId, fileName).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  }

  return async (attempt) => {
    const { instance, token, content } = attempt;
    if (content.kind !== 'file' || content.fileId === undefined) return attempt;
    const { fileId, fileName } = content;
    const link = () => files.giveLink(token, instance, fileId, clock.nowMs());
    let url = await link();
    if (url === undefined) {
      const uploading = upload(instance, fileId, fileName);
      const patience = new AbortController();
      const remainingMs = Math.max(0, attempt.postingDeadlineMs - clock.nowMs());
      try {
        await Promise.race([uploading, wait(remainingMs, undefined, { signal: patience.signal })]);
      } catch (error) {
        throw uploadError(error, instance, fileId);
      } finally {
        patience.abort();
      }
      url = await link();
    }
    if (url === undefined) throw notYet(fileId);
    return { ...attempt, content: { ...content, url } };
  };
}

async function uploadFile(deps: UploadDependencies, instance: string, fileId: string, fileName: string): Promise<void> {
  const { gateway, files, clock } = deps;
  const file = await files.read(fileId);
  if (file === undefined) {
    throw new AppError('FILE_NOT_FOUND', `File ${fileId} is no longer stored. Upload it again: POST /v1/files.`);
  }
  const { contentType, bytes } = file;
  const { response } = await gateway.call(instance, 'uploadFile', { fileName, contentType, content: bytes });
  await files.storeLink(instance, fileId, response.urlFile, clock.nowMs());
}

/** UPLOAD-1 */
function uploadError(error: unknown, instance: string, fileId: string): AppError {
  if (!(error instanceof AppError)) return notYet(fileId, error);
  if (error.next === ErrorNext.ask || error.next === ErrorNext.bug) return notYet(fileId, error);
  if (error.code !== 'GATEWAY_REJECTED') return error;
  const { gatewayText = 'no words', httpStatus = 0 } = error;
  const text = `uploadFile: HTTP ${httpStatus}, ${gatewayText}. Check the mediaUrl of ${instance}, or send a link`;
  return new AppError('UPLOAD_NOT_POSSIBLE', `The gateway did not accept file ${fileId}. ${text}.`, {
    cause: error,
    gatewayText: text,
    httpStatus,
  });
}

/** An error that makes the pause grow, like any attempt that was not accepted. */
function notYet(fileId: string, cause?: unknown): AppError {
  return new AppError('GATEWAY_NOT_ACCEPTED', `File ${fileId} is not at the gateway yet. The upload is retried.`, {
    cause,
  });
}
