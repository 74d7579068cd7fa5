import { Agent, request } from 'undici';
import { namesPrivateHost } from '../../domain/index.js';
import { PRIVATE_ADDRESS, lookUpPublic } from '../look-up-public.js';

export interface CallbackPoster {
  /**
   * Posts once, and follows no redirect.
   * @returns undefined when it was taken, which any 2xx says; else what it failed of, a word without the URL
   */
  post(url: string, event: { readonly eventId: string }): Promise<string | undefined>;
  close(): Promise<void>;
}

/** From looking the name up to the response's head. */
const RESPONSE_WITHIN_MS = 10_000;
/** How much of a response's body is read, so that its connection can be used again. */
const READ_BYTES = 16 * 1024;

/**
 * A URL comes from any caller that may send messages: it must not reach what only this machine can, whatever its name
 * stands for.
 */
export function createCallbackPoster({ allowPrivate }: { readonly allowPrivate: boolean }): CallbackPoster {
  const dispatcher = new Agent({ connect: allowPrivate ? {} : { lookup: lookUpPublic } });

  return {
    async post(url, event) {
      try {
        // An address in place of a name is looked up nowhere.
        if (!allowPrivate && namesPrivateHost(new URL(url))) return PRIVATE_ADDRESS;
        const { statusCode, body } = await request(url, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': event.eventId, 'user-agent': 'everpost' },
          body: JSON.stringify(event),
          signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
        });
        // The status has decided; a body that breaks off changes nothing.
        await body.dump({ limit: READ_BYTES }).catch(() => undefined);
        return statusCode >= 200 && statusCode < 300 ? undefined : `HTTP ${statusCode}`;
      } catch (error) {
        return reasonOf(error);
      }
    },

    close: () => dispatcher.destroy(),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  return error instanceof Error && 'code' in error ? String(error.code) : 'no response';
}
