import { Agent, request } from 'undici';
import { AppError } from '../../contract/index.js';
import { namesPrivateHost } from '../../domain/index.js';
import { PRIVATE_ADDRESS, lookUpPublic } from '../look-up-public.js';

const HEAD_WITHIN_MS = 30_000;
/** Between two pieces of the body. */
const BODY_WITHIN_MS = 30_000;
const WHOLE_WITHIN_MS = 30 * 60_000;

export interface UrlLimits {
  /** Whether it may be on this machine or in a private network. */
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
}

export interface OpenedUrl {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly contentType: string;
}

/**
 * Gets a URL, and follows no redirect. It comes from any caller of the API: it must not reach what only this machine
 * can. The URL itself may hold a key, so that no error names it.
 * @throws AppError SCHEDULE_RUN_FAILED, also while the body is read
 */
export async function openUrl(url: string, limits: UrlLimits, signal: AbortSignal): Promise<OpenedUrl> {
  const { allowPrivate } = limits;
  if (!allowPrivate && namesPrivateHost(new URL(url))) throw failed(PRIVATE_ADDRESS);
  const dispatcher = new Agent({
    connect: { timeout: HEAD_WITHIN_MS, ...(allowPrivate ? {} : { lookup: lookUpPublic }) },
    headersTimeout: HEAD_WITHIN_MS,
    bodyTimeout: BODY_WITHIN_MS,
  });
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      headers: { accept: 'text/csv, application/x-ndjson', 'user-agent': 'everpost' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(WHOLE_WITHIN_MS)]),
    });
    if (statusCode !== 200) throw failed(`HTTP ${statusCode}`);
    return { bytes: whole(body, limits, dispatcher), contentType: String(headers['content-type'] ?? '').slice(0, 200) };
  } catch (error) {
    await dispatcher.destroy();
    throw asFailed(error);
  }
}

async function* whole(
  body: AsyncIterable<Uint8Array>,
  { maxBytes }: UrlLimits,
  dispatcher: Agent,
): AsyncGenerator<Uint8Array> {
  let left = maxBytes;
  try {
    for await (const piece of body) {
      left -= piece.byteLength;
      if (left < 0) throw failed(`it has more than ${maxBytes} bytes`);
      yield piece;
    }
  } catch (error) {
    throw asFailed(error);
  } finally {
    await dispatcher.destroy();
  }
}

function asFailed(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'TimeoutError') return failed('timeout', error);
  return failed(error instanceof Error && 'code' in error ? String(error.code) : 'no response', error);
}

function failed(why: string, cause?: unknown): AppError {
  return new AppError('SCHEDULE_RUN_FAILED', `The URL of the recipients could not be read: ${why}.`, { cause });
}
